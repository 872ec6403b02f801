"""Two open states of a project go in; every change between them, and whether somebody agreed to it, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from grapharc.policy.admission import Admission
from grapharc.policy.diff.both import About
from grapharc.policy.diff.change import Change, change_digest
from grapharc.policy.diff.diff import GraphDiff, diff
from grapharc.policy.diff.policies import policy_changes
from grapharc.policy.diff.registry import registry_changes
from grapharc.policy.diff.settings import settings_changes
from grapharc.policy.diff.words import order, say
from grapharc.project.disk import Disk
from grapharc.project.errors import CannotStart
from grapharc.project.gate.acceptances import approval_changes, baseline_changes, suppression_changes
from grapharc.project.gate.approvals import Counting, Source, count, faults_of_approvals, findings_of
from grapharc.project.gate.fail_on import FailOn
from grapharc.project.gate.graphs import Pair, pair_graphs
from grapharc.project.gate.opened import APPROVALS_FILE, Opened
from grapharc.project.gate.replies import replies_changes
from grapharc.project.gate.report import Fate, GateReport, GraphPair, Told
from grapharc.project.report import is_error
from grapharc.project.repository import way_from_repository
from grapharc.project.settings import PROJECT_FILE
from grapharc.spec.document import Text
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.finding import Finding, Place, Step
from grapharc.spec.frozen import frozen
from grapharc.spec.in_order import in_order
from grapharc.spec.loader import OutsideProject
from grapharc.spec.read import holds, read


@frozen
class GateRequest:
    """What a gate is asked: which graphs (none: all), what fails it, whose approvals count, what day it is, and which
    baselines are compared."""

    wanted: tuple[str, ...]
    fail_on: FailOn
    words: tuple[str, ...]
    approvals_from: Source
    today: date
    baselines: tuple[str, ...] = ()


def compare(base: Opened, head: Opened, asked: GateRequest) -> GateReport:
    """Compare two states of a project. Raises CannotStart where neither has a graph that was asked for."""
    graphs = pair_graphs(base, head, asked.wanted, asked.today)
    for path in asked.wanted:
        if not path.endswith("/") and base.load(path) is None and head.load(path) is None:
            raise CannotStart(f"'{path}' is there in neither of '{base.name}' and '{head.name}'")
    diffs = [(pair, diff(pair.old, pair.new, pair.elsewhere)) for pair in graphs.pairs]
    found = [*_of_project(base, head), *_of_acceptances(base, head, asked, graphs.pairs), *_of_graphs(diffs)]
    needed = {told.digest: told.document for told in found if asked.fail_on.wants(told.change)}
    counting = count(base.approvals, head.approvals, needed, asked.approvals_from, asked.today)
    changes = tuple(_settled(told, needed, counting, found) for told in found)
    texts = _texts(base, head, graphs.pairs)
    findings = [*_head_findings(head, graphs.pairs), *graphs.unread, *_approvals(head, counting)]
    findings += [_finding(told, texts) for told in changes if told.fate == "fails"]
    return GateReport(
        base=(base.name, base.commit),
        head=(head.name, head.commit),
        graphs=tuple(_pairs(diffs)),
        changes=changes,
        approvals=counting.approvals,
        fail_on=asked.words,
        findings=in_order(findings, texts),
        texts=texts,
        spent=counting.spent,
        way=way_from_repository(head.project.loader.root, Disk()),
    )


def _of_graphs(diffs: Sequence[tuple[Pair, GraphDiff]]) -> Iterator[Told]:
    """The changes of each graph, those that are one for several tenants told once."""
    found: dict[tuple[str, str], tuple[Change, list[str]]] = {}
    for pair, difference in diffs:
        for change in (*_moved(pair), *difference.changes):
            kept = found.setdefault((pair.document, change_digest(pair.document, change)), (change, []))
            kept[1].extend([pair.tenant] if pair.tenant is not None else [])
    for (document, digest), (change, tenants) in sorted(found.items(), key=lambda one: (one[0][0], order(one[1][0]))):
        for_whom = tuple(tenants)
        yield Told(document, change, _for_tenants(digest, document, change, for_whom), for_whom, (), "told")


def _for_tenants(digest: str, document: str, change: Change, tenants: Sequence[str]) -> str:
    """An approval for some tenants is none for others."""
    return change_digest(f"{document} for {', '.join(tenants)}", change) if tenants else digest


def _moved(pair: Pair) -> Iterator[Change]:
    if pair.was and pair.path and pair.was != pair.path:
        values = {"subject": pair.path, "before": pair.was, "after": pair.path}
        yield Change("graph_path", "topology", "neutral", pair.path, pair.was, pair.path, values)


def _of_project(base: Opened, head: Opened) -> Iterator[Told]:
    """The changes of the documents that every graph is held to."""
    document = head.project.document or base.project.document
    path = document.path if document else PROJECT_FILE
    changes: list[Change] = [*settings_changes(base.model, head.model, path), *_named(base, head, path)]
    one, other = base.governance.registry, head.governance.registry
    if one is not None and other is not None:
        changes += registry_changes(one, other)
        changes += replies_changes(base, head, one, other)
    changes += policy_changes(base.policies, head.policies)
    for change in sorted(changes, key=order):
        where = change.place.document if change.place is not None else path
        yield Told(where, change, change_digest(where, change), (), (), "told")


def _named(base: Opened, head: Opened, path: str) -> Iterator[Change]:
    """Which graphs that are there on both sides only one of them names, and where its workspace leads by links."""
    one, other = (side.matching(side.model.grapharc.graphs) for side in (base, head))
    for graph in sorted(one ^ other):
        if _may_be_graph(base, graph) and _may_be_graph(head, graph):
            about = About("graph_named", "authority", graph, {}, Place(path, ("grapharc", "graphs")))
            yield about.change("widens" if graph in one else "narrows", graph in one, graph in other, earlier=False)
    if base.model.grapharc.workspace == head.model.grapharc.workspace is not None:
        before, after = _workspace(base), _workspace(head)
        if before != after:
            about = About("workspace", "authority", "workspace", {}, Place(path, ("grapharc", "workspace")))
            yield about.change("incomparable", before, after)


def _may_be_graph(side: Opened, path: str) -> bool:
    data = side.load(path)
    if data is None:
        return False
    document, _ = read(data, path)
    return document is None or holds(document, GraphModel)


def _workspace(side: Opened) -> str:
    """The folder that a project document names, links resolved."""
    named = side.model.grapharc.workspace or "."
    try:
        return side.project.loader.resolve(named, side.project.document.path if side.project.document else PROJECT_FILE)
    except OutsideProject:
        return f"{named}, outside the project"


def _of_acceptances(base: Opened, head: Opened, asked: GateRequest, pairs: Sequence[Pair]) -> Iterator[Told]:
    """The changes in what is accepted of findings, each in the document that accepts it."""
    changes = list(approval_changes(base, head))
    for path in asked.baselines:
        changes += baseline_changes(base, head, path)
    old, new = _texts_of(base, [pair.old for pair in pairs]), _texts_of(head, [pair.new for pair in pairs])
    moved = {pair.was: pair.path for pair in pairs if pair.was and pair.path}
    changes += suppression_changes({moved.get(path, path): text for path, text in old.items()}, new)
    for change in sorted(changes, key=order):
        where = change.place.document if change.place is not None else ""
        where = moved.get(where, where) if change.earlier else where
        yield Told(where, change, change_digest(where, change), (), (), "told")


def _settled(told: Told, needed: Mapping[str, str], counting: Counting, found: Sequence[Told]) -> Told:
    approval = counting.by_change.get(told.digest)
    fate: Fate = "told" if told.digest not in needed else "approved" if approval else "fails"
    graphs = tuple(sorted(set(_felt_in(told, found))))
    return Told(told.document, told.change, told.digest, told.tenants, graphs, fate, approval)


_FELT: Mapping[str, frozenset[str]] = {
    "policy": frozenset({"decision", "verdict", "approver"}),
    "policy_default": frozenset({"decision", "verdict"}),
    "policy_tenants": frozenset({"decision", "verdict"}),
    "rule": frozenset({"decision", "verdict", "approver"}),
    "limit": frozenset({"ceiling", "verdict"}),
    "project_budget": frozenset({"ceiling", "verdict"}),
    "role": frozenset({"model_reached"}),
}


def _felt_in(told: Told, found: Sequence[Told]) -> Iterator[str]:
    """The graphs that answer otherwise for what changed in a document that all are held to."""
    felt = _FELT.get(told.change.what, frozenset())
    return (other.document for other in found if other.change.what in felt)


def _head_findings(head: Opened, pairs: Sequence[Pair]) -> Iterator[Finding]:
    """What refuses the head's documents, of graphs only of those that are new, changed or were not refused before."""
    for finding in (*head.project.findings, *head.governance.findings):
        if is_error(finding):
            yield finding
    for pair in pairs:
        old, new = pair.old, pair.new
        if new is None or new.verdict != "refused":
            continue
        if old is None or old.verdict != "refused" or old.graph_digest != new.graph_digest:
            yield from (finding for finding in new.findings if is_error(finding))


