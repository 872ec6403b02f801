"""The inside of a JSON string goes in; its characters, or where each of them stands, come out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grapharc.spec.reading.faults import REPLACEMENT, Faults
from grapharc.spec.reading.pieces import Piece

# Groups: a pair of surrogates; one code unit; a short escape; anything else.
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\"\\/bfnrt])|(.?))",
    re.DOTALL,
)
_SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def unescape(raw: str, at: int, faults: Faults) -> str:
    """Decode what stands between the quotes; ``at`` is its offset. A bad escape is reported and stands for itself."""

    def decoded(escape: re.Match[str]) -> str:
        if escape[4]:
            return _SHORT[escape[4]]
        if escape[3]:
            return _unit(int(escape[3], 16), at + escape.start(), faults)
        if escape[1]:
            return chr(0x10000 + ((int(escape[1], 16) & 0x3FF) << 10) + (int(escape[2], 16) & 0x3FF))
        faults.add("invalid_escape", at + escape.start(), at + escape.end(), {"escape": escape[0]})
        return str(escape[5])

    return _ESCAPE.sub(decoded, raw)


def pieces(raw: str, at: int) -> Iterator[Piece]:
    """Yield which part of the decoded string each part of the source stands for."""
    length = last = 0
    for escape in _ESCAPE.finditer(raw):
        plain = escape.start() - last
        yield Piece(length, plain, at + last, at + escape.start())
        width = len(escape[5]) if escape[5] is not None else 1
        yield Piece(length + plain, width, at + escape.start(), at + escape.end())
        length += plain + width
        last = escape.end()
    yield Piece(length, len(raw) - last, at + last, at + len(raw))


def _unit(code: int, at: int, faults: Faults) -> str:
    if 0xD800 <= code <= 0xDFFF:
        faults.add("lone_surrogate", at, at + 6, {"escape": f"\\u{code:04x}"})
        return REPLACEMENT
    return chr(code)
