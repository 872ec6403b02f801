"""Bytes go in, a document with its typed model comes out, and findings for all that was wrong with it."""

from __future__ import annotations

from typing import TypeAlias, TypeGuard, TypeVar

from grapharc.spec.document import Document, DocumentKind, Text
from grapharc.spec.documents.approvals import ApprovalsModel
from grapharc.spec.documents.fit import fit
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.documents.tell import tell, unknown_document, wrong_document
from grapharc.spec.documents.test import CasesModel
from grapharc.spec.documents.validation import rules_of
from grapharc.spec.finding import Finding
from grapharc.spec.reading.text import read_text

AnyModel: TypeAlias = (
    GraphModel | PolicyModel | RegistryModel | ManifestModel | ProjectModel | CasesModel | ApprovalsModel
)
Findings: TypeAlias = tuple[Finding, ...]

ModelT = TypeVar("ModelT")


def read(data: bytes, path: str) -> tuple[Document[AnyModel] | None, Findings]:
    """Read a document of any kind. There is none where its kind cannot be told; a finding then says so."""
    text, findings = read_text(data, path)
    match tell(text.value):
        case None:
            return None, (*findings, *unknown_document(text))
        case "graph":
            return _model(text, findings, "graph", GraphModel)
        case "policy":
            return _model(text, findings, "policy", PolicyModel)
        case "registry":
            return _model(text, findings, "registry", RegistryModel)
        case "manifest":
            return _model(text, findings, "manifest", ManifestModel)
        case "project":
            return _model(text, findings, "project", ProjectModel)
        case "test":
            return _model(text, findings, "test", CasesModel)
        case "approvals":
            return _model(text, findings, "approvals", ApprovalsModel)


def read_graph(data: bytes, path: str) -> tuple[Document[GraphModel], Findings]:
    """Read what must be a graph."""
    return _read_as(data, path, "graph", GraphModel)


def read_policy(data: bytes, path: str) -> tuple[Document[PolicyModel], Findings]:
    """Read what must be a policy."""
    return _read_as(data, path, "policy", PolicyModel)


def read_registry(data: bytes, path: str) -> tuple[Document[RegistryModel], Findings]:
    """Read what must be a registry selection."""
    return _read_as(data, path, "registry", RegistryModel)


def read_manifest(data: bytes, path: str) -> tuple[Document[ManifestModel], Findings]:
    """Read what must be a kind manifest."""
    return _read_as(data, path, "manifest", ManifestModel)


def read_project(data: bytes, path: str) -> tuple[Document[ProjectModel], Findings]:
    """Read what must be a project document."""
    return _read_as(data, path, "project", ProjectModel)


def read_test(data: bytes, path: str) -> tuple[Document[CasesModel], Findings]:
    """Read what must be policy tests."""
    return _read_as(data, path, "test", CasesModel)


def read_approvals(data: bytes, path: str) -> tuple[Document[ApprovalsModel], Findings]:
    """Read what must be the approvals of a project."""
    return _read_as(data, path, "approvals", ApprovalsModel)


def holds(document: Document[object], model: type[ModelT]) -> TypeGuard[Document[ModelT]]:
    """Tell whether a document's model is of a type, in a way that type checkers can follow."""
    return isinstance(document.model, model)


def _read_as(data: bytes, path: str, kind: DocumentKind, model: type[ModelT]) -> tuple[Document[ModelT], Findings]:
    text, findings = read_text(data, path)
    found = tell(text.value, kind)
    if found not in (kind, None):
        findings = (*findings, wrong_document(text, kind, found))
        return Document(text, kind, model(), frozenset({()}), findings), findings
    return _model(text, findings, kind, model)


def _model(
    text: Text, findings: Findings, kind: DocumentKind, model: type[ModelT]
) -> tuple[Document[ModelT], Findings]:
    fitted, damaged, faults = fit(text, rules_of(kind), model)
    findings = (*findings, *_own(text, findings, faults))
    return Document(text, kind, fitted, damaged, findings), findings


def _own(text: Text, told: Findings, faults: Findings) -> Findings:
    """Leave out what stands right where the writing is faulty: a word without quotes is no boolean, but who knows."""
    faulty = {finding.place.span for finding in told}
    return tuple(fault for fault in faults if text.layout.span(fault.place.path, fault.place.part) not in faulty)
