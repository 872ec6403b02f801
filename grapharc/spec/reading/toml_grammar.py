"""The patterns of TOML 1.0: a line that is well formed matches in one step, all else falls to closer reading.

A text is handed over without lone carriage returns, so that a carriage return always belongs to the end of a line.
"""

from __future__ import annotations

import re

BARE = r"[A-Za-z0-9_-]++"
DOTTED = rf"{BARE}(?:\.{BARE})*+"
PLAIN = r'[^"\\\x00-\x08\x0a-\x1f\x7f]*+'
LITERAL = r"[^'\x00-\x08\x0a-\x1f\x7f]*+"
# Fifteen digits always fit; longer numbers and three-digit exponents are looked at closely.
DIGITS = r"[+-]?(?:0|[1-9](?:_?[0-9]){0,14}+)"
FRACTION = r"\.[0-9](?:_?[0-9])*+"
EXPONENT = r"[eE][+-]?[0-9]{1,2}+"
FLOAT = rf"{DIGITS}(?:{FRACTION}(?:{EXPONENT})?|{EXPONENT})"
COMMENT = r"(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?"
# Most lines end right where their value does.
LINE_END = rf"[ \t]*+(?:\r?\n[ \t\r\n]*+|{COMMENT}(?:\r?\n[ \t\r\n]*+|\Z))"
BLANK = r"[ \t\r\n]*+"

QUOTED = rf"(?:{BARE}|\"{PLAIN}\"|'{LITERAL}')"
KEY = rf"(?:({BARE})|({QUOTED}(?:[ \t]*+\.[ \t]*+{QUOTED})*+))[ \t]*+=[ \t]*+"
# Escapes that any reader of escapes knows; what else stands after a backslash is looked at closely.
ESCAPE = r"\\(?:[btnfr\"\\]|u(?![dD])[0-9a-fA-F]{4})"

# Groups: string, integer, boolean, literal string, float, string with escapes, empty container.
VALUE = (
    rf"(?:\"({PLAIN})\"|({DIGITS})|(true|false)|'({LITERAL})'|({FLOAT})|"
    rf"\"({PLAIN}(?:{ESCAPE}{PLAIN})++)\"|(\[\]|{{}}))"
)
# Groups: bare key, other key, those of a value, opening bracket, header, header of an array of tables.
STATEMENT = re.compile(
    rf"[ \t]*+(?:{KEY}(?:{VALUE}{LINE_END}|([\[{{]))|"
    rf"\[({DOTTED})\]{LINE_END}|\[\[({DOTTED})\]\]{LINE_END}|{LINE_END})"
)
# Groups: bare key, other key, those of a value, opening bracket.
MEMBER = re.compile(rf"[ \t]*+{KEY}(?:{VALUE}[ \t]*+[,}}]|([\[{{]))")
# Groups: those of a value, opening bracket.
ELEMENT = re.compile(rf"{BLANK}(?:{VALUE}{BLANK}[,\]]|([\[{{]))")

AFTER_STATEMENT = re.compile(LINE_END)
AFTER_MEMBER = re.compile(r"[ \t]*+[,}]")
AFTER_ELEMENT = re.compile(rf"{BLANK}[,\]]")
SPACE = re.compile(BLANK)
