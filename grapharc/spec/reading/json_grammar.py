"""The patterns of JSON (RFC 8259): what is well formed matches in one step, all else falls to recovery."""

from __future__ import annotations

import re

BLANK = r"[ \t\n\r]*+"
PLAIN = r'[^"\\\x00-\x1f]*+'
# Escapes of whole characters; what else stands after a backslash is looked at closely.
ESCAPE = (
    r"\\(?:[bfnrt\"\\]|u(?:[0-9a-cA-Ce-fE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|"
    r"[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))"
)
# Fifteen digits always fit; longer numbers and three-digit exponents are looked at closely.
INTEGER = r"-?(?:0|[1-9][0-9]{0,14}+)"
FLOAT = rf"{INTEGER}(?:\.[0-9]++(?:[eE][+-]?[0-9]{{1,2}}+)?|[eE][+-]?[0-9]{{1,2}}+)"

# Groups: plain string, integer, literal, float, string with escapes, empty container.
VALUE = rf'(?:"({PLAIN})"|({INTEGER})|(true|false|null)|({FLOAT})|"({PLAIN}(?:{ESCAPE}{PLAIN})++)"|(\[\]|{{}}))'
# Groups: key, those of a value, opening bracket.
MEMBER = re.compile(rf'{BLANK}"({PLAIN})"{BLANK}:{BLANK}(?:{VALUE}{BLANK}[,}}]|([{{\[]))')
# Groups: those of a value, opening bracket.
ELEMENT = re.compile(rf"{BLANK}(?:{VALUE}{BLANK}[,\]]|([{{\[]))")

AFTER_MEMBER = re.compile(rf"{BLANK}[,}}]")
AFTER_ELEMENT = re.compile(rf"{BLANK}[,\]]")
SPACE = re.compile(BLANK)

LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
