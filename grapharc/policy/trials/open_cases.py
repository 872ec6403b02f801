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
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json, Path
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
    opening = _Opening(document, registry, policies, loader, memo, any_kind)
    trials = [trial for index, case in document.model.case.items() if (trial := opening.trial(index, case)) is not None]
    return tuple(trials), tuple(opening.faults.found)


class _Opening:
    """What cases are opened with, and the faults on the way."""

    def __init__(
        self,
        document: Document[CasesModel],
        registry: Registry,
        policies: Sequence[Policy],
        loader: Loader,
        memo: Memo,
        any_kind: bool,
    ) -> None:
        self._document, self._registry, self._loader, self._memo = document, registry, loader, memo
        self._rules = sorted({rule.id for policy in policies for rule in policy.rules})
        self._kinds = _kinds(document.model.case.values(), registry, any_kind)
        self._graphs: dict[str, LinkedGraph] = {}
        self.faults = Faults(document.path)

    def trial(self, index: int, case: CaseModel) -> Trial | None:
        path: Path = ("case", index)
        before = len(self.faults.found)
        self._check(path, case)
        question = self._question(path, case) if len(self.faults.found) == before else None
        if question is None:
            return None
        findings = tuple((each.code, each.rule) for each in case.findings.values())
        written = self._document.text.value
        says = isinstance(written, Mapping) and "findings" in _row(written, index)
        right = Expectation(case.expect, case.rule, case.default, case.role, findings if says else None)
        return Trial(case.name, question, right, self.faults.place((*path, "name")))

    def _question(self, path: Path, case: CaseModel) -> Question | None:
        if case.request is not None:
            model = case.request
            if model.tenant is None and case.tenant is not None:
                model = replace(model, tenant=case.tenant)
            return open_request(model, self._kinds, (*path, "request"), self.faults, case.name)
        graph = self._graph((*path, "graph"), case.graph)
        return None if graph is None else WholeGraph(graph, case.tenant)

    def _graph(self, path: Path, written: Json) -> LinkedGraph | None:
        """Link the graph at a path, each file once, or one that is written out in place."""
        if not isinstance(written, str):
            # It counts as written beside the tests, from where it names others.
            beside = f"{self._document.path}#{path[1]}.json"
            return self._link(read_graph(json.dumps(written).encode(), beside)[0])
        loaded = load_named(written, path, self._loader, self.faults)
        if loaded is None:
            return None
        if loaded[0] not in self._graphs:
            document = document_read(loaded, path, read_graph, self.faults)
            if document is None:
                return None
            self._graphs[loaded[0]] = self._link(document)
        return self._graphs[loaded[0]]

    def _link(self, document: Document[GraphModel]) -> LinkedGraph:
        return link(document, self._registry, self._loader, self._memo)[0]

    def _check(self, path: Path, case: CaseModel) -> None:
        add, damaged = self.faults.add, self._document.is_damaged
        if (case.request is None) == (case.graph is None):
            if not (damaged((*path, "request")) or damaged((*path, "graph"))):
                add("case_asks_nothing", path, subject=case.name)
            return
        known, what = (_TO_REQUESTS, "a request") if case.request is not None else (_OF_GRAPHS, "a graph")
        if case.expect not in known:
            values = {"value": case.expect, "what": what, "known": known}
            add("expectation_does_not_fit", (*path, "expect"), values, subject=case.name)
        if case.rule is not None and case.rule not in self._rules:
            values = {"rule": case.rule, "suggestion": suggest(case.rule, self._rules)}
            add("no_such_rule", (*path, "rule"), values, subject=case.name)
        for number, each in case.findings.items():
            if each.code not in reasons():
                values = {"suggestion": suggest(each.code, reasons())}
                add("unknown_code", (*path, "findings", number), values, subject=each.code)
            if each.rule is not None and each.rule not in self._rules:
                values = {"rule": each.rule, "suggestion": suggest(each.rule, self._rules)}
                add("no_such_rule", (*path, "findings", number, "rule"), values, subject=case.name)


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


def _row(document: Mapping[str, Json], index: int) -> Mapping[str, Json]:
    rows = document.get("case")
    row = rows[index] if isinstance(rows, list) and index < len(rows) else None
    return row if isinstance(row, Mapping) else {}
