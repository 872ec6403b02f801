"""A literal goes in as it is written; its value and what is wrong with it come out."""

from __future__ import annotations

import re

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_ESCAPE = (
    r"\\(?:(?P<plain>[abfnrtv\\?\"'`])"
    r"|[xX](?P<hex>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})"
    r"|(?P<octal>[0-3][0-7]{2})|(?P<wrong>(?s:.)))"
)
_PLAIN = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


def number_value(literal: str) -> int | float:
    """Return what ``12``, ``0x1F``, ``1.5`` or ``2e9`` means; an integer may be out of range."""
    if literal[:2] in ("0x", "0X"):
        return int(literal, 16)
    # Python refuses to convert thousands of digits; thirty are enough to be out of range.
    return int(literal.lstrip("0")[:30] or "0") if literal.isdigit() else float(literal)


def string_value(literal: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return what a quoted string means, raw and triple-quoted ones too, and where an escape in it means nothing."""
    raw = literal[0] in "rR"
    start = 1 if raw else 0
    width = 3 if literal[start : start + 3] in ('"""', "'''") else 1
    content = literal[start + width : -width]
    if raw or "\\" not in content:
        return content, ()
    bad: list[tuple[int, int]] = []

    def decode(escape: re.Match[str]) -> str:
        character = _character(escape)
        if character is None:
            bad.append((start + width + escape.start(), start + width + escape.end()))
        return character or ""

    return re.sub(_ESCAPE, decode, content), tuple(bad)


def _character(escape: re.Match[str]) -> str | None:
    if plain := escape["plain"]:
        return _PLAIN.get(plain, plain)
    if octal := escape["octal"]:
        return chr(int(octal, 8))
    digits = escape["hex"] or escape["short"] or escape["long"]
    if digits is None:
        return None
    code = int(digits, 16)
    return chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else None
