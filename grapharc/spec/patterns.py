"""Patterns that documents write, matched by RE2 in time linear in the text; re2 is imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache


def matches(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found anywhere in a text, as JSON Schema and CEL mean it."""
    return _searcher(pattern)(text) is not None


def pattern_fault(pattern: str) -> str | None:
    """Return what is wrong with a pattern in RE2's words, or None."""
    import re2

    try:
        _searcher(pattern)
    except re2.error as error:
        reason: object = error.args[0] if error.args else "not a pattern"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return None


@lru_cache(maxsize=1024)
def _searcher(pattern: str) -> Callable[[str], object]:
    import re2

    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options).search
