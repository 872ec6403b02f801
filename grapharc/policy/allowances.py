"""A document's text goes in; what its author allows in it, with a reason, comes out: rows of ``suppress`` and comments.

A row covers the table that holds it. A comment, ``# grapharc: allow CODE -- reason, until 2027-03-01``, covers what
begins on its line, or, on a line of its own, what begins on the next line that says something: a key, or a whole table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from grapharc.spec.comments import comments
from grapharc.spec.document import Text, locate
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path, value_at
from grapharc.spec.source import Span
from grapharc.spec.suggest import suggest

TABLES: Mapping[str, type[str] | type[int]] = {
    "nodes": int,
    "edges": int,
    "rule": int,
    "use": int,
    "kind": int,
    "state": str,
}
"""The top-level keys whose entries may hold ``suppress``, and what leads to an entry: a name or an index."""

# Few documents hold comments of ours, so that patterns are compiled, and kept by re, when one is met.
_OURS = r"#[ \t]*grapharc:[ \t]*([^\r\n]*?)[ \t\r]*\Z"
_ALLOW = r"allow[ \t]+([^\s,-][^\s,]*(?:[ \t]*,[ \t]*[^\s,-][^\s,]*)*)(?:[ \t]+--[ \t]*(.*))?\Z"
_UNTIL = r"(?:\A|,[ \t]*|[ \t]+)until[ \t]+(\S+)\Z"
_CODE = r"[^\s,]+"


@frozen
class Allowance:
    """One code that is allowed somewhere. ``scope`` is the path of the table that is covered, or a line.

    ``reason`` is empty where none is given, and ``until`` where there is no end. ``place`` is where it is written,
    ``code_at`` where its code is.
    """

    code: str
    reason: str
    until: str
    place: Place
    code_at: Place
    scope: Path | int


def allowances(text: Text) -> Iterator[Allowance | Finding]:
    """Yield what a document allows, and a finding for each comment that begins like an allowance and is none."""
    source = text.source.text
    if "suppress" in source:
        yield from _rows(text)
    if text.syntax == "toml" and "grapharc:" in source:
        yield from _comments(text)


def scopes(place: Place, texts: Mapping[str, Text]) -> Iterator[Path | int]:
    """Yield the scopes that a place lies in: the table that could hold ``suppress``, and lines."""
    yield place.path[:2]
    yield from sorted(_lines(place, texts))


def _rows(text: Text) -> Iterator[Allowance]:
    for table, kind in TABLES.items():
        entries = value_at(text.value, (table,))
        steps: Iterator[str | int] = iter(())
        if kind is int and isinstance(entries, list):
            steps = iter(range(len(entries)))
        elif kind is str and isinstance(entries, Mapping):
            steps = iter(entries)
        for step in steps:
            yield from _rows_of(text, (table, step))


def _rows_of(text: Text, scope: Path) -> Iterator[Allowance]:
    rows = value_at(text.value, (*scope, "suppress"))
    for index, row in enumerate(rows) if isinstance(rows, list) else ():
        code = row.get("code") if isinstance(row, Mapping) else None
        if isinstance(row, Mapping) and isinstance(code, str) and code:
            place = Place(text.source.path, (*scope, "suppress", index))
            code_at = Place(text.source.path, (*place.path, "code"))
            yield Allowance(code, _text(row.get("reason")), _text(row.get("until")), place, code_at, scope)


def _text(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def _comments(text: Text) -> Iterator[Allowance | Finding]:
    for offset, comment in comments(text.source.text):
        ours = re.match(_OURS, comment)
        if ours:
            yield from _comment(text, ours, offset)


def _comment(text: Text, ours: re.Match[str], offset: int) -> Iterator[Allowance | Finding]:
    place = Place(text.source.path, span=Span(offset, offset + ours.end(1)))
    allow = re.match(_ALLOW, ours[1])
    if allow is None:
        word = (ours[1].split(maxsplit=1) or [""])[0]
        values = {"comment": ours[0].rstrip(), "suggestion": suggest(word, ("allow",))}
        yield Finding("suppression_malformed", place, values)
        return
    reason, until = _reason(allow[2] or "")
    start = offset + ours.start(1)
    for code in re.finditer(_CODE, allow[1]):
        code_at = Place(
            text.source.path, span=Span(start + allow.start(1) + code.start(), start + allow.start(1) + code.end())
        )
        yield Allowance(code[0], reason, until, place, code_at, _governed(text, offset))


def _reason(words: str) -> tuple[str, str]:
    """Part a reason from the day on which it ends to count, if one is named."""
    until = re.search(_UNTIL, words)
    return (words[: until.start()].strip(), until[1]) if until else (words.strip(), "")


def _governed(text: Text, offset: int) -> int:
    """The line that a comment is about: its own, or the next one that says something."""
    source = text.source
    position = source.position(offset)
    if source.line(position.line)[: position.column - 1].strip():
        return position.line
    last = source.position(len(source.text)).line
    for number in range(position.line + 1, last + 1):
        line = source.line(number).strip()
        if line and not line.startswith("#"):
            return number
    return position.line


def _lines(place: Place, texts: Mapping[str, Text]) -> set[int]:
    """The lines on which a place, and each table and key that holds it, begins."""
    text = texts[place.document]
    found = locate(place, texts)
    lines = {found[0].line} if found else set[int]()
    for end in range(1, len(place.path) + 1):
        path = place.path[:end]
        value, key = text.layout.span(path), text.layout.span(path, "key")
        if not _is_of_another(text, path, value, key):
            lines.add(text.source.position(min(key.start, value.start)).line)
    return lines


def _is_of_another(text: Text, path: Path, value: Span, key: Span) -> bool:
    """Tell whether what stands there is the header of a table within this one, or of the first of its rows."""
    line = text.source.text[text.source.text.rfind("\n", 0, key.start) + 1 : key.start + 1]
    if key.start < value.start or not line.lstrip().startswith("["):
        return False
    return text.source.text.startswith(".", key.end) or isinstance(value_at(text.value, path), list)
