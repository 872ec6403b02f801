"""A place in a text that is no TOML goes in; what begins there, and where reading can go on, come out."""

from __future__ import annotations

import re

from grapharc.spec.reading.brackets import end_of_brackets
from grapharc.spec.reading.toml_grammar import BARE

_QUOTED = r'"(?:[^"\\\r\n]++|\\[^\r\n])*+"?+|\'[^\'\r\n]*+\'?+'
_LINES = r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?+' + r"|'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5})?+"
_PART = rf"(?:{BARE}|{_QUOTED})"
_KEY = re.compile(rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+[ \t]*+=")
# What stands on a line of its own like this is no nested array: a header, and the array above it was never closed.
_NAME = rf"(?!true\b|false\b|inf\b|nan\b)[A-Za-z_][A-Za-z0-9_-]*+(?:\.{BARE})*+"
_HEADER = re.compile(rf"\[\[?[ \t]*+{_NAME}[ \t]*+\]\]?[ \t]*+(?:[\r\n#]|\Z)")
_VALUE = re.compile(r"[\"'{\[\w.+-]")
_SYNC = re.compile(rf"{_LINES}|{_QUOTED}|[\[\]{{}},\n]", re.DOTALL)
_BRACKETS = re.compile(rf"{_LINES}|{_QUOTED}|#[^\n]*+|[\[{{]++|[\]}}]++", re.DOTALL)


def starts_statement(text: str, at: int) -> bool:
    """Tell whether a header or a key with its equals sign begins here."""
    return starts_entry(text, at, "}") or starts_header(text, at)


def starts_header(text: str, at: int) -> bool:
    """Tell whether a header of a table begins here, where an array could begin too."""
    return _HEADER.match(text, at) is not None


def starts_entry(text: str, at: int, closing: str) -> bool:
    """Tell whether an entry begins here: a key and its equals sign in a table, any value in an array."""
    return (_KEY if closing == "}" else _VALUE).match(text, at) is not None


def sync(text: str, at: int) -> int:
    """Return where reading can go on: a comma or a bracket of the same container, or the end of the line."""
    depth = 0
    for found in _SYNC.finditer(text, at):
        mark = found[0][0]
        if mark in "{[":
            depth += 1
        elif mark in "\"'":
            continue
        elif not depth or mark == "\n":
            return found.start()
        elif mark in "}]":
            depth -= 1
    return len(text)


def skip(text: str, at: int) -> int:
    """Return the offset after the bracket that closes the one here."""
    return end_of_brackets(_BRACKETS, text, at)
