"""A glob over names or paths goes in; whether it matches, or what keeps it from ever matching, comes out."""

from __future__ import annotations

FORBIDDEN = frozenset("[]{}!")
"""Characters that other globs give a meaning to; here they would make a rule inert without anyone noticing."""

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
_WILD = frozenset("*?")


def matches(pattern: str, name: str) -> bool:
    """Tell whether a glob matches the whole name: ``*`` is any run of characters, ``?`` is one.

    Runs in time proportional to both lengths at most: after a mismatch only the last ``*`` is tried again.
    """
    at, star, resume = 0, -1, 0
    position = 0
    while position < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, resume, at = at, position, at + 1
        elif at < len(pattern) and pattern[at] in ("?", name[position]):
            at, position = at + 1, position + 1
        elif star >= 0:
            resume += 1
            at, position = star + 1, resume
        else:
            return False
    return all(rest == "*" for rest in pattern[at:])


def matches_path(pattern: str, path: str) -> bool:
    """Tell whether a glob matches a whole posix path: ``*`` and ``?`` stay within a name, ``**`` is any folders.

    ``legacy/**`` matches everything beneath a folder, ``**/x.toml`` also what lies in none.
    """
    globs, names = pattern.split("/"), path.split("/")
    # The places in the path that may come next, after as much of the pattern as was looked at.
    reached = {0}
    for number, glob in enumerate(globs):
        if glob == "**":
            least = min(reached, default=len(names) + 1) + (number == len(globs) - 1)
            reached = set(range(least, len(names) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(names) and matches(glob, names[at])}
    return len(names) in reached


def forbidden_character(pattern: str) -> tuple[int, str] | None:
    """Find the first character, with its index, that a glob of another kind would give a meaning to."""
    return next(((index, character) for index, character in enumerate(pattern) if character in FORBIDDEN), None)


def inert_character(pattern: str) -> tuple[int, str] | None:
    """Find the first character, with its index, that no name of a kind can hold; None where there is none."""
    for index, character in enumerate(pattern):
        if character not in _NAME and character not in _WILD:
            return index, character
    return None
