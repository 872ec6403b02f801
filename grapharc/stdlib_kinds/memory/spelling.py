"""A name that is not known goes in; the known names that one edit makes of it come out.

Two words that are one edit apart share what is left when a letter of each is taken out, or one is what is left of the
other. So the store keeps, for each name, a number for itself and for each of what is left of it; a question is a few
look-ups.
Digits are never edited: port 8081 is no misspelling of port 8080.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from grapharc.stdlib_kinds.memory.keys import number_of

SHORTEST, LONGEST = 4, 40
"""Letters of a name that is looked up so. Of shorter ones nearly every one is an edit from another."""
_MANY = 100
Execute: TypeAlias = Callable[[str, Sequence[object]], Any]
"""Executes a statement and returns sqlite3's cursor."""


def squashed(name: str) -> str:
    """Write a key without its spaces: ``authservice`` is what ``auth service`` looks like to a hasty writer."""
    return name.replace(" ", "")


def keys_of(squash: str) -> list[int]:
    """Return the numbers that a name is kept and asked for under, none for one that is too short or too long."""
    if not SHORTEST <= len(squash) <= LONGEST:
        return []
    return sorted({number_of(part) for part in (squash, *_shortened(squash))})


def distance(one: str, other: str) -> int | None:
    """Return 0 for the same, 1 for one letter more, less, other, or two changed round; None for anything farther."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 1:
        return None
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    edited = max(len(left), len(right)) == 1 or (len(left) == 2 and left == right[::-1])
    return 1 if edited and not any(map(str.isdigit, left + right)) else None


def nearest(execute: Execute, text: str, wanted: int) -> list[str]:
    """Return the known names that are at most one edit from a text, the nearest and then the most used ones first."""
    squash = squashed(text)
    numbers = keys_of(squash)
    kept = execute(f"select distinct name from spell where k in ({', '.join(map(str, numbers))})", ()).fetchall()
    near = [(far, name) for (name,) in kept if (far := distance(squash, squashed(name))) is not None]
    if len(near) > 1:
        near = sorted((far, -_uses(execute, name), name) for far, name in near)
    return [each[-1] for each in near[:wanted]]


def _uses(execute: Execute, name: str) -> int:
    """How often a name is used, as far as it matters: of claims about it, or holding it, whichever are more."""
    claims = f"select 1 from claim where subject_number = ? and skey = ? limit {_MANY}"
    about = execute(f"select count(*) from ({claims})", (number_of(name), name)).fetchone()[0]
    holding = execute("select df from term where t = ?", (name,)).fetchone()
    return max(about, min(holding[0], _MANY) if holding else 0)


def _shortened(squash: str) -> Iterator[str]:
    for place, letter in enumerate(squash):
        if not letter.isdigit():
            yield squash[:place] + squash[place + 1 :]
