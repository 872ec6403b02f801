"""A value of a document goes in; its text on one line, with its keys in order, comes out where it fits on one."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.spec.document import Text
from grapharc.spec.documents.forms import Form
from grapharc.spec.formatting.order import beneath, in_canonical_order
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Array, Mark, Table


def inline(text: Text, path: Path, mark: Mark, value: Json, form: Form | None) -> str | None:
    """Return a value on one line. None where its author wrote it in several, or with dotted keys or comments in it."""
    source = text.source.text
    if form is not None and form.type == "union":
        form = form.arms[form.choose(value)]
    match mark:
        case Table(form="braces") if isinstance(value, dict):
            parts = list(_members(text, path, mark, value, form))
            return _joined("{", parts, "}", " ")
        case Array(tables=False) if isinstance(value, list):
            parts = list(_elements(text, path, mark, value, form))
            return _joined("[", parts, "]", "")
        case Table() | Array():
            return None
        case _:
            span = text.layout.span(path)
            written = source[span.start : span.end]
            return written if "\n" not in written else None


def _joined(opening: str, parts: list[str | None], closing: str, space: str) -> str | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return f"{opening}{space}{', '.join(known)}{space}{closing}" if known else f"{opening}{closing}"


def _members(text: Text, path: Path, mark: Table, value: dict[str, Json], form: Form | None) -> Iterator[str | None]:
    colon = ": " if text.syntax == "json" else " = "
    for key in in_canonical_order(value, form):
        inner = inline(text, (*path, key), mark.marks[key], value[key], beneath(form, key, value))
        span = text.layout.span((*path, key), "key")
        yield None if inner is None else f"{text.source.text[span.start : span.end]}{colon}{inner}"


def _elements(text: Text, path: Path, mark: Array, value: list[Json], form: Form | None) -> Iterator[str | None]:
    for index, entry in enumerate(value):
        yield inline(text, (*path, index), mark.marks[index], entry, beneath(form, index, value))
