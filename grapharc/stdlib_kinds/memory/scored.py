"""Claims with their scores go in; those of them that may be among the best come out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from grapharc.spec.frozen import frozen

_ROUNDING = 3e-9
"""Scores closer than this part of the best one may be the same after rounding, and are then told apart by age."""


@frozen
class Scored:
    """A claim's row, its score as it is added up, and when it was observed."""

    score: float
    seen: int
    rid: int


def near(score: float, top: float) -> float:
    """Return what may still be the same as a score when both are rounded."""
    return score - _ROUNDING * top


def candidates(found: Iterable[Scored], wanted: int) -> list[Scored]:
    """Keep, of those with the same score, the ``wanted`` newest and what is as old as the last of them."""
    kept: list[Scored] = []
    for _, same in groupby(sorted(found, key=lambda one: (-one.score, -one.seen, -one.rid)), lambda one: one.score):
        group = list(same)
        kept += group[:wanted]
        kept += [one for one in group[wanted:] if one.seen == group[wanted - 1].seen]
    return kept
