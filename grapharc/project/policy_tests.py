"""Paths go in; every policy test document there is opened and tried, and what came of it comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.coverage import Coverage, coverage
from grapharc.policy.trials.open_cases import open_cases
from grapharc.policy.trials.survivors import Survivors, survivors
from grapharc.policy.trials.trial import Court, Outcome, Trial, differences
from grapharc.project.errors import CannotStart
from grapharc.project.governance import Governance, open_governance
from grapharc.project.opening import Lost, Project, load_asked
from grapharc.project.premises import premises_of
from grapharc.project.report import Looked, Report, is_error
from grapharc.spec.document import Document, DocumentKind, Text
from grapharc.spec.documents.test import CasesModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.in_order import in_order
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.named import document_read, load_named
from grapharc.spec.offers import Registry
from grapharc.spec.read import holds, read, read_policy, read_registry
from grapharc.spec.registry.open_registry import open_registry
from grapharc.spec.reserved import Premises


@frozen
class Tried:
    """One case and what came of it; ``differences`` say in words what is not as expected."""

    trial: Trial
    outcome: Outcome
    differences: tuple[str, ...]


@frozen
class Suite:
    """The cases of one document, with the policies and the registry that they are about."""

    path: str
    policies: tuple[Policy, ...]
    registry: Registry
    trials: tuple[Trial, ...]
    tried: tuple[Tried, ...]


@frozen
class Group:
    """All suites about the same policies and registry: what they cover together, and what none of them notices."""

    policies: tuple[Policy, ...]
    suites: tuple[Suite, ...]
    coverage: Coverage
    survivors: Survivors | None
    failing: int = 0
    """How many cases fail, where mutants were asked for: only cases that pass tell a broken policy from a sound one."""


@frozen
class Results:
    """What came of all. ``report`` has what is wrong with the documents; where that is an error, nothing was tried."""

    report: Report
    groups: tuple[Group, ...]

    @property
    def tried(self) -> Iterator[Tried]:
        """Every case that was tried."""
        return (tried for group in self.groups for suite in group.suites for tried in suite.tried)


def try_policies(project: Project, asked: Sequence[str], today: date, *, mutate: bool) -> Results:
    """Try every case of the documents asked for, of the folders, else of the whole project.

    Raises CannotStart where there is no policy test document, or where one that is named cannot be read.
    """
    testing = Opening(project)
    for document in _documents(project, asked, testing):
        testing.open(document)
    report = testing.report()
    if report.is_refused:
        return Results(report, ())
    premises = premises_of(project)
    suites = [_try(suite, today, premises) for suite in testing.suites]
    return Results(report, tuple(_groups(suites, today, premises, mutate)))


def has_tests(project: Project) -> bool:
    """Tell whether a policy test document stands in the project."""
    return any(True for path in _paths(project, ()) if _is_test(project, path))


def _is_test(project: Project, path: str) -> bool:
    try:
        return _found(project, path) is not None
    except (OutsideProject, Unreadable):
        return False


class Opening:
    """Opens documents; the project's registry and policies when the first document needs them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.suites: list[Suite] = []
        self._findings: list[Finding] = [*project.findings]
        self._texts: dict[str, Text] = {}
        self._kinds: dict[str, DocumentKind | None] = {}
        if project.document is not None:
            self._note(project.document.text, "project")

    def open(self, document: Document[CasesModel]) -> None:
        """Open one document: its policies, its registry, its cases."""
        self._note(document.text, "test")
        faults = Faults(document.path)
        policies = self._policies(document, faults)
        registry = self._registry(document, faults)
        self._findings += (*document.findings, *faults.found)
        if registry is None:
            return
        any_kind = document.model.registry is None and self._project.settings.registry.value is None
        trials, found = open_cases(
            document, registry, policies, self._project.loader, self._project.memo, any_kind=any_kind
        )
        self._findings += found
        self.suites.append(Suite(document.path, policies, registry, trials, ()))

    def lose(self, findings: Iterable[Finding], text: Text | None = None) -> None:
        """Note what is wrong with a document that cannot be opened."""
        self._findings += findings
        if text is not None:
            self._note(text, None)

    def report(self) -> Report:
        """Return what is wrong with what was opened."""
        documents = tuple(Looked(path, kind) for path, kind in sorted(self._kinds.items()))
        return Report(documents, in_order(self._findings, self._texts), self._texts, (), self._project.settings)

    def _policies(self, document: Document[CasesModel], faults: Faults) -> tuple[Policy, ...]:
        if not document.model.policy:
            return self._governance.policies or (builtin_policy(),)
        found: dict[str, Policy] = {}
        for number, reference in enumerate(document.model.policy):
            path = ("policy", number)
            loaded = load_named(reference, path, self._project.loader, faults)
            read_one = None if loaded is None else document_read(loaded, path, read_policy, faults)
            if read_one is not None:
                policy = open_policy(read_one, self._project.memo)
                found.setdefault(policy.path, policy)
                self._note(policy.text, "policy")
                faults.found += policy.findings
        return tuple(found.values())

    def _registry(self, document: Document[CasesModel], faults: Faults) -> Registry | None:
        if document.model.registry is None:
            return self._governance.registry
        path = ("registry",)
        loaded = load_named(document.model.registry, path, self._project.loader, faults)
        selection = None if loaded is None else document_read(loaded, path, read_registry, faults)
        if selection is None:
            return None
        self._note(selection.text, "registry")
        registry, _ = open_registry(selection, self._project.loader, self._project.memo)
        self._texts |= registry.texts
        faults.found += registry.findings
        return registry

    def _note(self, text: Text, kind: DocumentKind | None) -> None:
        self._texts[text.source.path], self._kinds[text.source.path] = text, kind

    @cached_property
    def _governance(self) -> Governance:
        governance = open_governance(self._project)
        self._findings += governance.findings
        self._texts |= governance.texts
        self._kinds |= governance.documents
        return governance


