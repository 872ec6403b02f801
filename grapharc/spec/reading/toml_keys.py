"""A place in a TOML text where a key should stand goes in; its parts and the offset after it come out."""

from __future__ import annotations

import re

from grapharc.spec.reading.faults import Faults
from grapharc.spec.reading.scalar import shown, token
from grapharc.spec.reading.toml_grammar import BARE
from grapharc.spec.reading.toml_parts import Part
from grapharc.spec.reading.toml_strings import decode, quoted

_BARE = re.compile(BARE)
_ANY = re.compile(r"[^\s=.\[\]\"'#,{}:]++(?=[ \t]*+[=.\]])")
_AFTER = frozenset("=. \t]")
_GAP = re.compile(r"[ \t]*+")


def gap(text: str, at: int) -> int:
    """Step over blanks and tabs."""
    found = _GAP.match(text, at)
    return found.end() if found else at


def key(text: str, at: int, faults: Faults) -> tuple[list[Part], int] | None:
    """Read a key with all its dots; None, reported, where there is none."""
    parts: list[Part] = []
    while True:
        part = _part(text, at, faults)
        if part is None:
            return None
        parts.append(part)
        dot = gap(text, part.end)
        if not text.startswith(".", dot):
            return parts, dot
        at = gap(text, dot + 1)


def _part(text: str, at: int, faults: Faults) -> Part | None:
    bare = _BARE.match(text, at)
    if bare is not None and text[bare.end() : bare.end() + 1] in _AFTER:
        return Part(bare[0], at, bare.end())
    other = _ANY.match(text, at)
    if bare is not None and (other is None or other.end() == bare.end()):
        return Part(bare[0], at, bare.end())
    if other is not None:
        faults.add("unquoted_key", at, other.end(), {"key": shown(other[0])})
        return Part(other[0], at, other.end())
    string = quoted(text, at)
    if string is None or (string.closed and string.lines):
        found, end = token(text, at)
        faults.add("syntax_error", at, end, {"found": found, "expected": "a key"})
        return None
    if not string.closed:
        faults.add("unterminated_string", at, at + 3 if string.lines else string.end)
        return None
    return Part(decode(string, faults), at, string.end)
