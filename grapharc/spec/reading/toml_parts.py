"""A TOML key goes in; its parts and where each of them stands come out."""

from __future__ import annotations

import re
from functools import cache

from grapharc.spec.reading.toml_grammar import BARE, LITERAL, PLAIN


class Part:
    """One part of a key, without its quotes, and where it stands with them."""

    __slots__ = ("end", "name", "start")

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name = name
        self.start = start
        self.end = end

    @property
    def spot(self) -> tuple[int, int]:
        """Where it stands."""
        return (self.start, self.end)


def parts(key: str, at: int) -> list[Part]:
    """Take a key apart that is well formed and without escapes; ``at`` is its offset."""
    found: list[Part] = []
    for part in _part().finditer(key):
        start, end = part.span()
        found.append(Part(part[part.lastindex or 0], at + start, at + end))
    return found


def bare_parts(key: str, at: int) -> list[Part]:
    """Take a key apart that has neither quotes nor white space."""
    found: list[Part] = []
    for name in key.split("."):
        end = at + len(name)
        found.append(Part(name, at, end))
        at = end + 1
    return found


@cache
def _part() -> re.Pattern[str]:
    return re.compile(rf"{BARE}|\"({PLAIN})\"|'({LITERAL})'")
