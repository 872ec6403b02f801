"""A spot goes in, the one source line that matters comes out, with where the carets go beneath it."""

from __future__ import annotations

from grapharc.cli.rendering.cells import cells, width
from grapharc.cli.rendering.shown import Spot
from grapharc.spec.frozen import frozen

WIDEST = 140
"""A longer line is cut to this many cells round its carets; the same on every terminal."""

_BEFORE = 40
_GAP = "…"


@frozen
class Snippet:
    """A line ready to print; ``indent`` and ``length`` of its carets are in cells."""

    number: int
    line: str
    indent: int
    length: int


def cut(spot: Spot) -> Snippet | None:
    """Cut out the first line of a spot, or None where there is no source to show."""
    if spot.source is None or spot.start is None or spot.end is None:
        return None
    content = spot.source.line(spot.start.line)
    first = min(spot.start.column - 1, len(content))
    last = spot.end.column - 1 if spot.end.line == spot.start.line else len(content.rstrip())
    last = min(max(last, first), len(content))
    # A document may be one line of megabytes; what lies too far from the carets to be seen is left out at once.
    near = max(first - WIDEST, 0)
    printed = cells(content[near : first + WIDEST + 1])
    is_cut = near > 0, near + len(printed) < len(content)
    return _fit(spot.start.line, printed, first - near, last - near, is_cut)


def _fit(number: int, printed: list[str], first: int, last: int, is_cut: tuple[bool, bool]) -> Snippet:
    widths = [width(cell) for cell in printed]
    fits = not any(is_cut) and sum(widths) <= WIDEST
    begin = 0 if fits else _shift_back(widths, first, _BEFORE)
    end, room = begin, WIDEST
    while end < len(printed) and widths[end] <= room:
        room -= widths[end]
        end += 1
    head = _GAP if begin or is_cut[0] else ""
    tail = _GAP if end < len(printed) or is_cut[1] else ""
    indent = len(head) + sum(widths[begin:first])
    length = max(sum(widths[first : min(last, end)]), 1)
    return Snippet(number, f"{head}{''.join(printed[begin:end])}{tail}", indent, length)


def _shift_back(widths: list[int], first: int, room: int) -> int:
    begin = first
    while begin > 0 and widths[begin - 1] <= room:
        room -= widths[begin - 1]
        begin -= 1
    return begin
