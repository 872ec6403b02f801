"""An edit of a document's value goes in; the replacements that make it in the document's text come out."""

from __future__ import annotations

from grapharc.spec.document import Text
from grapharc.spec.edits.listed import added, removed
from grapharc.spec.edits.replacement import Replacement
from grapharc.spec.edits.toml_statements import append_table, remove_statement, remove_table, set_in_table
from grapharc.spec.edits.written import NotToml, written
from grapharc.spec.finding import Edit
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Array, Table


def text_of(text: Text, edit: Edit) -> Replacement | None:
    """Return the replacement that makes an edit; None where a text has no room for it."""
    try:
        match edit.op:
            case "append":
                return _append(text, edit.path, edit.value)
            case "remove":
                return _remove(text, edit.path)
            case "replace" | "set":
                return _set(text, edit.path, edit.value)
    except NotToml:
        return None


def _append(text: Text, path: Path, value: Json) -> Replacement | None:
    mark = text.layout.mark(path)
    if isinstance(mark, Array) and not mark.tables:
        return added(text, path, mark, None, value)
    span = text.layout.span(path)
    if mark is not None and text.source.text[span.start : span.end] == "[]":  # for which a reader keeps no more
        return Replacement(span, written([value], text.syntax))
    if text.syntax == "json":
        return None if mark is not None else _set(text, path, [value])
    return append_table(text, path, value) if isinstance(value, dict) else None


def _set(text: Text, path: Path, value: Json) -> Replacement | None:
    mark, holder = text.layout.mark(path), text.layout.mark(path[:-1])
    if mark is not None:
        inline = not isinstance(mark, (Table, Array)) or _is_inline(mark)
        return Replacement(text.layout.span(path), written(value, text.syntax)) if inline else None
    if not isinstance(holder, Table):
        return None
    if _is_inline(holder):
        return added(text, path[:-1], holder, str(path[-1]), value)
    return set_in_table(text, path, value)


def _remove(text: Text, path: Path) -> Replacement | None:
    mark, holder = text.layout.mark(path), text.layout.mark(path[:-1])
    if mark is None or not isinstance(holder, (Table, Array)):
        return None
    if _is_inline(holder):
        return removed(text, path, holder)
    return remove_table(text, path) if isinstance(holder, Array) else remove_statement(text, path)


def _is_inline(mark: Table | Array) -> bool:
    return mark.form == "braces" if isinstance(mark, Table) else not mark.tables
