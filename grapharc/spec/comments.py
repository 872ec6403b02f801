"""The text of a TOML document goes in; its comments come out, each with its offset."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Strings are taken whole, since a sign of number within one begins no comment.
_PIECES = (
    r'(?s)"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|'
    r"'''.*?(?:'''|\Z)|"
    r'"(?:[^"\\\n]|\\[^\n])*+"?|'
    r"'[^'\n]*+'?|"
    r"(#[^\n]*+)"
)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield where each comment begins, and its text to the end of the line."""
    for piece in re.finditer(_PIECES, source):
        if piece[1]:
            yield piece.start(), piece[1]
