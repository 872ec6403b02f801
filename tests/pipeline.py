"""The path of a document goes in; what reading, linking and judging it say comes out, as ``grapharc check`` would."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.lint.lint import lint
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.open_cases import open_cases
from grapharc.project.files import DiskLoader
from grapharc.project.gate.approvals import faults_of_approvals
from grapharc.project.report import Looked, Report
from grapharc.project.settle import Extent, Terms, settle
from grapharc.project.severities import faults_of_severities
from grapharc.spec.document import Document, DocumentKind, Text
from grapharc.spec.documents.approvals import ApprovalsModel
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.documents.test import CasesModel
from grapharc.spec.finding import Finding
from grapharc.spec.in_order import in_order
from grapharc.spec.link.link import link
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Registry
from grapharc.spec.read import holds, read, read_graph, read_policy, read_registry
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import reason
from grapharc.spec.registry.manifest import open_manifest
from grapharc.spec.registry.open_registry import open_registry

TODAY = date(2027, 1, 1)
MEMO = Memo()
"""What grammars and schemas said, kept for the whole session."""


def check(path: Path) -> Report:
    """Check one document with what stands beside it."""
    document, findings = read(path.read_bytes(), path.name)
    text = document.text if document else read_text(path.read_bytes(), path.name)[0]
    texts = {path.name: text}
    if document is None:
        return _report(path, None, findings, texts)
    if holds(document, GraphModel):
        admission = admit_file(path)
        findings, texts = (*admission.findings, *admission.suppressed), dict(admission.texts)
    elif holds(document, PolicyModel):
        policy = open_policy(document, MEMO)
        findings = (*policy.findings, *lint(policy, registry_beside(path)))
    elif holds(document, RegistryModel):
        registry, _ = open_registry(document, DiskLoader(str(path.parent)), MEMO)
        findings, texts = registry.findings, dict(registry.texts)
    elif holds(document, ManifestModel):
        findings = open_manifest(document, MEMO).findings
    elif holds(document, CasesModel):
        registry = registry_beside(path) or open_registry(None, DiskLoader(str(path.parent)), MEMO)[0]
        loader = DiskLoader(str(path.parent))
        _, faults = open_cases(document, registry, policies_beside(path), loader, MEMO, any_kind=False)
        findings = (*document.findings, *faults)
    elif holds(document, ApprovalsModel):
        findings = (*document.findings, *faults_of_approvals(document))
    elif holds(document, ProjectModel):
        findings = (*document.findings, *faults_of_severities(document))
    return _report(path, document.kind, findings, texts)


def admit_file(path: Path, tenant: str | None = None) -> Admission:
    """Judge a graph under the policy beside it."""
    return admit(link_file(path), policies_beside(path), tenant=tenant, today=TODAY)


def link_file(path: Path) -> LinkedGraph:
    """Link a graph with the registry beside it."""
    loader = DiskLoader(str(path.parent))
    beside = _beside(path, "registry")
    selection: Document[RegistryModel] | None = None
    if beside is not None:
        selection, _ = read_registry(beside.read_bytes(), beside.name)
    registry, _ = open_registry(selection, loader, MEMO)
    document, _ = read_graph(path.read_bytes(), path.name)
    return link(document, registry, loader, MEMO)[0]


def registry_beside(path: Path) -> Registry | None:
    """Open the registry that stands beside a document, if there is one."""
    beside = _beside(path, "registry")
    if beside is None:
        return None
    selection, _ = read_registry(beside.read_bytes(), beside.name)
    return open_registry(selection, DiskLoader(str(path.parent)), MEMO)[0]


def policies_beside(path: Path) -> list[Policy]:
    """Open the policy that stands beside a document, if there is one."""
    beside = _beside(path, "policy")
    return [open_policy(read_policy(beside.read_bytes(), beside.name)[0], MEMO)] if beside else []


def _beside(path: Path, what: str) -> Path | None:
    names = (f"{stem}.{suffix}" for stem in (f"{path.stem}.{what}", what) for suffix in ("toml", "json"))
    return next((found for name in names if (found := path.with_name(name)).exists()), None)


def _report(path: Path, kind: DocumentKind | None, findings: tuple[Finding, ...], texts: dict[str, Text]) -> Report:
    sound = all(reason(finding.code).reason_class != "soundness" for finding in findings)
    extent = Extent(frozenset({path.name}), frozenset({path.name} if sound else ()), whole=False)
    settled = settle(in_order(findings, texts), texts, Terms(TODAY), extent)
    return Report((Looked(path.name, kind),), settled.findings, texts, accepted=settled.accepted)
