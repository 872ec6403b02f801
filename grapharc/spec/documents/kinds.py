"""The kinds of documents: which dataclass models each, which top-level keys tell it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from grapharc.spec.document import DocumentKind

KINDS: Mapping[DocumentKind, str] = {
    "graph": "GraphModel",
    "policy": "PolicyModel",
    "registry": "RegistryModel",
    "manifest": "ManifestModel",
    "project": "ProjectModel",
    "test": "CasesModel",
    "approvals": "ApprovalsModel",
}

MARKERS: Mapping[DocumentKind, tuple[str, ...]] = {
    "graph": ("nodes", "edges"),
    "policy": ("rule", "default", "limits", "tenants"),
    "registry": ("use",),
    "manifest": ("kind",),
    "project": ("grapharc",),
    "test": ("case",),
    "approvals": ("approval",),
}
"""The top-level keys that only one kind of document has."""


def class_of(name: str) -> type[object]:
    """Return the dataclass that a schema calls ``graph.NodeModel``."""
    module, _, attribute = name.partition(".")
    found: type[object] = getattr(import_module(f"grapharc.spec.documents.{module}"), attribute)
    return found


def model_of(kind: DocumentKind) -> type[object]:
    """Return the dataclass of a whole document."""
    return class_of(f"{kind}.{KINDS[kind]}")
