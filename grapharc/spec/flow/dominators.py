"""Points and what comes before each in; who stands on every way to whom, out.

Points are numbered in an order and nothing goes back, so that the dominator of a point is the nearest common one of its
predecessors, found at once. Loops are no exception: an edge back to a dominator changes no dominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count, islice
from operator import eq

from grapharc.spec.frozen import frozen


@frozen(slots=False)
class Dominators:
    """A tree: ``parent`` is the immediate dominator, 0 for the root and for what has no predecessor.

    ``leap`` is some dominator far above (a jump pointer), which makes climbing a matter of logarithms.
    """

    parent: Sequence[int]
    depth: Sequence[int]
    leap: Sequence[int]

    def common(self, one: int, other: int) -> int:
        """Find the nearest point that dominates both."""
        parent, depth, leap = self.parent, self.depth, self.leap
        if depth[one] < depth[other]:
            one, other = other, one
        goal = depth[other]
        while depth[one] > goal:
            one = leap[one] if depth[leap[one]] >= goal else parent[one]
        while one != other:
            if leap[one] != leap[other]:
                one, other = leap[one], leap[other]
            else:
                one, other = parent[one], parent[other]
        return one

    def common_of(self, members: Iterable[int]) -> int:
        """Find the nearest point that dominates all of some."""
        nearest = -1
        for member in members:
            nearest = member if nearest < 0 else self.common(nearest, member)
        return nearest

    def dominates(self, one: int, other: int) -> bool:
        """Tell whether every way to the other leads through the one; each point dominates itself."""
        return self.towards(other, self.depth[one]) == one

    def first_after(self, limit: int, point: int) -> int:
        """Find the lowest dominator of a point that is above a number; a point that is not above it itself is kept."""
        parent, leap = self.parent, self.leap
        while parent[point] > limit:
            point = leap[point] if leap[point] > limit else parent[point]
        return point

    def towards(self, point: int, depth: int) -> int:
        """Find the dominator of a point that lies at a depth."""
        while self.depth[point] > depth:
            leap = self.leap[point]
            point = leap if self.depth[leap] >= depth else self.parent[point]
        return point

    @cached_property
    def sizes(self) -> Sequence[int]:
        """How many points each dominates, itself included."""
        parent, size = self.parent, [1] * len(self.parent)
        for point in range(len(parent) - 1, 0, -1):
            size[parent[point]] += size[point]
        return size

    def ranks(self) -> Sequence[int]:
        """Give an order in which what a point dominates follows it without a gap.

        Children go by their numbers, so that all that leads to a point comes before it in the new order too.
        """
        if all(map(eq, islice(self.parent, 1, None), count())):  # a straight way
            return range(len(self.parent))
        rank = [0] * len(self.parent)
        taken = [1] * len(self.parent)
        for point in range(1, len(self.parent)):
            above = self.parent[point]
            rank[point] = rank[above] + taken[above]
            taken[above] += self.sizes[point]
        return rank

    def renumbered(self, ranks: Sequence[int], olds: Sequence[int]) -> Dominators:
        """Give the tree of the same points with other numbers, in which too dominators have lower ones."""
        parent, leap = ([ranks[above[old]] for old in olds] for above in (self.parent, self.leap))
        return Dominators(parent, [self.depth[old] for old in olds], leap)


def dominators(before: Sequence[Sequence[int]]) -> Dominators:
    """Compute the dominators of points that are numbered in their order."""
    parent: list[int] = []
    depth: list[int] = []
    leap: list[int] = []
    tree = Dominators(parent, depth, leap)
    for near in before:
        above = tree.common_of(near) if len(near) > 1 else near[0] if near else 0
        if not parent:
            depth.append(0)
            leap.append(0)
        else:
            far, deep = leap[above], depth[above]
            farther, less = leap[far], depth[far]
            depth.append(deep + 1)
            leap.append(farther if deep - less == less - depth[farther] else above)
        parent.append(above)
    return tree