def _documents(project: Project, asked: Sequence[str], testing: Opening) -> Iterator[Document[CasesModel]]:
    found = 0
    for path, is_named in sorted(_paths(project, asked).items()):
        try:
            document = _named(project, path, testing) if is_named else _found(project, path)
        except (OutsideProject, Unreadable):
            continue
        if is_named or document is not None:
            found += 1
        if document is not None:
            yield document
    if not found:
        raise CannotStart(
            "there is nothing to test: no document with a [[case]] stands here",
            "write cases beside the policy: docs/testing_policies.md shows how",
        )


def _paths(project: Project, asked: Sequence[str]) -> Mapping[str, bool]:
    """Each file to look at, and whether somebody named it."""
    import os

    loader = project.loader
    folders = [path for path in asked if os.path.isdir(path)] if asked else [loader.root]
    found = {loader.path_of(path): False for folder in folders for path in loader.disk.beneath(folder)}
    return {**found, **{loader.path_of(path): True for path in asked if not os.path.isdir(path)}}


def _named(project: Project, path: str, testing: Opening) -> Document[CasesModel] | None:
    loaded = load_asked(project.loader, path)
    if isinstance(loaded, Lost):
        testing.lose(loaded.findings)
        return None
    document, findings = read(loaded.data, path)
    if document is None:
        testing.lose(findings)
        return None
    if not holds(document, CasesModel):
        raise CannotStart(f"'{path}' is a {document.kind}, and only policy tests can be run", "they hold a [[case]]")
    return document


def _found(project: Project, path: str) -> Document[CasesModel] | None:
    document, _ = read(project.loader.load(path), path)
    return document if document is not None and holds(document, CasesModel) else None


def _try(suite: Suite, today: date, premises: Premises) -> Suite:
    court = Court(suite.policies, suite.registry.offers, today, premises)
    tried: list[Tried] = []
    for trial in suite.trials:
        outcome = court.ask(trial.question)
        tried.append(Tried(trial, outcome, differences(trial, outcome)))
    return Suite(suite.path, suite.policies, suite.registry, suite.trials, tuple(tried))


def _groups(suites: Sequence[Suite], today: date, premises: Premises, mutate: bool) -> Iterator[Group]:
    grouped: dict[tuple[object, ...], list[Suite]] = {}
    for suite in suites:
        paths = (*(policy.path for policy in suite.policies), "", *sorted(suite.registry.texts))
        grouped.setdefault(paths, []).append(suite)
    for group in grouped.values():
        policies, offers = group[0].policies, group[0].registry.offers
        trials = [trial for suite in group for trial in suite.trials]
        covered = coverage(policies, (tried.outcome for suite in group for tried in suite.tried))
        failing = sum(bool(tried.differences) for suite in group for tried in suite.tried)
        broken = survivors(policies, trials, offers, today, premises) if mutate and not failing else None
        yield Group(policies, tuple(group), covered, broken, failing if mutate else 0)


def is_passed(tests: Results) -> bool:
    """Tell whether nothing is wrong with the documents, and every case came out as expected."""
    return not any(map(is_error, tests.report.findings)) and not any(tried.differences for tried in tests.tried)
