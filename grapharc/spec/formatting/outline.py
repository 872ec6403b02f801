"""A TOML text that was read without a fault goes in; its headers and statements, each with its comments, come out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from grapharc.spec.document import Text
from grapharc.spec.frozen import field, record
from grapharc.spec.json_value import Path
from grapharc.spec.reading.marks import Array, Mark, Table


@record
class Item:
    """A statement or a header: where it stands, and the lines of comments that belong to it.

    ``start`` and ``end`` are offsets of the text, from the first character of the key or bracket to the last of the
    value or bracket; ``lines`` is the same with whole lines, comments above included. ``apart`` tells whether a blank
    line stands above it, ``loose`` whether one stands between its comments and itself.
    """

    path: Path
    start: int
    end: int
    above: list[str] = field(default_factory=list[str])
    behind: str = ""
    lines: tuple[int, int] = (0, 0)
    apart: bool = False
    loose: bool = False


@record
class Section:
    """A header, or none for what stands above the first, with its statements and the comments at its end."""

    header: Item | None
    statements: list[Item] = field(default_factory=list[Item])
    below: list[str] = field(default_factory=list[str])

    @property
    def path(self) -> Path:
        """Which table it is."""
        return () if self.header is None else self.header.path


@record
class Outline:
    """A whole text. ``head`` are the comments at its top that a blank line parts from the rest."""

    head: list[str]
    sections: list[Section]


def outline(text: Text) -> Outline:
    """Take a text apart. It must be TOML, and read without a fault."""
    source = text.source.text
    items = sorted(_items(text), key=lambda item: item.start)
    starts = {0, *(at + 1 for at, character in enumerate(source) if character == "\n")}
    ordered = sorted(starts)
    taken = {ordered[bisect_right(ordered, item.start) - 1]: item for item in items}
    return _Reader(source, ordered, taken).read()


def is_addressed(comment: str) -> bool:
    """Tell whether a comment says something about the next line that it must not be parted from."""
    return _ADDRESSED.match(comment) is not None


_ADDRESSED = re.compile(r"#[ \t]*grapharc:")


class _Reader:
    """Goes through a text line by line; comments wait for what they stand above."""

    def __init__(self, source: str, starts: list[int], items: dict[int, Item]) -> None:
        self.source, self.starts, self.items = source, starts, items
        self.out = Outline([], [Section(None)])
        self.waiting: list[str] = []
        self.waits_from = -1
        self.blank = self.loose = False

    def read(self) -> Outline:
        number = 0
        while number < len(self.starts):
            start = self.starts[number]
            item = self.items.get(start)
            if item is None:
                number += 1
                self._other(self._line(start), start)
                continue
            number = bisect_right(self.starts, item.end - 1 if item.end > item.start else item.end)
            self._item(item, start, self.starts[number] if number < len(self.starts) else len(self.source))
        self.out.sections[-1].below += self.waiting
        return self.out

    def _line(self, start: int) -> str:
        end = self.source.find("\n", start)
        return self.source[start : end if end >= 0 else len(self.source)].strip()

    def _other(self, line: str, start: int) -> None:
        """Take a comment or a blank line."""
        if line:
            if self.loose and self.waiting and not any(map(is_addressed, self.waiting)):
                self._let_go()
            if not self.waiting:
                self.waits_from = start
            self.waiting.append(line)
            return
        if self.waiting:
            self.loose = True
        else:
            self.blank = True

    def _let_go(self) -> None:
        """A blank line stands between two blocks of comments: the first belongs to what is above it."""
        nothing_yet = len(self.out.sections) == 1 and not self.out.sections[0].statements and not self.out.head
        place = self.out.head if nothing_yet else self.out.sections[-1].below
        place += self.waiting
        self.waiting, self.loose, self.blank = [], False, True

    def _item(self, item: Item, start: int, end: int) -> None:
        top = len(self.out.sections) == 1 and not self.out.sections[0].statements and not self.out.head
        if self.waiting and self.loose and top and not any(map(is_addressed, self.waiting)):
            self._let_go()
        item.above, item.apart, item.loose = self.waiting, self.blank, self.loose
        item.lines = (self.waits_from if self.waiting else start, end)
        item.behind = self.source[item.end : end].strip()
        self.waiting, self.blank, self.loose = [], False, False
        if self.source.startswith("[", item.start):
            self.out.sections.append(Section(item))
        else:
            self.out.sections[-1].statements.append(item)


def _items(text: Text) -> Iterator[Item]:
    waiting: list[tuple[Path, Mark]] = [((), text.layout.root)]
    while waiting:
        path, mark = waiting.pop()
        match mark:
            case Array(tables=True):
                waiting.extend(((*path, index), inner) for index, inner in enumerate(mark.marks))
            case Table(form="header" | "implicit" | "dotted"):
                if path and mark.form == "header":
                    yield Item(path, mark.start, mark.end)
                waiting.extend(((*path, name), inner) for name, inner in mark.marks.items())
            case _:
                yield _statement(text, path)


def _statement(text: Text, path: Path) -> Item:
    """A statement begins where its line does: a dotted key has more parts before the one that is known."""
    source = text.source.text
    key, value = text.layout.span(path, "key"), text.layout.span(path)
    start = source.rfind("\n", 0, key.start) + 1
    start += len(source[start : key.start]) - len(source[start : key.start].lstrip(" \t"))
    return Item(path, start, value.end)
