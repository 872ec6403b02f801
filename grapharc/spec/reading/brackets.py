"""A bracket in a text that is not well formed goes in; where what it opens ends comes out."""

from __future__ import annotations

import re


def end_of_brackets(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the offset after the bracket that closes the one here, or the end of the text.

    ``pattern`` finds runs of opening and of closing brackets, and takes whole what may hold some: a string, a comment.
    """
    depth = 0
    for found in pattern.finditer(text, at):
        mark, many = found[0][0], found.end() - found.start()
        if mark in "{[":
            depth += many
        elif mark in "}]":
            if many >= depth:
                return found.start() + depth
            depth -= many
    return len(text)
