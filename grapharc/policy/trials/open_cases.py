"""A policy test document, a registry and policies go in; cases ready to be tried come out, with every fault in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.open_request import Kinds, open_request
from grapharc.policy.trials.question import Question, WholeGraph, nameless_kind
from grapharc.policy.trials.trial import Expectation, Trial
from grapharc.spec.document import Document
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.test import CaseModel, CasesModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Json, Path, value_at
from grapharc.spec.link.link import link
from grapharc.spec.linked import END, START, LinkedGraph
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.named import document_read, load_named
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph
from grapharc.spec.reasons import reasons
from grapharc.spec.suggest import suggest

_TO_REQUESTS = ("allow", "ask", "deny")
_OF_GRAPHS = ("admitted", "needs_approval", "refused")


def open_cases(
    document: Document[CasesModel],
    registry: Registry,
    policies: Sequence[Policy],
    loader: Loader,
    memo: Memo,
    *,
    any_kind: bool,
) -> tuple[tuple[Trial, ...], tuple[Finding, ...]]:
    """Open each case: find its kinds, link its graph. With ``any_kind`` one that no registry offers is only a name."""
    rules = sorted({rule.id for policy in policies for rule in policy.rules})
    kinds = _kinds(document.model.case.values(), registry, any_kind)
    opening = _Opening(document, registry, rules, kinds, loader, memo, Faults(document.path))
    trials = [trial for index, case in document.model.case.items() if (trial := opening.trial(index, case)) is not None]
    return tuple(trials), tuple(opening.faults.found)


@frozen
class _Opening:
    """What cases are opened with, the faults on the way, and the graphs that were linked, by path."""

    document: Document[CasesModel]
    registry: Registry
    rules: Sequence[str]
    kinds: Kinds
    loader: Loader
    memo: Memo
    faults: Faults
    graphs: dict[str, LinkedGraph] = field(default_factory=dict[str, LinkedGraph])

    def trial(self, index: int, case: CaseModel) -> Trial | None:
        path: Path = ("case", index)
        before = len(self.faults.found)
        self._check(path, case)
        question = self._question(path, case) if len(self.faults.found) == before else None
        if question is None:
            return None
        findings = tuple((each.code, each.rule) for each in case.findings.values())
        row = value_at(self.document.text.value, path)
        says = isinstance(row, Mapping) and "findings" in row
        right = Expectation(case.expect, case.rule, case.default, case.role, findings if says else None)
        return Trial(case.name, question, right, self.faults.place((*path, "name")))

    def _question(self, path: Path, case: CaseModel) -> Question | None:
        if case.request is not None:
            model = case.request
            if model.tenant is None and case.tenant is not None:
                model = replace(model, tenant=case.tenant)
            return open_request(model, self.kinds, (*path, "request"), self.faults, case.name)
        graph = self._graph((*path, "graph"), case.graph)
        return None if graph is None else WholeGraph(graph, case.tenant)

    def _graph(self, path: Path, written: Json) -> LinkedGraph | None:
        """Link the graph at a path, each file once, or one that is written out in place."""
        if not isinstance(written, str):
            # It counts as written beside the tests, from where it names others.
            beside = f"{self.document.path}#{path[1]}.json"
            return self._link(read_graph(json.dumps(written).encode(), beside)[0])
        loaded = load_named(written, path, self.loader, self.faults)
        if loaded is None:
            return None
        if loaded[0] not in self.graphs:
            document = document_read(loaded, path, read_graph, self.faults)
            if document is None:
                return None
            self.graphs[loaded[0]] = self._link(document)
        return self.graphs[loaded[0]]

    def _link(self, document: Document[GraphModel]) -> LinkedGraph:
        return link(document, self.registry, self.loader, self.memo)[0]

    def _check(self, path: Path, case: CaseModel) -> None:
        add, damaged = self.faults.add, self.document.is_damaged
        if (case.request is None) == (case.graph is None):
            if not (damaged((*path, "request")) or damaged((*path, "graph"))):
                add("case_asks_nothing", path, subject=case.name)
            return
        known, what = (_TO_REQUESTS, "a request") if case.request is not None else (_OF_GRAPHS, "a graph")
        if case.expect not in known:
            values = {"value": case.expect, "what": what, "known": known}
            add("expectation_does_not_fit", (*path, "expect"), values, subject=case.name)
        self._check_rule((*path, "rule"), case.rule, case.name)
        for number, each in case.findings.items():
            if each.code not in reasons():
                values = {"suggestion": suggest(each.code, reasons())}
                add("unknown_code", (*path, "findings", number), values, subject=each.code)
            self._check_rule((*path, "findings", number, "rule"), each.rule, case.name)

    def _check_rule(self, path: Path, rule: str | None, case: str) -> None:
        if rule is not None and rule not in self.rules:
            values = {"rule": rule, "suggestion": suggest(rule, self.rules)}
            self.faults.add("no_such_rule", path, values, subject=case)


def _kinds(cases: Iterable[CaseModel], registry: Registry, any_kind: bool) -> Kinds:
    """The kinds that requests can be about."""
    if not any_kind:
        return registry.offers
    found = dict(registry.offers)
    for case in cases:
        model = case.request
        for name in () if model is None else (model.kind, model.source, model.target, *model.via):
            if name is not None and name not in found and name not in (START, END):
                found[name] = nameless_kind(name)
    return found
