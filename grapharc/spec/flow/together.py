"""Points in; which of them can happen in one run, and by which choices, out.

Of two points, the nearest common dominator tells: their ways part there for good. If it does not choose, both happen
together; if it chooses, one excludes the other, unless a fork behind it leads to both on ways that do not touch. All
this holds where every join so far gets what it waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from grapharc.spec.flow.dominators import Dominators
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.reach import ancestors
from grapharc.spec.frozen import frozen

if TYPE_CHECKING:
    from grapharc.spec.flow.forks import Forks

NEAR = 100
"""No more points than these are looked at before all ancestors of all points are collected, whose bit sets take memory
with the square of the graph."""

SEARCH = 50_000
"""After so many pairs of points no more ways are looked for: then a problem is told without its outcomes."""


@frozen(slots=False)
class Together:
    """Answers about pairs of points."""

    points: Points
    tree: Dominators

    @cached_property
    def above(self) -> Sequence[int]:
        """For each point all that lead to it, itself included, as a bit set."""
        return ancestors(self.points.before)

    def ordered(self, earlier: int, later: int) -> bool:
        """Tell whether the one leads to the other, or is it; if it does, the other has the higher number."""
        if earlier >= later:
            return earlier == later
        stop = earlier + self.tree.sizes[earlier]
        if earlier and later < stop:
            return True  # the one dominates the other
        if earlier == 0 and not all(self.points.before[1:]):  # the tree has points under it to which nothing leads
            return bool(self.above[later] & 1)
        # What leads to a point leads to its dominators as well, as far as they come after it.
        later = self.tree.first_after(earlier, later)
        seen, todo = {later}, [later]
        while todo and len(seen) < NEAR:
            point = todo.pop()
            if point < stop:
                return True
            for near in self.points.before[point]:
                if near >= earlier and near not in seen:
                    seen.add(near)
                    todo.append(near)
        return bool(todo) and bool(self.above[later] >> earlier & 1)

    def one_after_other(self, one: int, other: int) -> bool:
        """Tell whether one of two points leads to the other, or is it."""
        return self.ordered(other, one) if other < one else self.ordered(one, other)

    def in_a_row(self, points: Sequence[int]) -> bool:
        """Tell, without a search, that of some points each dominates the next one; they are given in their order."""
        sizes = self.tree.sizes
        return all(after < before + sizes[before] for before, after in pairwise(points))

    def surely_after(self, earlier: int, later: int) -> bool:
        """Tell, without a search, that a point happens after another whenever it does; False may mean yes."""
        if not self.points.branches:
            return earlier < later and self.ordered(earlier, later)
        return earlier < later < earlier + self.tree.sizes[earlier]

    @cached_property
    def forks(self) -> Forks:
        """The points that lead on to several at once."""
        from grapharc.spec.flow.forks import Forks  # only choices ask about them

        return Forks(self.points, self.above)

    def happen(self, one: int, other: int) -> bool:
        """Tell whether some choice makes both happen."""
        parting = self.tree.common(one, other)
        if not self.points.chooses[parting] or self.one_after_other(one, other):
            return True
        groups = (self.above[one], self.above[other])
        if not self.points.forks or not self.forks.may_lead_apart(parting, groups, self.forks.opened_at((one, other))):
            return False
        return self.forks.leads_apart(parting, ((one,), (other,)))

    def ways(self, one: int, other: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Find two ways that touch only where they begin, from a point that does not choose, to two points.

        Both ways are walked backwards, always at the later of their two ends, so that they meet where they begin.
        """
        parting = self.tree.common(one, other)
        if parting in (one, other):
            later = max(one, other)
            return ((parting,), self.way(parting, later)) if parting == one else (self.way(parting, later), (parting,))
        hopeless = parting if self.points.chooses[parting] else -1
        start = (min(one, other), max(one, other))
        came_from: dict[tuple[int, int], tuple[int, int]] = {start: start}
        todo = [start]
        while todo and len(came_from) < SEARCH:
            state = low, high = todo.pop()
            for near in self.points.before[high]:
                if near == hopeless:
                    continue
                if near == low:
                    if not self.points.chooses[low]:
                        return self._unwind(low, state, came_from, one)
                    continue
                following = (near, low) if near < low else (low, near)
                if following not in came_from and self._promising(following, hopeless):
                    came_from[following] = state
                    todo.append(following)
        return None

    def way(self, start: int, goal: int) -> tuple[int, ...]:
        """Give some way from a dominator to a point."""
        way = [goal]
        while way[-1] != start:
            way.append(next(near for near in self.points.before[way[-1]] if self.ordered(start, near)))
        return tuple(reversed(way))

    def _promising(self, state: tuple[int, int], hopeless: int) -> bool:
        if hopeless < 0:
            return True
        low, high = state
        return bool(self.above[low] & self.above[high] & self.points.forks & ~self.above[hopeless])

    def _unwind(
        self, meeting: int, state: tuple[int, int], came_from: dict[tuple[int, int], tuple[int, int]], one: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Follow the states forward again; in each step one of the two ends moves on, and the other stays."""
        _, high = state
        left, right = [meeting], [meeting, high]
        while came_from[state] != state:
            following = came_from[state]
            stays = left[-1] if left[-1] in following else right[-1]
            moves = following[0] if following[1] == stays else following[1]
            (right if stays == left[-1] else left).append(moves)
            state = following
        return (tuple(left), tuple(right)) if left[-1] == one else (tuple(right), tuple(left))
