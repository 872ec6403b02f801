"""Points in; whether a fork behind a choice leads to several of some points at once, out.

A fork's limbs may all meet again at one point, and then what comes after that comes by it alone. So first only those
forks are looked at that have not met at some of the points; then, in the region between the choice and the points, a
fork leads to two of them at once iff no single point stands on all its ways to them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from grapharc.spec.flow.dominators import dominators
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.reach import bits
from grapharc.spec.frozen import frozen

MANY = 32
"""Of more open forks than these the set is not kept."""

NONE: frozenset[int] = frozenset()


@frozen(slots=False)
class Forks:
    """The forks of a graph; ``above`` has, for each point, all that lead to it and itself, as a bit set."""

    points: Points
    above: Sequence[int]

    def may_lead_apart(self, choice: int, groups: Sequence[int], opened: frozenset[int] | None) -> bool:
        """Tell quickly whether a fork behind a choice might lead to two of some groups at once.

        A group is all that leads to its members, as a bit set; ``opened`` are the forks open at any member.
        """
        once = twice = 0
        for group in groups:
            twice |= once & group
            once |= group
        behind = twice & self.points.forks & ~self.above[choice]
        return bool(behind) and (opened is None or any(behind >> fork & 1 for fork in opened))

    def leads_apart(self, choice: int, groups: Sequence[Collection[int]]) -> bool:
        """Tell whether behind a choice some fork leads to points of two groups, on ways that do not touch."""
        above = 0
        for group in groups:
            for member in group:
                above |= self.above[member]
        region = [choice + offset for offset in bits((above & ~self.above[choice]) >> choice)]
        size = len(groups) + 1
        number = {point: index for index, point in enumerate(reversed(region), size)}
        # Backwards: one end of all, before it one for each group, before that the points.
        backwards: list[list[int]] = [[], *([0] for _ in groups)]
        backwards.extend([number[other] for other in self.points.after[point] if other in number] for point in number)
        for index, group in enumerate(groups, 1):
            for member in group:
                backwards[number[member]].append(index)
        parent = dominators(backwards).parent
        return any(not parent[index] and not self.points.chooses[point] for point, index in number.items())

    def opened_at(self, members: Collection[int]) -> frozenset[int] | None:
        """Collect the forks that are open at some points; None for very many."""
        together: set[int] = set()
        for member in members:
            mine = self.open[member]
            if mine is None:
                return None
            together |= mine
        return frozenset(together) if len(together) <= MANY else None

    @cached_property
    def open(self) -> Sequence[frozenset[int] | None]:
        """For each point the forks that lead to it and whose limbs have not all met again; None for very many."""
        closes = self._closes
        found: list[frozenset[int] | None] = []
        for point, near in enumerate(self.points.before):
            mine = found[near[0]] if near else NONE
            for other in near[1:]:
                theirs = found[other]
                if mine is not theirs:
                    mine = None if mine is None or theirs is None else mine | theirs
            if mine and point in closes:
                mine -= closes[point]
            if mine is not None and self.points.forks >> point & 1:
                mine |= {point}
            found.append(mine if mine is None or len(mine) <= MANY else None)
        return found

    @cached_property
    def _closes(self) -> dict[int, frozenset[int]]:
        """For each point the forks whose limbs all meet there, not counting ways that never come to a join again."""
        points = self.points
        size = len(points.node)
        live = bytearray(len(near) > 1 for near in points.before)
        backwards: list[list[int]] = [[]]
        for point in range(size - 1, -1, -1):
            near = [size - other for other in points.after[point] if live[other]]
            live[point] |= bool(near)
            backwards.append(near or [0])
        tree = dominators(backwards)
        found: dict[int, frozenset[int]] = {}
        for fork in bits(points.forks):
            closer = size - tree.parent[size - fork]
            if closer < size:
                found[closer] = found.get(closer, NONE) | {fork}
        return found