def _approvals(head: Opened, counting: Counting) -> Iterator[Finding]:
    if head.approvals is not None:
        yield from head.approvals.findings
        yield from faults_of_approvals(head.approvals)
        yield from findings_of(APPROVALS_FILE, counting.approvals)


def _finding(told: Told, texts: Mapping[str, Text]) -> Finding:
    """Say of a change that somebody must agree to it, at the place that says it if that is still there."""
    change = told.change
    place = change.place if change.place is not None and not change.earlier else Place(told.document)
    place = place if place.document in texts else Place(told.document)
    values = {
        "says": say(change),
        "category": change.category,
        "direction": change.direction,
        "digest": told.digest,
        "tenants": told.tenants,
    }
    return Finding("unapproved_change", place, values, subject=change.subject, witness=tuple(map(Step, change.witness)))


def _texts(base: Opened, head: Opened, pairs: Sequence[Pair]) -> Mapping[str, Text]:
    """Every text that a finding may stand in, the head's before the base's."""
    old, new = _texts_of(base, [pair.old for pair in pairs]), _texts_of(head, [pair.new for pair in pairs])
    return {**old, **new}


def _texts_of(side: Opened, admissions: Sequence[Admission | None]) -> Mapping[str, Text]:
    texts = {**side.governance.texts}
    for document in (side.project.document, side.approvals):
        texts |= {document.path: document.text} if document is not None else {}
    for admission in admissions:
        texts |= admission.texts if admission is not None else {}
    return texts


def _pairs(diffs: Sequence[tuple[Pair, GraphDiff]]) -> Iterator[GraphPair]:
    seen: set[tuple[str, str]] = set()
    for pair, found in diffs:
        if (pair.was, pair.path) not in seen:
            seen.add((pair.was, pair.path))
            yield GraphPair(pair.was, pair.path, pair.old, pair.new, found.renamed, found.obstacles)
