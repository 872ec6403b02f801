"""Edits of TOML's statements and tables go in; replacements of whole lines come out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.spec.document import Text
from grapharc.spec.edits.replacement import Replacement
from grapharc.spec.edits.written import written, written_key
from grapharc.spec.formatting.outline import Item, Section, outline
from grapharc.spec.json_value import Json, Path
from grapharc.spec.source import Span


def set_in_table(text: Text, path: Path, value: Json) -> Replacement | None:
    """Write a statement below the last one of its table; None where the table has no header of its own."""
    *way, key = path
    section = next((each for each in _outlined(text).beneath(tuple(way)) if each.path == tuple(way)), None)
    if section is None:
        return None
    said = f"{written_key(str(key), 'toml')} = {written(value, 'toml')}"
    above = section.statements[-1] if section.statements else section.header
    newline = _newline(text)
    if above is None:
        return Replacement(Span(0, 0), f"{said}{newline}{newline if text.source.text else ''}")
    return _below(text, above, said)


def append_table(text: Text, path: Path, value: dict[str, Json]) -> Replacement | None:
    """Write a table of a list of tables behind the last one, or at the end of the document."""
    *way, name = path
    if way:
        return None
    newline = _newline(text)
    rows = [f"[[{written_key(str(name), 'toml')}]]"]
    rows += [f"{written_key(key, 'toml')} = {written(entry, 'toml')}" for key, entry in value.items()]
    said = newline.join(rows)
    inside = [each for each in _outlined(text).sections if each.path[:1] == (name,)]
    if inside:
        last = inside[-1]
        return _below(text, last.statements[-1] if last.statements else _known(last.header), f"{newline}{said}")
    source = text.source.text
    gap = "" if not source else newline if source.endswith("\n") else newline * 2
    return Replacement(Span(len(source), len(source)), f"{gap}{said}{newline}")


def remove_table(text: Text, path: Path) -> Replacement | None:
    """Take a table of a list out, with all that is beneath it; None where a comment would go with it."""
    inside = [section for section in _outlined(text).beneath(path) if section.path[: len(path)] == tuple(path)]
    if not inside or any(map(_has_comment, inside)):
        return None
    first = _known(inside[0].header).lines[0]
    last = inside[-1]
    end = (last.statements[-1] if last.statements else _known(last.header)).lines[1]
    source = text.source.text
    if end >= len(source):
        start = len(source[:first].rstrip())
        return Replacement(Span(start, end), _newline(text) if start else "")
    after = next((at for at in range(end, len(source)) if source[at] not in " \t\r\n"), len(source))
    return Replacement(Span(first, source.rfind("\n", 0, after) + 1), "")


def remove_statement(text: Text, path: Path) -> Replacement | None:
    """Take a statement out with its line; None where a comment stands behind it or right above it."""
    item = _outlined(text).statements.get(tuple(path))
    if item is None or item.above or item.behind:
        return None
    return Replacement(Span(*item.lines), "")


class _Outlined:
    """A text taken apart, with its sections by their first two steps and its statements by their paths."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.sections = outline(text).sections
        self.statements: dict[Path, Item] = {}
        self._by_row: dict[Path, list[Section]] = {}
        for section in self.sections:
            self._by_row.setdefault(section.path[:_ROW], []).append(section)
            for item in section.statements:
                self.statements.setdefault(item.path, item)

    def beneath(self, path: Path) -> Sequence[Section]:
        """Return the sections among which are all whose path begins with one."""
        return self._by_row.get(path[:_ROW], ()) if len(path) >= _ROW else self.sections


_ROW = 2
_last: list[_Outlined] = []
"""The text that was taken apart last: there may be many edits of one."""


def _outlined(text: Text) -> _Outlined:
    if not (_last and _last[0].text is text):
        _last[:] = [_Outlined(text)]
    return _last[0]


def _below(text: Text, item: Item, said: str) -> Replacement:
    """Write lines below the line of an item."""
    newline, end = _newline(text), item.lines[1]
    begins = "" if text.source.text.endswith("\n", 0, end) else newline
    return Replacement(Span(end, end), f"{begins}{said}{newline}")


def _has_comment(section: Section) -> bool:
    items = [*([section.header] if section.header else []), *section.statements]
    return bool(section.below) or any(item.above or item.behind for item in items)


def _known(item: Item | None) -> Item:
    if item is None:
        raise ValueError("only the first section has no header")
    return item


def _newline(text: Text) -> str:
    return "\r\n" if "\r\n" in text.source.text else "\n"
