"""Documents go in; what they would be in canonical order and layout comes out, not yet written."""

from __future__ import annotations

from grapharc.project.opening import Lost, Project, load_asked
from grapharc.project.paths import Wanted
from grapharc.project.report import Looked, Report
from grapharc.project.rewriting import Rewrite
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding
from grapharc.spec.formatting.format import formatted_text
from grapharc.spec.frozen import frozen
from grapharc.spec.in_order import in_order
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.read import read
from grapharc.spec.reading.text import read_text


@frozen
class LaidOut:
    """The documents that change, all that were looked at, and those that cannot be read, with why."""

    rewrites: tuple[Rewrite, ...]
    paths: tuple[str, ...]
    broken: Report


def lay_out_documents(project: Project, asked: Wanted) -> LaidOut:
    """Lay out documents. One with a fault of its syntax stays as it is, and is told. Raises CannotStart."""
    rewrites: list[Rewrite] = []
    findings: list[Finding] = []
    texts: dict[str, Text] = {}
    paths: list[str] = []
    for path in sorted({*asked.named, *asked.found}):
        data = _load(project, path, asked, findings)
        if data is None:
            continue
        text, faults = read_text(data, path)
        document, _ = read(data, path)
        if document is None and path not in asked.named:
            continue
        paths.append(path)
        texts[path] = text
        if faults or document is None:
            findings += faults or read(data, path)[1]
            continue
        after = formatted_text(text, document.kind).encode()
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        if mark + after != data:
            rewrites.append(Rewrite(path, data, mark + after))
    looked = tuple(Looked(path, None) for path in paths)
    return LaidOut(tuple(rewrites), tuple(paths), Report(looked, in_order(findings, texts), texts))


def _load(project: Project, path: str, asked: Wanted, findings: list[Finding]) -> bytes | None:
    if path in asked.named:
        loaded = load_asked(project.loader, path)
        if isinstance(loaded, Lost):
            findings += loaded.findings
            return None
        return loaded.data
    try:
        return project.loader.load(path)
    except (OutsideProject, Unreadable):
        return None
