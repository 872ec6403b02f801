"""A place in a TOML text where a string begins goes in; its characters, or where each of them stands, come out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grapharc.spec.reading.faults import REPLACEMENT, Faults
from grapharc.spec.reading.pieces import Piece

# The groups of each: the content, and the closing quotes, which are missing where the string is not closed.
_BASIC = re.compile(r'"([^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+)("?)')
_LITERAL = re.compile(r"'([^'\r\n]*+)('?)")
_BASIC_LINES = re.compile(r'"""(?:\r?\n)?((?:[^"\\]++|\\.|"{1,2}(?!"))*+)("{3,5}|)', re.DOTALL)
_LITERAL_LINES = re.compile(r"'''(?:\r?\n)?((?:[^']++|'{1,2}(?!'))*+)('{3,5}|)")

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Groups: a short escape; four or eight digits; the end of a line and what is left out after it; anything else.
_ESCAPE = re.compile(
    r"\\(?:([btnfr\"\\])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([ \t]*+\r?\n[ \t\r\n]*+)|(.?))", re.DOTALL
)
_PARTS = re.compile(rf"{_ESCAPE.pattern}|\r\n", re.DOTALL)
_LINE_END = re.compile(r"\r\n")
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class Quoted(NamedTuple):
    """A string as it stands in a text. ``raw`` is what its quotes hold, from offset ``start`` on."""

    raw: str
    start: int
    end: int
    escapes: bool
    lines: bool
    closed: bool


def quoted(text: str, at: int) -> Quoted | None:
    """Find the extent of the string that begins at an offset; None where none begins."""
    lines = text.startswith(('"""', "'''"), at)
    escapes = text.startswith('"', at)
    pattern = (_BASIC_LINES if escapes else _LITERAL_LINES) if lines else (_BASIC if escapes else _LITERAL)
    found = pattern.match(text, at)
    if found is None:
        return None
    more = max(len(found[2]) - 3, 0)
    start = found.start(1)
    return Quoted(text[start : found.end(1) + more], start, found.end(), escapes, lines, found[2] != "")


def decode(string: Quoted, faults: Faults) -> str:
    """Return the characters of a string. What may not stand in it is reported, and stands for itself."""
    raw = string.raw
    for control in _CONTROL.finditer(raw):
        at = string.start + control.start()
        faults.add("raw_control_character", at, at + 1, {"character": f"U+{ord(control[0]):04X}"})
    if string.escapes and "\\" in raw:
        return _PARTS.sub(lambda part: _decoded(part, string.start, faults), raw)
    return raw.replace("\r\n", "\n") if string.lines else raw


def pieces(text: str, at: int) -> Iterator[Piece]:
    """Yield which part of the decoded string each part of a string's source, quotes included, stands for."""
    string = quoted(text, 0)
    if string is None:
        return
    length = last = 0
    quiet = Faults("")
    at += string.start
    for part in (_PARTS if string.escapes else _LINE_END).finditer(string.raw):
        plain = part.start() - last
        yield Piece(length, plain, at + last, at + part.start())
        width = len(_decoded(part, 0, quiet))
        yield Piece(length + plain, width, at + part.start(), at + part.end())
        length += plain + width
        last = part.end()
    yield Piece(length, len(string.raw) - last, at + last, at + len(string.raw))


def _decoded(part: re.Match[str], at: int, faults: Faults) -> str:
    if part[0] == "\r\n":
        return "\n"
    kind = part.lastindex or 0
    if kind == 1:
        return _SHORT[part[1]]
    if kind == 4:
        return ""
    start, end = at + part.start(), at + part.end()
    code = int(part[kind], 16) if kind in (2, 3) else -1
    if 0xD800 <= code <= 0xDFFF:
        faults.add("lone_surrogate", start, end, {"escape": part[0]})
        return REPLACEMENT
    if 0 <= code <= 0x10FFFF:
        return chr(code)
    faults.add("invalid_escape", start, end, {"escape": part[0]})
    return REPLACEMENT if code >= 0 else str(part[5])
