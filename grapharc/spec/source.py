"""A text and where it came from go in; lines, columns and source lines come out."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from grapharc.spec.frozen import frozen


@frozen(order=True)
class Span:
    """A half-open range of code points in a text: ``start`` is in it, ``end`` is not."""

    start: int
    end: int


@frozen(order=True)
class Position:
    """A place as people count it: line and column from 1, the column in code points; ``offset`` from 0."""

    line: int
    column: int
    offset: int


@frozen(slots=False)
class Source:
    """The decoded text of one document, without its byte order mark, and the path it is shown under.

    Offsets count code points of ``text``. A line ends at a line feed; a carriage return before it belongs to the
    line's end and not to its content, so that CRLF moves no column.
    """

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        lengths = (len(line) for line in self.text.split("\n"))
        return list(accumulate((length + 1 for length in lengths), initial=0))[:-1]

    def position(self, offset: int) -> Position:
        """Look up the line and column of an offset; an offset past the end counts as the end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1, offset)

    def line(self, number: int) -> str:
        """Return the content of a line, counted from 1, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")
