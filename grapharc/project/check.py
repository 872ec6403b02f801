"""Paths go in, a report comes out: every document is read, linked and judged, and nothing is run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property

from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.policy.owner.tenants import served_tenants
from grapharc.project.baseline import Baseline
from grapharc.project.belonging import Belonging
from grapharc.project.choice import EVERYTHING, Choice
from grapharc.project.errors import CannotStart
from grapharc.project.extent import Extent
from grapharc.project.gathered import Found, Gathered, news
from grapharc.project.governance import Governance, open_governance
from grapharc.project.models import absent_replies
from grapharc.project.opening import Lost, Project, load_asked, open_project
from grapharc.project.paths import Wanted, wanted
from grapharc.project.premises import premises_of
from grapharc.project.report import Looked, Report, judged
from grapharc.project.repository import way_from_repository
from grapharc.project.settings import NO_FLAGS, Flags
from grapharc.project.settle import Terms, settle
from grapharc.project.severities import faults_of_severities, unmatched_overrides
from grapharc.spec.document import Document
from grapharc.spec.documents.approvals import ApprovalsModel
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.documents.test import CasesModel
from grapharc.spec.finding import Finding, Place
from grapharc.spec.in_order import in_order
from grapharc.spec.link.link import link
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.read import AnyModel, holds, read
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import reason
from grapharc.spec.registry.manifest import open_manifest
from grapharc.spec.registry.open_registry import open_registry
from grapharc.spec.reserved import Premises


def check(*paths: str | os.PathLike[str], flags: Flags = NO_FLAGS) -> Report:
    """Check documents of any kind, or folders of them, or what grapharc.toml names, as ``grapharc check`` does.

    ``flags`` say what to use instead of what grapharc.toml names. Nothing is run, and nothing that a document names is
    imported. Raises CannotStart where there is nothing to check.
    """
    asked = [os.fspath(path) for path in paths]
    project = open_project(flags, asked, os.environ)
    try:
        return check_documents(project, wanted(project, asked), date.today())
    finally:
        project.close()


def check_documents(
    project: Project,
    asked: Wanted,
    today: date,
    *,
    baseline: Baseline | None = None,
    choice: Choice = EVERYTHING,
    jobs: int | None = 1,
) -> Report:
    """Check documents and what they need of the project. Raises CannotStart for a named one that cannot be read.

    ``today`` decides which suppressions have expired, and nothing else. Many documents are checked side by side, in up
    to ``jobs`` processes, as many as there are cores with None; the report says the same, without whole admissions.
    """
    if baseline is not None:
        from grapharc.project.accepting import refuse_document  # few checks have one

        refuse_document(baseline, asked.named, project.loader)
    checking = _Checking(project, Terms(today, baseline, choice, project.settings.levels))
    paths = [(path, True) for path in sorted(set(asked.named))] + [(path, False) for path in sorted(set(asked.found))]
    _look(checking, paths, jobs)
    if asked.folders and not (checking.found.ours or asked.named):
        folders = ", ".join(f"'{folder}'" for folder in asked.folders)
        raise CannotStart(f"there is nothing to check: no document of ours stands in {folders}")
    if asked.whole:
        checking.look_around()
    return checking.report(asked.findings, whole=asked.whole)


_LEAST_APART = 40
"""Fewer documents than so many are not worth a process of their own."""


def _look(checking: _Checking, paths: Sequence[tuple[str, bool]], jobs: int | None) -> None:
    """Look at documents, which are named or found, side by side where there are many."""
    if jobs != 1 and len(paths) > _LEAST_APART:
        from grapharc.project.processes import cores, in_processes

        count = min(cores() if jobs is None else jobs, len(paths) // _LEAST_APART + 1)
        if count > 1 and cores():
            checking.prepare()
            pieces = [paths[len(paths) * n // count : len(paths) * (n + 1) // count] for n in range(count)]
            for piece, gathered in zip(pieces, in_processes(checking.gather, pieces), strict=True):
                if gathered is None:
                    checking.look(piece)
                else:
                    checking.take(gathered)
            return
    checking.look(paths)


_GOVERNED = ("graph", "policy", "test")
"""Kinds of documents of which a project's registry and policies decide what is said."""


