"""Bounds on what a run may spend on some of its nodes go in; whether another activation still fits comes out.

What an activation may cost at worst is set aside before it begins, so that of nodes that run side by side no two count
on the same money; what it has cost then takes the place of that.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from math import inf

from grapharc.spec.flow.amounts import is_above
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen
class Bound:
    """What a rule lets be spent in one run, in usd; ``record`` is what a trace says of a decision by it."""

    over_usd: float
    policy: str
    rule: str
    reason: str
    record: Mapping[str, Json]


@frozen
class Share:
    """What one activation of a node may take of a bound, by its number; all of it is spent where nobody meters it."""

    bound: int
    worst: float
    metered: bool


class Account:
    """What a run has spent under one bound. Safe to use from many threads."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self._lock = threading.Lock()
        self._spent = 0.0
        self._aside = 0.0

    @property
    def spent(self) -> float:
        """What has been spent, or set aside, so far."""
        with self._lock:
            return self._spent + self._aside

    def set_aside(self, worst: float) -> tuple[float, bool]:
        """Set aside what an activation may cost; return what was spent before, in usd, and whether that still fits."""
        with self._lock:
            before = self._spent + self._aside
            fits = not is_above(before + worst, self.bound.over_usd)
            if fits:
                self._aside += worst
            return before, fits

    def settle(self, worst: float, spent: float) -> None:
        """Put what an activation has cost in the place of what was set aside for it."""
        with self._lock:
            self._aside -= worst
            self._spent += spent


def accounts(bounds: Sequence[Bound]) -> tuple[Account, ...]:
    """Open an account for each bound of a run."""
    return tuple(map(Account, bounds))


def cost_of(share: Share, usd: float, unpriced: int) -> float:
    """Return what an activation has cost: tokens whose price nobody knows are as good as any price."""
    if not share.metered:
        return share.worst
    return inf if unpriced else usd
