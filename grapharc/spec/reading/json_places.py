"""The mark of a JSON entry goes in; where its key and its value stand comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grapharc.spec.reading.json_grammar import ELEMENT, MEMBER
from grapharc.spec.reading.marks import Form, Spot

if TYPE_CHECKING:
    from grapharc.spec.reading.pieces import Piece


class JsonPlaces:
    """Matches again what the reader took in one step."""

    def member(self, text: str, at: int, _form: Form) -> Spot:
        """Return the spot of the member that is matched from ``at``."""
        found = MEMBER.match(text, at)
        if found is None:
            return (at, at, at, at)
        start, end = found.span(1)
        return (*_value(found, strings=(2, 6)), start - 1, end + 1)

    def element(self, text: str, at: int) -> Spot:
        """Return the spot of the element that is matched from ``at``."""
        found = ELEMENT.match(text, at)
        span = (at, at) if found is None else _value(found, strings=(1, 5))
        return (*span, *span)

    def pieces(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """Yield what the parts of the string between ``start`` and ``end``, quotes included, stand for."""
        from grapharc.spec.reading.json_strings import pieces

        return pieces(text[start + 1 : end - 1], start + 1)


def _value(found: re.Match[str], strings: tuple[int, int]) -> tuple[int, int]:
    kind = found.lastindex or 0
    start, end = found.span(kind)
    return (start - 1, end + 1) if kind in strings else (start, end)
