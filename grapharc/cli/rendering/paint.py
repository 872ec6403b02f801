"""A role and a text go in, the text in its colour comes out."""

from __future__ import annotations

from typing import Literal, TypeAlias

Role: TypeAlias = Literal["error", "warning", "note", "gutter", "title", "good"]

_CODES: dict[Role, str] = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "gutter": "1;34",
    "title": "1",
    "good": "1;32",
}


def paint(text: str, role: Role, colour: bool) -> str:
    """Colour a text; without colour it stays as it is."""
    return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if colour and text else text
