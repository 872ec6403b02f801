"""A path in a document goes in; the bytes of the file that it names come out, if that file is the project's to name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from grapharc.spec.document import Document
from grapharc.spec.documents.tell import is_ours
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Path
from grapharc.spec.loader import Loader, OutsideProject, Unreadable

ModelT = TypeVar("ModelT")


def resolve_named(reference: str, path: Path, loader: Loader, faults: Faults) -> str | None:
    """Return the project path that a reference means, or None with a finding where it is written."""
    try:
        return loader.resolve(reference, faults.document)
    except OutsideProject:
        faults.add("document_outside_project", path, {"reference": reference})
        return None


def load_named(reference: str, path: Path, loader: Loader, faults: Faults) -> tuple[str, bytes] | None:
    """Return the project path and the bytes of a named file, or None with a finding where it is written."""
    target = resolve_named(reference, path, loader, faults)
    if target is None:
        return None
    try:
        return target, loader.load(target)
    except OutsideProject:
        faults.add("document_outside_project", path, {"reference": reference})
    except Unreadable as unreadable:
        faults.add("document_unreadable", path, {"reference": reference, "why": unreadable.why})
    return None


def document_read(
    loaded: tuple[str, bytes],
    path: Path,
    read: Callable[[bytes, str], tuple[Document[ModelT], tuple[Finding, ...]]],
    faults: Faults,
) -> Document[ModelT] | None:
    """Read a loaded file as a document. One that is none of ours is told where it is named: no line of it is shown."""
    target, data = loaded
    document, _ = read(data, target)
    if is_ours(document.text, document.kind):
        return document
    faults.add("unknown_document", path)
    return None


def text_named(reference: str, path: Path, loader: Loader, faults: Faults) -> tuple[str, str] | None:
    """Return the project path and the text of a named file, without its byte order mark; or None with a finding."""
    loaded = load_named(reference, path, loader, faults)
    if loaded is None:
        return None
    target, data = loaded
    if len(data) > MOST_BYTES:
        faults.add("document_unreadable", path, {"reference": reference, "why": "it is larger than 16 MiB"})
        return None
    try:
        return target, data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        faults.add("document_unreadable", path, {"reference": reference, "why": "it is no UTF-8 text"})
        return None


MOST_BYTES = 16 * 1024 * 1024
"""The most bytes of one text."""
