"""TOML text in; its value, the marks of where everything stands, and faults out.

The loops here take what is well formed, a line or an entry at a time by one match; the first thing that is not falls
to :mod:`toml_recovery`, which knows the rarer forms too, reports what is wrong and hands back the place to go on from.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.json_value import Json
from grapharc.spec.reading.faults import MAX_DEPTH, Faults
from grapharc.spec.reading.marks import NO_KEY, Array, Key, Mark, Table
from grapharc.spec.reading.plain import empty_container, unescape_valid
from grapharc.spec.reading.toml_grammar import (
    AFTER_ELEMENT,
    AFTER_MEMBER,
    AFTER_STATEMENT,
    ELEMENT,
    MEMBER,
    SPACE,
    STATEMENT,
)
from grapharc.spec.reading.toml_parts import Part, bare_parts, parts
from grapharc.spec.reading.toml_places import spot
from grapharc.spec.reading.toml_tables import Tables, nowhere

if TYPE_CHECKING:
    from grapharc.spec.reading.toml_recovery import TomlRecovery

Outcome: TypeAlias = "tuple[Json, Mark, int]"
"""A value, its mark, and the offset after it."""

# How a value is made of the text of its group. An entry with a key has two groups before those of its value.
_STRING, _LITERAL, _EMPTY, _OPENING, _HEADER = 1, 4, 7, 8, 9
_KEYS = 2
_BOOLEANS: dict[str, Json] = {"true": True, "false": False}
_CONVERT: tuple[Callable[[str], Json], ...] = (
    str,
    str,
    int,
    _BOOLEANS.__getitem__,
    str,
    float,
    unescape_valid,
    empty_container,
)


def read_toml(text: str, faults: Faults) -> tuple[dict[str, Json], Table]:
    """Read a whole TOML text. After a fault the value is what could be made out; a hole tells where it has gaps."""
    if text.count("\r") != text.count("\r\n"):
        text = _without_lone_returns(text, faults)
    return TomlReader(text, faults).read()


class TomlReader:
    """Reads one text. ``within`` has a character for each container around a value, a closing bracket if it has one."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults
        self.tables = Tables(text, faults)
        self._careful: TomlRecovery | None = None

    @property
    def careful(self) -> TomlRecovery:
        """The part that reads what is not plainly well formed."""
        if self._careful is None:
            from grapharc.spec.reading.toml_recovery import TomlRecovery

            self._careful = TomlRecovery(self)
        return self._careful

    def read(self) -> tuple[dict[str, Json], Table]:
        """Read all statements."""
        text, match, tables = self.text, STATEMENT.match, self.tables
        table = tables.root
        within, deep = " ", _OPENING
        space = SPACE.match(text)
        at, size = space.end() if space else 0, len(text)
        while at < size:
            found = match(text, at)
            if found is None:
                table, at = self.careful.statements.read(table, at, within)
                within, deep = " " * tables.depth, _containers(tables.depth)
                continue
            kind = (found.lastindex or _KEYS) - _KEYS
            name: str | None = found[1]
            if kind >= _HEADER:
                if self.faults.full:
                    break
                table = self._header(found, kind)
                within, deep = " " * tables.depth, _containers(tables.depth)
            elif kind >= deep or (kind and name is None):
                at = self._keyed(table, found, kind, at, within)
                after = AFTER_STATEMENT.match(text, at)
                at = after.end() if after else self.careful.statements.line_end(at)
                continue
            elif name is not None:
                value: Json = found[kind + _KEYS]
                if kind != _STRING and kind != _LITERAL:
                    value = _CONVERT[kind](found[kind + _KEYS])
                marks = table.marks
                if name in marks:
                    tables.duplicate(table, Part(name, *found.span(1)))
                    if self.faults.full:
                        break
                else:
                    name = intern(name)
                    table.value[name] = value
                    marks[name] = at
            at = found.end()
        return tables.root.value, tables.root

    def container(self, start: int, key: Key, within: str) -> Outcome:
        """Read the array or the table in braces that opens at ``start``."""
        if len(within) >= MAX_DEPTH:
            return self.careful.too_deep(start, key)
        return (self.table if self.text[start] == "{" else self.array)(start, key, within)

    def table(self, start: int, key: Key, within: str) -> Outcome:
        """Read a table in braces; of two equal keys the first counts."""
        text, match = self.text, MEMBER.match
        members: dict[str, Json] = {}
        marks: dict[str, Mark] = {}
        table = Table(members, marks, start, 0, key)
        within += "}"
        deep = _containers(len(within))
        at = start + 1
        closed = text.startswith("}", at)
        at += closed
        while not closed:
            found = match(text, at)
            if found is None:
                at, closed = self.careful.member(table, at, within)
                continue
            name: str | None = found[1]
            kind = (found.lastindex or _KEYS) - _KEYS
            start = at
            at = found.end()
            closed = text[at - 1] == "}"
            if kind >= deep or name is None:
                at = self._keyed(table, found, kind, None, within)
                after = AFTER_MEMBER.match(text, at)
                at, closed = (after.end(), after[0][-1] == "}") if after else self.careful.after(table, at, within)
                continue
            value: Json = found[kind + _KEYS]
            if kind != _STRING and kind != _LITERAL:
                value = _CONVERT[kind](found[kind + _KEYS])
            if name in marks:
                self.tables.duplicate(table, Part(name, *found.span(1)))
                closed = closed or self.faults.full
            else:
                name = intern(name)
                members[name] = value
                marks[name] = start
        table.end = at
        return members, table, at

    def array(self, start: int, key: Key, within: str) -> Outcome:
        """Read an array."""
        text, match = self.text, ELEMENT.match
        elements: list[Json] = []
        marks: list[Mark] = []
        array = Array(elements, marks, start, 0, key)
        within += "]"
        deep = _containers(len(within))
        at = start + 1
        closed = text.startswith("]", at)
        at += closed
        while not closed:
            found = match(text, at)
            if found is None or (found.lastindex == _OPENING and self._is_header(found.end() - 1)):
                at, closed = self.careful.element(array, at, within)
                continue
            kind = found.lastindex or 0
            value: Json = found[kind]
            mark: Mark = at
            at = found.end()
            closed = text[at - 1] == "]"
            if kind >= deep:
                value, mark, at = self.container(found.start(kind), NO_KEY, within)
                after = AFTER_ELEMENT.match(text, at)
                if after is None:
                    at, closed = self.careful.after(array, at, within)
                else:
                    at = after.end()
                    closed = text[at - 1] == "]"
            elif kind != _STRING and kind != _LITERAL:
                value = _CONVERT[kind](found[kind])
            elements.append(value)
            marks.append(mark)
        array.end = at
        return elements, array, at

    def _keyed(self, table: Table, found: re.Match[str], kind: int, statement: int | None, within: str) -> int:
        """Set a key of several parts, or one that holds a container; return the offset after its value."""
        name: str | None = found[1]
        if name and kind >= _EMPTY and name not in table.marks and len(within) <= MAX_DEPTH:
            value, mark, end = self.container(found.start(kind + _KEYS), found.span(1), within)
            name = intern(name)
            table.value[name], table.marks[name] = value, mark
            return end
        key = [Part(name, *found.span(1))] if name else parts(found[2], found.start(2))
        holder = self.tables.dotted(table, key, len(within)) or nowhere()
        last = key[-1]
        start, end = spot(found, _KEYS)
        if kind >= _EMPTY:
            value, mark, end = self.container(start, last.spot, within + " " * (len(key) - 1))
        else:
            value = _CONVERT[kind](found[kind + _KEYS])
            mark = (start, end, *last.spot) if statement is None else statement
        self.tables.put(holder, last, value, mark)
        return end

    def _header(self, found: re.Match[str], kind: int) -> Table:
        group = kind + _KEYS
        if kind > _HEADER and (row := self.tables.next_row(found[group], found.start(group))) is not None:
            return row
        key = bare_parts(found[group], found.start(group))
        brackets = kind - _HEADER + 1
        opens = self.tables.header if brackets == 1 else self.tables.header_of_array
        return opens(key, key[0].start - brackets, key[-1].end + brackets)

    def _is_header(self, start: int) -> bool:
        return self.text[start - 1] == "\n" and self.careful.starts_header(start)


def _without_lone_returns(text: str, faults: Faults) -> str:
    for found in re.finditer(r"\r(?!\n)", text):
        faults.add("raw_control_character", found.start(), found.end(), {"character": "U+000D"})
        if faults.full:
            break
    return re.sub(r"\r(?!\n)", " ", text)


def _containers(depth: int) -> int:
    """Return the first kind of value that is read as a container: at the last level an empty one is looked at too."""
    return _EMPTY if depth >= MAX_DEPTH else _OPENING
