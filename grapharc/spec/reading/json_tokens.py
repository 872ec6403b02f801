"""A place in a text that is no JSON goes in; how far the thing there reaches, and where reading can go on, come out."""

from __future__ import annotations

import re

from grapharc.spec.reading.brackets import end_of_brackets
from grapharc.spec.reading.json_grammar import LITERALS

_STRING = r'"(?:[^"\\\n]++|\\[^\n])*+"?+'
_BRACKETS = re.compile(rf"{_STRING}|[\[{{]++|[\]}}]++")
# The lines between are taken in one step, so that nothing looks at them again; the group is a key that begins a line.
_SYNC = re.compile(rf"{_STRING}|[\[\]{{}},]|\n[ \t\r\n]*+(?=({_STRING}[ \t]*+:)?)")
_COMMENT = re.compile(r"//[^\n]*+|#[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL)
_MEMBER = re.compile(rf"(?:{_STRING}|'[^'\n]*+'|[\w$-]++)[ \t\r\n]*+:")
_ELEMENT = re.compile(r"[\"'{\[\w.+-]")
_WORD = re.compile(r"[^\W\d]\w*+")


def comment(text: str, at: int) -> int:
    """Return the offset after a comment, 0 where none begins."""
    found = _COMMENT.match(text, at)
    return found.end() if found else 0


def is_word(text: str, at: int) -> bool:
    """Tell whether a word begins here that is no value."""
    found = _WORD.match(text, at)
    return found is not None and found[0] not in LITERALS


def starts_entry(text: str, at: int, closing: str) -> bool:
    """Tell whether an entry of a container begins here: a key and its colon in an object, any value in an array."""
    return (_MEMBER if closing == "}" else _ELEMENT).match(text, at) is not None


def sync(text: str, at: int) -> int:
    """Return where reading can go on: a comma or a bracket of the same container, or a line that begins a member."""
    depth = 0
    for found in _SYNC.finditer(text, at):
        mark = found[0][0]
        if mark in "{[":
            depth += 1
        elif not depth and (found[1] or mark in "}],"):
            return found.end() if found[1] else found.start()
        elif mark in "}]":
            depth -= 1
    return len(text)


def skip(text: str, at: int) -> int:
    """Return the offset after the bracket that closes the one here."""
    return end_of_brackets(_BRACKETS, text, at)
