"""What ``--fail-on`` says goes in; which changes need somebody's consent comes out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.policy.diff.change import CATEGORIES, DIRECTIONS, Change
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.spec.frozen import frozen

DEFAULT = ("authority",)
EVERYTHING, NOTHING = "any", "nothing"


@frozen
class FailOn:
    """``CATEGORY`` alone means what widens in it and what cannot be told to be no widening."""

    pairs: frozenset[tuple[str, str]]

    def wants(self, change: Change) -> bool:
        """Tell whether a change needs consent."""
        return (change.category, change.direction) in self.pairs


def fail_on(words: Sequence[str]) -> FailOn:
    """Read ``CATEGORY`` and ``CATEGORY:DIRECTION``, ``any`` or ``nothing``. Raises CannotStart for any other word."""
    pairs: set[tuple[str, str]] = set()
    for word in words or DEFAULT:
        category, colon, direction = word.partition(":")
        known = (*CATEGORIES, EVERYTHING, NOTHING)
        if category not in known:
            raise CannotStart(f"there is no category '{category}'{did_you_mean(category, known)}", _HINT)
        if colon and direction not in DIRECTIONS:
            raise CannotStart(f"there is no direction '{direction}'{did_you_mean(direction, DIRECTIONS)}", _HINT)
        directions = (direction,) if colon else ("widens", "incomparable")
        categories = CATEGORIES if category == EVERYTHING else (category,) if category != NOTHING else ()
        pairs.update((each, way) for each in categories for way in directions)
    return FailOn(frozenset(pairs))


_HINT = f"categories are {', '.join(CATEGORIES)}, any or nothing; ':' and one of {', '.join(DIRECTIONS)} may follow"
