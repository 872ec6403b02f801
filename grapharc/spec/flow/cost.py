"""What each node costs each time it starts in; what it and a whole run may cost at worst, out.

Of a branch's arms the dearest counts, up to where they merge; all else is summed, times the rounds of the loops around
it. Of seconds, limbs that run side by side take the longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import get_args

from grapharc.spec.flow.amounts import Amounts, at_most, times
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.waits import AllOf, Arrival, Wait, arrivals
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Dimension

DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)


@frozen
class Worst:
    """What a run may cost at worst, of the nodes of which that is known; and the others, by dimension.

    Amounts beyond the largest integer of documents are given as that.
    """

    known: Mapping[Dimension, int | float]
    unknown: Mapping[Dimension, tuple[str, ...]]


def by_node(control: Control, starts: Mapping[str, Amounts]) -> Mapping[str, Amounts]:
    """Multiply what each node costs when it starts by the rounds of all loops around it."""
    found = dict(starts)
    for number, name in enumerate(control.graph.names):
        if control.loops.inside[number] >= 0 and name in starts:
            runs = control.loops.by_header[control.loops.inside[number]].runs
            found[name] = Amounts(*(times(amount, runs) for amount in starts[name]))
    return found


def total(control: Control, starts: Mapping[str, Amounts]) -> Worst:
    """Add up what nodes cost when they start, over the dearest run."""
    names = control.graph.names
    nothing = Amounts(0, 0, 0, 0)
    amounts = [starts.get(name, nothing) for name in names]
    known: dict[Dimension, int | float] = {}
    unknown: dict[Dimension, tuple[str, ...]] = {}
    for index, dimension in enumerate(DIMENSIONS):
        mine = [amount[index] for amount in amounts]
        known[dimension] = at_most(_dearest(control, [amount or 0 for amount in mine], dimension == "seconds"))
        missing = tuple(sorted(names[node] for node in control.order.nodes if mine[node] is None))
        if missing:
            unknown[dimension] = missing
    return Worst(known, unknown)


def inside(control: Control, runs: Mapping[str, int]) -> int:
    """Add up what runs within nodes when they start, over the run in which that is most; in supersteps, for one."""
    names = control.graph.names
    return int(at_most(_dearest(control, [runs.get(name, 0) for name in names], side_by_side=False)))


def _dearest(control: Control, cost: Sequence[int | float], side_by_side: bool) -> int | float:
    """Find the dearest run, from the ends to the start, and within each loop the dearest round."""
    nodes = control.order.nodes
    if not any(cost):
        return 0
    if not side_by_side and not control.together.points.branches and not control.loops.by_header:
        return sum(cost[node] for node in nodes)
    silent = frozenset[int]() if side_by_side else _silent(control.joins.entries.trees.values())
    search = _Search(control, cost, silent, max if side_by_side else sum, list(cost), {})
    for header in reversed(control.levels.inward):
        for node in reversed(control.levels.nodes[header]):
            if node != header and control.loops.inside[node] == node:
                search.leave(node, control.levels.onward[node], header)
            else:
                search.take(node, header)
    return search.worth[0]


@frozen
class _Search:
    """What each node is worth with all that follows it in its loop, and each loop with all that follows it."""

    control: Control
    cost: Sequence[int | float]
    silent: frozenset[int]
    together: Callable[[Iterable[int | float]], int | float]
    worth: list[int | float]
    loops: dict[int, int | float]

    def take(self, node: int, level: int) -> None:
        """Add to a node its dearest outcome."""
        graph = self.control.graph
        best = 0
        for outcome in graph.outcomes_of[node]:
            if graph.arcs_of[outcome] and graph.outcomes.turn[outcome] != "again":
                best = max(best, self.together([self.value(arc, level) for arc in graph.arcs_of[outcome]]))
        self.worth[node] = self.cost[node] + best

    def leave(self, header: int, onward: Iterable[int], level: int) -> None:
        """Add to a loop's rounds the dearest way on."""
        best = max((self.value(arc, level) for arc in onward), default=0)
        rounds = self.control.loops.by_header[header].rounds.max_rounds
        self.loops[header] = at_most(rounds * self.worth[header] + best)

    def value(self, arc: int, level: int) -> int | float:
        """Say what follows an arc on a level: nothing if it leaves it, or if another arc brings the same join."""
        target = self.control.graph.arcs.target[arc]
        loops = self.control.loops
        if self.control.order.place[target] < 0 or arc in self.silent or self.control.levels.of_target(target) != level:
            return 0
        return self.loops[target] if loops.inside[target] == target else self.worth[target]


def _silent(entries: Iterable[Wait]) -> frozenset[int]:
    """Of all that comes together at a join only the first part counts, lest the join count twice."""
    found: set[int] = set()
    todo = [wait for wait in entries if not isinstance(wait, Arrival)]
    while todo:
        wait = todo.pop()
        first, *others = wait.parts
        if isinstance(wait, AllOf):
            found.update(arc for other in others for arc in arrivals(other))
            others = []
        todo.extend(part for part in (first, *others) if not isinstance(part, Arrival))
    return frozenset(found)
