"""The patterns of JSON (RFC 8259): what is well formed matches in one step, all else falls to recovery."""

from __future__ import annotations

import re

BLANK = r"[ \t\n\r]*+"
PLAIN = r'[^"\\\x00-\x1f]*+'
ESCAPED = rf"{PLAIN}(?:\\[^\x00-\x1f]{PLAIN})++"
# Fifteen digits always fit; longer numbers and three-digit exponents are looked at closely.
INTEGER = r"-?(?:0|[1-9][0-9]{0,14}+)"
FLOAT = rf"{INTEGER}(?:\.[0-9]++(?:[eE][+-]?[0-9]{{1,2}}+)?|[eE][+-]?[0-9]{{1,2}}+)"

VALUE = rf'(?:"({PLAIN})"|({INTEGER})|(true|false|null)|({FLOAT})|"({ESCAPED})")'

# Groups: key, plain string, integer, literal, float, escaped string, opening bracket.
MEMBER = re.compile(rf'{BLANK}"({PLAIN})"{BLANK}:{BLANK}(?:{VALUE}{BLANK}[,}}]|([{{\[]))')
# Groups: plain string, integer, literal, float, escaped string, opening bracket.
ELEMENT = re.compile(rf"{BLANK}(?:{VALUE}{BLANK}[,\]]|([{{\[]))")

AFTER_MEMBER = re.compile(rf"{BLANK}[,}}]")
AFTER_ELEMENT = re.compile(rf"{BLANK}[,\]]")
SPACE = re.compile(BLANK)

LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
