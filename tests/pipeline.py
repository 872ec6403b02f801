"""The path of a document goes in; what reading, linking and judging it say comes out, as ``grapharc check`` would."""

from __future__ import annotations

from pathlib import Path

from grapharc.policy.owner.open_policy import open_policy
from grapharc.project.report import Looked, Report
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.in_order import in_order
from grapharc.spec.read import holds, read
from grapharc.spec.reading.text import read_text


def check(path: Path) -> Report:
    """Check one document with what stands beside it."""
    data = path.read_bytes()
    document, findings = read(data, path.name)
    text = document.text if document else read_text(data, path.name)[0]
    texts = {path.name: text}
    if document and holds(document, PolicyModel):
        findings = open_policy(document, findings).findings
    looked = Looked(path.name, document.kind if document else None)
    return Report((looked,), in_order(findings, texts), texts)
