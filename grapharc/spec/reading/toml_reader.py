"""TOML text in; its value, the marks of where everything stands, and faults out.

The loops here take what is well formed, a line or an entry at a time by one match; the first thing that is not falls
to :mod:`toml_recovery`, which knows the rarer forms too, reports what is wrong and hands back the place to go on from.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.json_value import Json
from grapharc.spec.reading.faults import MAX_DEPTH, Faults
from grapharc.spec.reading.marks import NO_KEY, Array, Key, Mark, Table
from grapharc.spec.reading.toml_grammar import (
    AFTER_ELEMENT,
    AFTER_MEMBER,
    AFTER_STATEMENT,
    ELEMENT,
    HEADER,
    MEMBER,
    SPACE,
    STATEMENT,
)
from grapharc.spec.reading.toml_tables import Part, Tables, parts

if TYPE_CHECKING:
    from grapharc.spec.reading.toml_recovery import TomlRecovery

Outcome: TypeAlias = "tuple[Json, Mark, int]"
"""A value, its mark, and the offset after it."""

# How a scalar is made of the text of its group; the groups of an entry with a key are those of an element, and the key.
_STRING, _LITERAL, _OPENING = 1, 4, 6
_BOOLEANS: dict[str, Json] = {"true": True, "false": False}
_CONVERT: tuple[Callable[[str], Json], ...] = (str, str, int, _BOOLEANS.__getitem__, str, float)


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
        within = " "
        space = SPACE.match(text)
        at, size = space.end() if space else 0, len(text)
        while at < size:
            found = match(text, at)
            if found is None:
                table, at = self.careful.statements.read(table, at, within)
                within = " " * tables.depth
                continue
            kind = (found.lastindex or 0) - 1
            if kind > _OPENING:
                table = self._header(found)
                within = " " * tables.depth
            elif kind == _OPENING:
                at = self._container(table, found, at, within)
                continue
            elif kind > 0:
                name: str = found[1]
                value: Json = found[kind + 1]
                if kind != _STRING and kind != _LITERAL:
                    value = _CONVERT[kind](found[kind + 1])
                if name in table.marks:
                    tables.duplicate(table, Part(name, *found.span(1)))
                else:
                    table.value[name] = value
                    table.marks[name] = at
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
        at = start + 1
        closed = text.startswith("}", at)
        at += closed
        while not closed:
            found = match(text, at)
            if found is None:
                at, closed = self.careful.member(table, at, within)
                continue
            name: str = found[1]
            kind = (found.lastindex or 1) - 1
            value: Json = found[kind + 1]
            mark: Mark = at
            at = found.end()
            closed = text[at - 1] == "}"
            if kind == _OPENING:
                value, mark, at = self.container(at - 1, mark, within)
                after = AFTER_MEMBER.match(text, at)
                if after is None:
                    at, closed = self.careful.after(table, at, within)
                else:
                    at = after.end()
                    closed = text[at - 1] == "}"
            elif kind != _STRING and kind != _LITERAL:
                value = _CONVERT[kind](found[kind + 1])
            if name in marks:
                self.tables.duplicate(table, Part(name, *found.span(1)))
            else:
                members[name] = value
                marks[name] = mark
        table.end = at
        return members, table, at

    def array(self, start: int, key: Key, within: str) -> Outcome:
        """Read an array."""
        text, match = self.text, ELEMENT.match
        elements: list[Json] = []
        marks: list[Mark] = []
        array = Array(elements, marks, start, 0, key)
        within += "]"
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
            if kind == _OPENING:
                value, mark, at = self.container(at - 1, NO_KEY, within)
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

    def _header(self, found: re.Match[str]) -> Table:
        kind = found.lastindex or 0
        key = parts(found[kind], found.start(kind))
        brackets = kind - _OPENING - 1
        opens = self.tables.header if brackets == 1 else self.tables.header_of_array
        return opens(key, key[0].start - brackets, key[-1].end + brackets)

    def _container(self, table: Table, found: re.Match[str], at: int, within: str) -> int:
        value, mark, end = self.container(found.end() - 1, at, within)
        self.tables.put(table, Part(found[1], *found.span(1)), value, mark)
        after = AFTER_STATEMENT.match(self.text, end)
        return after.end() if after else self.careful.statements.line_end(end)

    def _is_header(self, start: int) -> bool:
        return self.text[start - 1] == "\n" and HEADER.match(self.text, start) is not None


def _without_lone_returns(text: str, faults: Faults) -> str:
    for found in re.finditer(r"\r(?!\n)", text):
        faults.add("raw_control_character", found.start(), found.end(), {"character": "U+000D"})
        if faults.full:
            break
    return re.sub(r"\r(?!\n)", " ", text)
