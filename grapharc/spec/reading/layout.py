"""The marks of a text go in; spans of the values and keys that a path leads to come out, each looked up when asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from grapharc.spec.json_value import Path
from grapharc.spec.reading.marks import NO_KEY, Array, Form, Key, Mark, Spot, Table
from grapharc.spec.source import Span

if TYPE_CHECKING:
    from grapharc.spec.reading.pieces import Piece


class Places(Protocol):
    """What a layout needs to know about a syntax."""

    def member(self, text: str, at: int, form: Form, /) -> Spot:
        """Return the spot of the table entry that the reader matched from ``at``."""
        ...

    def element(self, text: str, at: int) -> Spot:
        """Return the spot of the array element that the reader matched from ``at``."""
        ...

    def pieces(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """Yield what the parts of the string between ``start`` and ``end``, quotes included, stand for."""
        ...


class MarkedLayout:
    """Where everything stands in one text."""

    def __init__(self, text: str, root: Mark, places: Places) -> None:
        self.root = root
        self._text = text
        self._places = places

    def span(self, path: Path, part: Literal["value", "key"] = "value") -> Span:
        """Return where a value or its key stands; for a path that is not there, the nearest one above it that is."""
        start, end, key_start, key_end = self._spot(path)
        if part == "key" and (key_start, key_end) != NO_KEY:
            return Span(key_start, key_end)
        return Span(start, end)

    def mark(self, path: Path) -> Mark | None:
        """Return the mark of what a path leads to; None where it leads to nothing."""
        mark: Mark | None = self.root
        for step in path:
            mark = None if mark is None else _entry(mark, step)
        return mark

    def inner(self, path: Path, within: Span) -> Span:
        """Return where a range of a string value's decoded text stands in the source."""
        start, end, _, _ = self._spot(path)
        if self._text[start : start + 1] not in ('"', "'"):
            return Span(start, end)
        from grapharc.spec.reading.pieces import narrow

        return narrow(self._places.pieces(self._text, start, end), within)

    def paths(self, wanted: list[tuple[Table | Array, str | None]]) -> frozenset[Path]:
        """Return the ways to places that a reader named by their marks, as far as they became part of the value."""
        sought: dict[int, list[str | None]] = {}
        for mark, key in wanted:
            sought.setdefault(id(mark), []).append(key)
        found: set[Path] = set()
        waiting: list[tuple[Path, Mark]] = [((), self.root)] if sought else []
        while waiting:
            path, mark = waiting.pop()
            for key in sought.get(id(mark), ()):
                found.add(path if key is None else (*path, key))
            match mark:
                case Table():
                    waiting.extend(((*path, key), inner) for key, inner in mark.marks.items())
                case Array():
                    waiting.extend(((*path, index), inner) for index, inner in enumerate(mark.marks))
                case _:
                    pass
        return frozenset(found)

    def _spot(self, path: Path) -> Spot:
        holder: Table | Array | None = None
        mark = self.root
        for step in path:
            inner = _entry(mark, step)
            if inner is None:
                break
            holder = mark if isinstance(mark, (Table, Array)) else None
            mark = inner
        return self._resolve(mark, holder)

    def _resolve(self, mark: Mark, holder: Table | Array | None) -> Spot:
        match mark:
            case Table() | Array():
                return (mark.start, mark.end, *self._key(mark.key, holder))
            case int():
                return self._match(mark, holder)
            case _:
                return mark

    def _key(self, key: Key, holder: Table | Array | None) -> tuple[int, int]:
        return self._match(key, holder)[2:] if isinstance(key, int) else key

    def _match(self, at: int, holder: Table | Array | None) -> Spot:
        if isinstance(holder, Table):
            return self._places.member(self._text, at, holder.form)
        return self._places.element(self._text, at)


def _entry(mark: Mark, step: str | int) -> Mark | None:
    if isinstance(mark, Table):
        return mark.marks.get(step) if isinstance(step, str) else None
    if isinstance(mark, Array) and isinstance(step, int):
        return mark.marks[step] if 0 <= step < len(mark.marks) else None
    return None
