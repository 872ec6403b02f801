"""Text that anyone may have written goes in, text that is safe to print, with its width in cells, comes out."""

from __future__ import annotations

TAB = 4
"""A tab prints as this many spaces, wherever it stands, so that carets line up beneath it."""


def printable(text: str) -> str:
    """Return a text with each character that a terminal would obey, hide or turn round written as an escape."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def cells(text: str) -> list[str]:
    """Return what each character of a source line prints as; combining marks are kept with their base."""
    if text.isprintable():
        return list(text)
    return [
        character if character.isprintable() else " " * TAB if character == "\t" else _escape(character)
        for character in text
    ]


def width(text: str) -> int:
    """Return how many cells a printable text takes: two for a wide character, none for a combining mark."""
    if text.isascii():
        return len(text)
    # The tables of unicodedata are only worth loading for a line that needs them.
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(character) in ("Mn", "Me") else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def _escape(character: str) -> str:
    number = ord(character)
    named = {9: "\\t", 10: "\\n", 13: "\\r"}.get(number)
    if named:
        return named
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
