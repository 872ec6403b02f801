"""Replacements of ranges of a text go in, the text with all of them made comes out."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from grapharc.spec.frozen import frozen
from grapharc.spec.source import Span


@frozen
class Replacement:
    """A range of a text, in code points, and what is to stand there instead."""

    span: Span
    text: str


def replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """Make replacements that do not clash."""
    parts: list[str] = []
    done = 0
    for each in sorted(replacements, key=lambda each: each.span):
        parts += [text[done : each.span.start], each.text]
        done = each.span.end
    return "".join([*parts, text[done:]])


class Taken:
    """The ranges of a text that are to be replaced, in their order; those of different changes do not touch."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []

    def take(self, replacements: Iterable[Replacement]) -> bool:
        """Take the ranges of a change, unless one of them touches one that is taken; tell whether they are free."""
        ranges = [(each.span.start, each.span.end) for each in replacements]
        if not all(self._is_free(start, end) for start, end in ranges):
            return False
        for each in ranges:
            insort(self._ranges, each)
        return True

    def _is_free(self, start: int, end: int) -> bool:
        after = bisect_left(self._ranges, (start, start))
        is_behind = after == 0 or self._ranges[after - 1][1] < start
        return is_behind and (after == len(self._ranges) or end < self._ranges[after][0])
