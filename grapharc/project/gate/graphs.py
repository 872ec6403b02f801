"""Two open states of a project go in; the graphs of both, paired, linked and judged, come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.diff.decisions import Elsewhere
from grapharc.policy.owner.policy import Policy
from grapharc.policy.owner.tenants import served_tenants
from grapharc.project.gate.opened import Opened
from grapharc.project.premises import premises_of
from grapharc.spec.canonical import digest
from grapharc.spec.document import Document
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.link.link import link
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.meaning import graph_meaning, registry_meaning
from grapharc.spec.offers import Registry
from grapharc.spec.read import holds, read

NO_LIMITS = Budget()


@frozen
class Pair:
    """A graph on both sides: the paths of its document, "" where it is not there, for one tenant."""

    was: str
    path: str
    tenant: str | None
    old: Admission | None
    new: Admission | None
    elsewhere: Elsewhere

    @property
    def document(self) -> str:
        """The path that the graph goes by."""
        return self.path or self.was


@frozen
class Graphs:
    """The pairs in the order of their paths; ``unread`` are findings about what the head names and nobody can read."""

    pairs: tuple[Pair, ...]
    unread: tuple[Finding, ...]


def pair_graphs(base: Opened, head: Opened, wanted: Sequence[str], today: date) -> Graphs:
    """Pair the graphs that the project documents of either side name, or only those that are wanted."""
    judging = _Judging(base, head, today)
    patterns = (*base.model.grapharc.graphs, *head.model.grapharc.graphs)
    named = {path for path in wanted if not path.endswith("/")}
    folders = tuple(path for path in wanted if path.endswith("/"))
    old, _ = _documents(base, base.matching(patterns), named)
    new, unread = _documents(head, head.matching(patterns), named)
    pairs = [
        pair
        for was, path in _paired(old, new, judging)
        if not wanted or {was, path} & named or (folders and (path or was).startswith(folders))
        for pair in judging.judge(was, old.get(was), path, new.get(path))
    ]
    return Graphs(tuple(sorted(pairs, key=lambda pair: (pair.document, pair.tenant or ""))), unread)


Documents = Mapping[str, Document[GraphModel]]


def _documents(side: Opened, found: set[str], named: set[str]) -> tuple[Documents, tuple[Finding, ...]]:
    graphs: dict[str, Document[GraphModel]] = {}
    unread: list[Finding] = []
    for path in sorted(found | named):
        data = side.load(path)
        if data is None:
            continue
        document, findings = read(data, path)
        if document is None:
            unread += findings
        elif holds(document, GraphModel):
            graphs[path] = document
    return graphs, tuple(unread)


def _paired(old: Documents, new: Documents, judging: _Judging) -> Iterator[tuple[str, str]]:
    """A graph is the same that has the same path; of the others, the one that means the same or has its name."""
    yield from ((path, path) for path in sorted(old.keys() & new.keys()))
    left, right = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    for key in (judging.meaning, judging.name):
        before = _unique({path: key(old[path], is_new=False) for path in left})
        after = _unique({path: key(new[path], is_new=True) for path in right})
        for what in sorted(before.keys() & after.keys()):
            yield before[what], after[what]
            left.remove(before[what])
            right.remove(after[what])
    yield from ((path, "") for path in left)
    yield from (("", path) for path in right)


def _unique(by_path: Mapping[str, str]) -> dict[str, str]:
    """The paths by what only one of them has."""
    values = list(by_path.values())
    return {value: path for path, value in by_path.items() if value and values.count(value) == 1}


class _Judging:
    """Links and judges graphs under what holds on either side."""

    def __init__(self, base: Opened, head: Opened, today: date) -> None:
        self._base, self._head, self._today = base, head, today
        self._linked: dict[tuple[str, bool, bool], LinkedGraph | None] = {}
        one, other = base.governance.registry, head.governance.registry
        self._one_registry = one is not None and other is not None and _same_registry(one, other)
        policies = [{policy.digest for policy in side.policies} for side in (base, head)]
        self._one_rule = policies[0] == policies[1] and _limits(base) == _limits(head)

    def meaning(self, document: Document[GraphModel], *, is_new: bool) -> str:
        """Return a digest of what a graph says but for its name, "" where it cannot be linked."""
        graph = self._link(document, of_head=is_new, under_head=is_new)
        return "" if graph is None else digest({**graph_meaning(graph), "name": "", "version": ""})

    def name(self, document: Document[GraphModel], *, is_new: bool) -> str:
        """Return what a graph is called."""
        del is_new
        return document.model.name

    def judge(
        self, was: str, old: Document[GraphModel] | None, path: str, new: Document[GraphModel] | None
    ) -> Iterator[Pair]:
        """Yield a pair for each tenant that either side knows."""
        before = old and self._link(old, of_head=False, under_head=False)
        after = new and self._link(new, of_head=True, under_head=True)
        for tenant in _tenants(self._base, self._head):
            elsewhere = Elsewhere(
                tuple(self._elsewhere(new, after, tenant, of_head=True)),
                tuple(self._elsewhere(old, before, tenant, of_head=False)),
            )
            one, other = self._admit(before, self._base, tenant), self._admit(after, self._head, tenant)
            yield Pair(was, path, tenant, one, other, elsewhere)

    def _elsewhere(
        self, document: Document[GraphModel] | None, graph: LinkedGraph | None, tenant: str | None, *, of_head: bool
    ) -> Iterator[Admission]:
        """Judge a graph by the other side's policies: as it is, and as that side's registry would have it."""
        other = self._base if of_head else self._head
        if document is None or graph is None or (self._one_registry and self._one_rule):
            return
        graphs = [graph]
        if not self._one_registry and (there := self._link(document, of_head=of_head, under_head=not of_head)):
            graphs.append(there)
        for one in graphs:
            admission = self._admit(one, other, tenant)
            if admission is not None:
                yield admission

    def _link(self, document: Document[GraphModel], *, of_head: bool, under_head: bool) -> LinkedGraph | None:
        """Link a graph of one side, whose files it reads, under a registry."""
        key = (document.path, of_head, under_head)
        if key not in self._linked:
            side, under = self._head if of_head else self._base, self._head if under_head else self._base
            registry, project = under.governance.registry, side.project
            self._linked[key] = registry and link(document, registry, project.loader, project.memo)[0]
        return self._linked[key]

    def _admit(self, graph: LinkedGraph | None, side: Opened, tenant: str | None) -> Admission | None:
        if graph is None:
            return None
        limits, premises = side.project.settings.limits, premises_of(side.project)
        return admit(graph, side.policies, tenant=tenant, limits=limits, today=self._today, premises=premises)


def _same_registry(one: Registry, other: Registry) -> bool:
    return digest(registry_meaning(one)) == digest(registry_meaning(other))


def _limits(side: Opened) -> Budget:
    return side.project.settings.limits


def _tenants(base: Opened, head: Opened) -> tuple[str | None, ...]:
    """The tenant that is named, on each side its own, else each that the policies of either side list."""
    found: set[str | None] = set()
    for side in (base, head):
        named = side.project.settings.tenant.value
        policies: Sequence[Policy] = side.policies
        listed = served_tenants(policies) if any(policy.tenants is not None for policy in policies) else (None,)
        found.update((named,) if named else listed)
    return tuple(sorted(found, key=lambda tenant: tenant or ""))
