"""The text of a value that a grammar has taken as well formed goes in; the value comes out."""

from __future__ import annotations

from grapharc.spec.json_value import Json


def unescape_valid(raw: str) -> str:
    """Decode a string whose escapes are all known, and its surrogates in pairs."""
    decoded = raw.encode("latin-1", "backslashreplace").decode("unicode_escape")
    if "\\ud" in raw or "\\uD" in raw:
        return decoded.encode("utf-16", "surrogatepass").decode("utf-16")
    return decoded


def empty_container(brackets: str) -> Json:
    """Make an empty table or an empty array."""
    return {} if brackets == "{}" else []
