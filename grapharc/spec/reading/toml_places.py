"""The mark of a TOML entry goes in; where its key and its value stand comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grapharc.spec.reading.marks import Form, Spot
from grapharc.spec.reading.pieces import Piece
from grapharc.spec.reading.toml_grammar import ELEMENT, MEMBER, STATEMENT
from grapharc.spec.reading.toml_strings import pieces


class TomlPlaces:
    """Matches again what the reader took in one step."""

    def member(self, text: str, at: int, form: Form) -> Spot:
        """Return the spot of the entry of a table that is matched from ``at``."""
        found = (MEMBER if form == "braces" else STATEMENT).match(text, at)
        if found is None:
            return (at, at, at, at)
        return (*_value(found, strings=(2, 5)), *found.span(1))

    def element(self, text: str, at: int) -> Spot:
        """Return the spot of the element that is matched from ``at``."""
        found = ELEMENT.match(text, at)
        span = (at, at) if found is None else _value(found, strings=(1, 4))
        return (*span, *span)

    def pieces(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """Yield what the parts of the string between ``start`` and ``end``, quotes included, stand for."""
        return pieces(text[start:end], start)


def _value(found: re.Match[str], strings: tuple[int, int]) -> tuple[int, int]:
    kind = found.lastindex or 0
    start, end = found.span(kind)
    return (start - 1, end + 1) if kind in strings else (start, end)
