"""The path of a document goes in; what reading, linking and judging it say comes out, as ``grapharc check`` would."""

from __future__ import annotations

from pathlib import Path

from grapharc.policy.owner.open_policy import open_policy
from grapharc.project.files import DiskLoader
from grapharc.project.report import Looked, Report
from grapharc.spec.document import Document, Text
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.finding import Finding
from grapharc.spec.in_order import in_order
from grapharc.spec.link.link import link
from grapharc.spec.linked import Registry
from grapharc.spec.memo import Memo
from grapharc.spec.read import holds, read, read_registry
from grapharc.spec.reading.text import read_text
from grapharc.spec.registry.manifest import open_manifest
from grapharc.spec.registry.open_registry import open_registry

MEMO = Memo()


def check(path: Path) -> Report:
    """Check one document with what stands beside it."""
    data = path.read_bytes()
    document, findings = read(data, path.name)
    text = document.text if document else read_text(data, path.name)[0]
    texts = {path.name: text}
    if document:
        findings, texts = _look(document, findings, texts, path)
    looked = Looked(path.name, document.kind if document else None)
    return Report((looked,), in_order(findings, texts), texts)


def _look(
    document: Document[object], findings: tuple[Finding, ...], texts: dict[str, Text], path: Path
) -> tuple[tuple[Finding, ...], dict[str, Text]]:
    loader = DiskLoader(str(path.parent))
    if holds(document, PolicyModel):
        return open_policy(document, findings).findings, texts
    if holds(document, ManifestModel):
        return open_manifest(document, MEMO).findings, texts
    if holds(document, RegistryModel):
        registry, found = open_registry(document, loader, MEMO)
        return found, {**texts, **registry.texts}
    if holds(document, GraphModel):
        linked, _ = link(document, _registry_beside(path, loader), loader, MEMO)
        return linked.findings, dict(linked.texts)
    return findings, texts


def _registry_beside(path: Path, loader: DiskLoader) -> Registry:
    for name in (f"{path.stem}.registry.toml", f"{path.stem}.registry.json", "registry.toml", "registry.json"):
        if (path.parent / name).exists():
            document, _ = read_registry(loader.load(name), name)
            return open_registry(document, loader, MEMO)[0]
    return open_registry(None, loader, MEMO)[0]