class _Checking:
    """One check: collects what is found. The registry and the policies are opened when the first graph needs them."""

    def __init__(self, project: Project, terms: Terms) -> None:
        self._project, self._terms = project, terms
        self._belonging = Belonging(project)
        self._opened: Governance | None = None
        self.found = Found(findings=list(project.findings))
        if project.document:
            self.found.documents[project.document.path] = "project"
            self.found.texts[project.document.path] = project.document.text
            self.found.findings += faults_of_severities(project.document)

    def look(self, paths: Iterable[tuple[str, bool]]) -> None:
        """Look at documents that were named, and into files that were found."""
        for path, is_named in paths:
            if is_named:
                self.look_at(path)
            else:
                self.found.ours += self.look_into(path)

    def prepare(self) -> None:
        """Open what every graph needs, once for all processes."""
        self._opened = open_governance(self._project)

    def gather(self, paths: Sequence[tuple[str, bool]]) -> Gathered:
        """Look at documents in a process of its own, and return what it found."""
        memo = self._project.memo
        before = {room: len(table) for room, table in memo.tables.items()}
        self.look(paths)
        known = news(memo.tables, before) if memo.changed else {}
        return self.found.gathered(self._project.loader.disk.seen, known)

    def take(self, gathered: Gathered) -> None:
        """Take over what another process found."""
        self.found.take(gathered)
        self._project.loader.disk.take_over(gathered.seen)
        for room, table in gathered.known.items():
            for text, value in table.items():
                self._project.memo.put(room, text, value)

    def look_at(self, path: str) -> None:
        """Check a document that was named, whatever it is."""
        if self.found.documents.get(path) == "project":
            return
        self.found.documents.setdefault(path, None)
        loaded = load_asked(self._project.loader, path)
        if isinstance(loaded, Lost):
            self.found.findings += loaded.findings
            return
        document, findings = read(loaded.data, path)
        if document is None:
            self.found.findings += findings
            self.found.texts[path] = read_text(loaded.data, path)[0]
        else:
            self._check(document, findings)

    def look_into(self, path: str) -> bool:
        """Check a file that stands in a folder that was named, if it is a document of ours; tell whether it is."""
        try:
            data = self._project.loader.load(path)
        except (OutsideProject, Unreadable):
            self.found.unread.add(path)
            return False
        document, findings = read(data, path)
        if document is not None:
            self._check(document, findings)
        elif self._terms.baseline is not None and not read_text(data, path)[0].complete:
            self.found.unread.add(path)
        return document is not None

    def look_around(self) -> None:
        """Check the registry and the policies of the project, whether a graph needs them or not."""
        for policy in self._governance.policies:
            self._lint(policy)

    def report(self, more: Sequence[Finding], *, whole: bool) -> Report:
        """Put together what was found, and what was found before, and settle what counts."""
        project, found, texts = self._project, self.found, self.found.texts
        if whole and project.document:
            found.findings += unmatched_overrides(project.document, sorted(found.read.union(texts)))
        findings = in_order([*found.findings, *more], texts)
        judged_whole, unread = found.judged_whole(findings), frozenset(found.unread)
        extent = Extent(frozenset(found.documents), judged_whole, unread, whole)
        settled = settle(findings, texts, self._terms, extent)
        if self._terms.baseline is not None:
            texts[self._terms.baseline.path] = self._terms.baseline.text
        return Report(
            documents=tuple(Looked(path, kind) for path, kind in sorted(found.documents.items())),
            findings=settled.findings,
            texts=texts,
            admissions=tuple(found.admissions),
            judged=tuple(found.judged),
            settings=project.settings,
            layers=found.layers,
            accepted=settled.accepted,
            fingerprints=settled.fingerprints,
            way=way_from_repository(project.loader.root, project.loader.disk),
            extent=extent,
        )

    def _check(self, document: Document[AnyModel], findings: Sequence[Finding]) -> None:
        self.found.documents[document.path] = document.kind
        self.found.texts[document.path] = document.text
        self.found.findings += findings
        if document.kind in _GOVERNED and (other := self._belonging.other(document.path)):
            self.found.findings.append(Finding("project_not_in_force", Place(document.path), {"project": other}))
            self.found.unsound.add(document.path)
        elif holds(document, GraphModel):
            self._judge(document, self._governance)
        elif holds(document, PolicyModel):
            self._lint(open_policy(document, self._project.memo))
        elif holds(document, CasesModel):
            self._open_cases(document)
        elif holds(document, RegistryModel):
            registry, faults = open_registry(document, self._project.loader, self._project.memo)
            self.found.findings += (*faults, *absent_replies(registry, self._project.loader))
            self.found.texts |= registry.texts
        elif holds(document, ApprovalsModel):
            from grapharc.project.gate.approvals import faults_of_approvals  # few check approvals by themselves

            self.found.findings += faults_of_approvals(document)
        elif holds(document, ManifestModel):
            self.found.findings += open_manifest(document, self._project.memo).findings

    def _judge(self, document: Document[GraphModel], governance: Governance) -> None:
        """Link and judge a graph, for the tenant that is named, else for each that the policies list."""
        if governance.registry is None:
            return
        graph, _ = link(document, governance.registry, self._project.loader, self._project.memo)
        settings, policies = self._project.settings, governance.policies
        today, premises = self._terms.today, self._premises
        listed = served_tenants(policies) if any(policy.tenants is not None for policy in policies) else (None,)
        for tenant in (settings.tenant.value,) if settings.tenant.value else listed:
            admission = admit(graph, policies, tenant=tenant, limits=settings.limits, today=today, premises=premises)
            findings = (*admission.findings, *admission.suppressed)
            self.found.findings += findings
            if any(reason(finding.code).reason_class == "soundness" for finding in findings):
                self.found.unsound.add(document.path)
            self.found.texts |= admission.texts
            self.found.admissions.append(admission)
            self.found.judged.append(judged(admission))

    def _open_cases(self, document: Document[CasesModel]) -> None:
        """Look for what is wrong with policy tests; they are not tried here."""
        from grapharc.project.policy_tests import Opening

        opening = Opening(self._project)
        opening.open(document)
        report = opening.report()
        self.found.documents |= {looked.path: looked.kind for looked in report.documents}
        self.found.findings += report.findings
        self.found.texts |= report.texts

    def _lint(self, policy: Policy) -> None:
        """Look for what is wrong with a policy, over the kinds of the registry where one is named."""
        if policy.path in self.found.linted:
            return
        from grapharc.policy.lint.lint import lint  # checking graphs alone does not wait for it

        self.found.linted.add(policy.path)
        registry = None if self._project.settings.registry.value is None else self._governance.registry
        self.found.findings += (*policy.findings, *lint(policy, registry))

    @cached_property
    def _premises(self) -> Premises:
        return premises_of(self._project)

    @cached_property
    def _governance(self) -> Governance:
        governance = self._opened or open_governance(self._project)
        self.found.documents |= governance.documents
        self.found.findings += governance.findings
        self.found.texts |= governance.texts
        self.found.layers = governance.layers
        return governance
