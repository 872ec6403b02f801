"""Edits of entries between brackets, of JSON and of TOML's inline values, go in; replacements of text come out."""

from __future__ import annotations

from grapharc.spec.document import Text
from grapharc.spec.edits.replacement import Replacement
from grapharc.spec.edits.written import written, written_key
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Array, Table
from grapharc.spec.source import Span


def added(text: Text, path: Path, holder: Table | Array, key: str | None, value: Json) -> Replacement:
    """Write an entry behind the last one of a table or list in brackets, in the manner of the others."""
    source = text.source.text
    said = written(value, text.syntax)
    if key is not None:
        said = f"{written_key(key, text.syntax)}{': ' if text.syntax == 'json' else ' = '}{said}"
    span = text.layout.span(path)
    last = max((text.layout.span((*path, step)).end for step in _steps(holder)), default=None)
    if last is None:
        space = " " if key is not None and text.syntax == "toml" else ""
        return Replacement(Span(span.start + 1, span.end - 1), f"{space}{said}{space}")
    first = min(_start(text, (*path, step)) for step in _steps(holder))
    lead = source[source.rfind("\n", 0, first) + 1 : first]
    if "\n" in source[span.start : first] and not lead.strip():
        newline = "\r\n" if "\r\n" in source else "\n"
        tail = source[last : span.end - 1]
        comma = tail.lstrip().startswith(",")  # TOML lets a list end with one
        at = last + (tail.index(",") + 1 if comma else 0)
        return Replacement(Span(at, at), f"{'' if comma else ','}{newline}{lead}{said}{',' if comma else ''}")
    return Replacement(Span(last, last), f", {said}")


def removed(text: Text, path: Path, holder: Table | Array) -> Replacement | None:
    """Take an entry out with the comma that it leaves behind; None where a comment stands between its neighbours."""
    source = text.source.text
    *way, own = path
    steps = list(_steps(holder))
    place = steps.index(own)
    start, end = _start(text, path), text.layout.span(path).end
    if place + 1 < len(steps):
        end = _start(text, (*way, steps[place + 1]))
    elif place:
        start = text.layout.span((*way, steps[place - 1])).end
    else:
        whole = text.layout.span(tuple(way))
        start, end = whole.start + 1, whole.end - 1
    outside = source[start : _start(text, path)] + source[text.layout.span(path).end : end]
    return None if "#" in outside and text.syntax == "toml" else Replacement(Span(start, end), "")


def _steps(holder: Table | Array) -> list[str | int]:
    return list(holder.marks) if isinstance(holder, Table) else list(range(len(holder.marks)))


def _start(text: Text, path: Path) -> int:
    key, value = text.layout.span(path, "key"), text.layout.span(path)
    return min(key.start, value.start)
