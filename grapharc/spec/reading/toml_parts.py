"""A TOML key goes in; its parts and where each of them stands come out."""

from __future__ import annotations

import re
from typing import NamedTuple

from grapharc.spec.reading.toml_grammar import BARE, LITERAL, PLAIN

_PART = re.compile(rf"{BARE}|\"({PLAIN})\"|'({LITERAL})'")


class Part(NamedTuple):
    """One part of a key, without its quotes, and where it stands with them."""

    name: str
    start: int
    end: int

    @property
    def spot(self) -> tuple[int, int]:
        """Where it stands."""
        return (self.start, self.end)


def parts(key: str, at: int) -> list[Part]:
    """Take a key apart that is well formed and without escapes; ``at`` is its offset."""
    found: list[Part] = []
    for part in _PART.finditer(key):
        start, end = part.span()
        found.append(Part(part[part.lastindex or 0], at + start, at + end))
    return found
