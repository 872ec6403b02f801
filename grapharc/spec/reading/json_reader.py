"""JSON text in; its value, the marks of where everything stands, and faults out.

The loops here take what is well formed, an entry at a time by one match; the first thing that is not falls to
:mod:`json_recovery`, which reports it and hands back the place to go on from.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.json_value import Json
from grapharc.spec.reading.faults import MAX_DEPTH, Faults
from grapharc.spec.reading.json_grammar import AFTER_ELEMENT, AFTER_MEMBER, ELEMENT, LITERALS, MEMBER, SPACE
from grapharc.spec.reading.marks import NO_KEY, Array, Key, Mark, Table
from grapharc.spec.reading.plain import empty_container, unescape_valid

if TYPE_CHECKING:
    from grapharc.spec.reading.json_recovery import JsonRecovery

Outcome: TypeAlias = "tuple[Json, Mark, int]"
"""A value, its mark, and the offset after it."""

# How a value is made of the text of its group; the groups of an element are those of a member, less the key. Empty
# containers are no more than that, but for the deepest level, where they are one too many.
_PLAIN, _EMPTY, _OPENING = 1, 6, 7
_CONVERT: tuple[Callable[[str], Json], ...] = (
    str,
    str,
    int,
    LITERALS.__getitem__,
    float,
    unescape_valid,
    empty_container,
)


def read_json(text: str, faults: Faults) -> tuple[Json, Mark]:
    """Read a whole JSON text. After a fault the value is what could be made out; a hole tells where it has gaps."""
    reader = JsonReader(text, faults)
    start = reader.blank(0)
    if text.startswith("{", start):
        value, mark, at = reader.object(start, NO_KEY, "")
    else:
        value, mark, at = reader.careful.root(start)
    if reader.blank(at) < len(text):
        reader.careful.trailing(at)
    return value, mark


class JsonReader:
    """Reads the containers of one text. ``within`` holds the closing brackets that are awaited, outermost first."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults
        self._careful: JsonRecovery | None = None

    @property
    def careful(self) -> JsonRecovery:
        """The part that reads what is not well formed; most texts never load it."""
        if self._careful is None:
            from grapharc.spec.reading.json_recovery import JsonRecovery

            self._careful = JsonRecovery(self)
        return self._careful

    def blank(self, at: int) -> int:
        """Return the offset of the next thing that is not white space."""
        space = SPACE.match(self.text, at)
        return space.end() if space else at

    def container(self, start: int, key: Key, within: str) -> Outcome:
        """Read the object or array that opens at ``start``."""
        if len(within) >= MAX_DEPTH:
            return self.careful.too_deep(start, key)
        return (self.object if self.text[start] == "{" else self.array)(start, key, within)

    def object(self, start: int, key: Key, within: str) -> Outcome:
        """Read an object; of two equal keys the first counts."""
        text, match = self.text, MEMBER.match
        members: dict[str, Json] = {}
        marks: dict[str, Mark] = {}
        table = Table(members, marks, start, 0, key)
        within += "}"
        deep = _EMPTY if len(within) >= MAX_DEPTH else _OPENING
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
            if kind >= deep:
                value, mark, at = self.container(found.start(kind + 1), mark, within)
                after = AFTER_MEMBER.match(text, at)
                if after is None:
                    at, closed = self.careful.after(table, at, within)
                else:
                    at = after.end()
                    closed = text[at - 1] == "}"
            elif kind != _PLAIN:
                value = _CONVERT[kind](found[kind + 1])
            if name in members:
                self.careful.duplicate(table, name, value, found.start(1) - 1, found.end(1) + 1)
                closed = closed or self.faults.full
            else:
                name = intern(name)
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
        deep = _EMPTY if len(within) >= MAX_DEPTH else _OPENING
        at = start + 1
        closed = text.startswith("]", at)
        at += closed
        while not closed:
            found = match(text, at)
            if found is None:
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
            elif kind != _PLAIN:
                value = _CONVERT[kind](found[kind])
            elements.append(value)
            marks.append(mark)
        array.end = at
        return elements, array, at
