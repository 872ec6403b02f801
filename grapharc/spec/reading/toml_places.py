"""The mark of a TOML entry goes in; where its key and its value stand comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grapharc.spec.reading.marks import Form, Spot
from grapharc.spec.reading.toml_grammar import ELEMENT, MEMBER, STATEMENT
from grapharc.spec.reading.toml_parts import parts

if TYPE_CHECKING:
    from grapharc.spec.reading.pieces import Piece

QUOTED = (1, 4, 6)
"""The groups of a value whose quotes stand outside of them."""


class TomlPlaces:
    """Matches again what the reader took in one step."""

    def member(self, text: str, at: int, form: Form) -> Spot:
        """Return the spot of the entry of a table that is matched from ``at``."""
        found = (MEMBER if form == "braces" else STATEMENT).match(text, at)
        if found is None:
            return (at, at, at, at)
        if found[1] is not None:
            return (*spot(found, keys=2), *found.span(1))
        return (*spot(found, keys=2), *parts(found[2], found.start(2))[-1].spot)

    def element(self, text: str, at: int) -> Spot:
        """Return the spot of the element that is matched from ``at``."""
        found = ELEMENT.match(text, at)
        span = (at, at) if found is None else spot(found, keys=0)
        return (*span, *span)

    def pieces(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """Yield what the parts of the string between ``start`` and ``end``, quotes included, stand for."""
        from grapharc.spec.reading.toml_strings import pieces

        return pieces(text[start:end], start)


def spot(found: re.Match[str], keys: int) -> tuple[int, int]:
    """Return where the value of a match stands, which has so many groups for keys."""
    kind = found.lastindex or 0
    start, end = found.span(kind)
    return (start - 1, end + 1) if kind - keys in QUOTED else (start, end)
