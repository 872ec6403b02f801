"""Edits of entries between brackets, of JSON and of TOML's inline values, go in; replacements of text come out."""

from __future__ import annotations

import re

from grapharc.spec.document import Text
from grapharc.spec.edits.replacement import Replacement
from grapharc.spec.edits.written import written, written_key
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Array, Table
from grapharc.spec.source import Span

_BLANK = re.compile(r"(?:\s|#[^\n]*+)*+")
"""What may stand between an entry and the comma behind it."""


def added(text: Text, path: Path, holder: Table | Array, key: str | None, value: Json) -> Replacement | None:
    """Write an entry behind the last one of a table or list in brackets, in the manner of the others.

    A comment behind the last one stays behind it. None where there is none yet, but a comment stands in its place.
    """
    source = text.source.text
    said = written(value, text.syntax)
    if key is not None:
        said = f"{written_key(key, text.syntax)}{': ' if text.syntax == 'json' else ' = '}{said}"
    span = text.layout.span(path)
    last = max((text.layout.span((*path, step)).end for step in _steps(holder)), default=None)
    if last is None:
        space = " " if key is not None and text.syntax == "toml" else ""
        room = Span(span.start + 1, span.end - 1)
        return None if "#" in source[room.start : room.end] else Replacement(room, f"{space}{said}{space}")
    lead = _lead(text, path, holder)
    tail = source[last : span.end - 1]
    if lead is None and "#" not in tail:
        return Replacement(Span(last, last), f", {said}")
    return _on_a_line(source, Span(last, span.end - 1), lead or "", said)


def _lead(text: Text, path: Path, holder: Table | Array) -> str | None:
    """What the first entry is indented by; None where it has no line of its own."""
    source = text.source.text
    first = min(_start(text, (*path, step)) for step in _steps(holder))
    lead = source[source.rfind("\n", 0, first) + 1 : first]
    return lead if "\n" in source[text.layout.span(path).start : first] and not lead.strip() else None


def _on_a_line(source: str, tail: Span, lead: str, said: str) -> Replacement:
    """Write an entry on a line of its own, below that on which the last one and its comma end."""
    newline = "\r\n" if "\r\n" in source else "\n"
    blank = _BLANK.match(source, tail.start, tail.end)
    comma = blank.end() if blank is not None else tail.end
    has_comma = comma < tail.end  # TOML lets a list end with one
    done = comma + 1 if has_comma else tail.start
    line = source.find("\n", done, tail.end)
    end = done if line < 0 else line - source.startswith("\r", line - 1)
    between = source[done:end].rstrip()
    return Replacement(
        Span(done, end), f"{'' if has_comma else ','}{between}{newline}{lead}{said}{',' if has_comma else ''}"
    )


def removed(text: Text, path: Path, holder: Table | Array) -> Replacement | None:
    """Take an entry out with the comma that it leaves behind; None where a comment would go or move.

    That is a comment between its neighbours, above it or behind it.
    """
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
    own_start, own_end = _start(text, path), text.layout.span(path).end
    whole = text.layout.span(tuple(way))
    earlier = [text.layout.span((*way, step)).end for step in steps[:place]]
    above = source[max(earlier, default=whole.start + 1) : own_start].partition("\n")[2]
    behind = source[own_end : whole.end - 1] if place + 1 == len(steps) else source[own_end:end]
    outside = source[start:own_start] + source[own_end:end] + above + behind.partition("\n")[0]
    return None if "#" in outside and text.syntax == "toml" else Replacement(Span(start, end), "")


def _steps(holder: Table | Array) -> list[str | int]:
    return list(holder.marks) if isinstance(holder, Table) else list(range(len(holder.marks)))


def _start(text: Text, path: Path) -> int:
    key, value = text.layout.span(path, "key"), text.layout.span(path)
    return min(key.start, value.start)
