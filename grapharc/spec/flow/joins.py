"""Points in; what each node waits for, and the joins and loops that would not work, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.failing import doomed, doubtful_joins, failing_joins
from grapharc.spec.flow.levels import Levels
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.reach import bit_set
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Coming, Undecidable, Unequal, Wait, Waits, arrivals
from grapharc.spec.frozen import frozen


@frozen
class Joins:
    """What each node waits for, by its number; nodes that nothing leads to are left out.

    ``entries`` differs from ``waits`` for the headers of loops: without the edges that go back.
    ``broken`` are joins with what is wrong in them, ``leaking`` loops with two arcs that one round takes; what merely
    follows from another of them is left out. ``unsound`` are the points at which they begin, as a bit set.
    """

    waits: Waits
    entries: Waits
    broken: Mapping[int, Unequal | Undecidable]
    leaking: Mapping[int, tuple[int, int]]
    unsound: int
    doomed: bytearray
    """Marks the points after which the run fails whatever is chosen."""
    firm: bytearray
    """The same without what fails only behind a join that is itself to be checked."""


def joins(graph: FlowGraph, order: Order, together: Together, levels: Levels, tainted: bytearray) -> Joins:
    """Build all wait trees, and check that all that is waited for comes, and that each round ends once."""
    dooms = doomed(graph, together.points)
    entries, faults = _guarded(graph, order, together, dooms)
    doubtful = doubtful_joins(together.points, entries, dooms)
    firm = doomed(graph, together.points, doubtful) if doubtful else dooms
    stuck = dict(failing_joins(graph, together, {node: entries[node] for node in doubtful.values()}, firm))
    if stuck:
        # What waits behind them does not fail for sure after all, and others may have counted on it.
        dooms = doomed(graph, together.points, {together.points.of_node[node] for node in stuck})
        faults = stuck | _guarded(graph, order, together, dooms)[1]
        faults = {node: faults[node] for node in order.nodes if node in faults}
    headers = ((header, loop) for header, loop in levels.loops.by_header.items() if header in entries)
    waits = entries.changed({header: _with_returns(entries[header], loop.back) for header, loop in headers})
    leaks = tuple(_leaks(together, levels, dooms))
    broken, leaking, unsound = _first_causes(together, faults, leaks, tainted)
    return Joins(waits, entries, broken, leaking, unsound, dooms, firm)


def _plain(graph: FlowGraph, order: Order, together: Together) -> Waits:
    """Without a branch every node waits for all that leads to it."""
    found = _Growing(graph, order, together)
    for node in graph.entering.more:
        comings = found.comings(node) if together.points.of_node[node] >= 0 else ()
        if len(comings) == 1:
            found.single[node] = comings[0][0]
        elif comings:
            found.trees[node] = AllOf(tuple([Arrival(arc) for arc, _ in comings]))
    return found.finish()


class _Growing:
    """What nodes wait for while that is collected: first of all the one arc of each that has no other."""

    def __init__(self, graph: FlowGraph, order: Order, together: Together) -> None:
        self.graph, self.order = graph, order
        self.outcome, self.of_outcome = graph.arcs.outcome, together.points.of_outcome
        known = zip(graph.entering.one, together.points.of_node, strict=True)
        self.single = [arc if point >= 0 and self.source(arc) >= 0 else -1 for arc, point in known]
        self.trees: dict[int, Wait] = {}

    def source(self, arc: int) -> int:
        """Give the point that an arc leaves; -1 for no arc, or for one from where no way leads."""
        return self.of_outcome[self.outcome[arc]] if arc >= 0 else -1

    def comings(self, node: int) -> Sequence[tuple[int, int]]:
        """List the arcs that come to a node, with the points that they leave."""
        arcs = self.graph.entering[node]
        return [(arc, source) for arc in arcs if (source := self.source(arc)) >= 0]

    def finish(self) -> Waits:
        return Waits(self.order.nodes, self.single, self.trees)


def _guarded(
    graph: FlowGraph, order: Order, together: Together, dooms: bytearray
) -> tuple[Waits, dict[int, Unequal | Undecidable]]:
    """Build the trees along the order, with the guard of each point from those before it."""
    if not together.points.branches:
        return _plain(graph, order, together), {}
    # Where nothing branches, nobody waits for what follows.
    from grapharc.spec.flow.exclusion import wait_tree
    from grapharc.spec.flow.guards import PRIME, draw, weights

    points = together.points
    chance = draw(graph)
    chances = weights(points, dooms, chance)
    guards = [0] * len(points.node)
    guards[0] = chances[0]
    found = _Growing(graph, order, together)
    faults: dict[int, Unequal | Undecidable] = {}
    for node in order.nodes:
        point, single = points.of_node[node], found.single[node]
        comings = [] if single >= 0 else [Coming(arc, source, guards[source]) for arc, source in found.comings(node)]
        if single >= 0:
            guards[point] = guards[found.source(single)]
        elif len(comings) == 1:
            found.single[node] = comings[0].arc
            guards[point] = comings[0].guard
        elif comings:
            tree = wait_tree(comings, together)
            found.trees[node] = tree.finish()
            guards[point] = tree.guard
            if tree.faults:
                faults[node] = tree.faults[0]
        elif node:
            guards[point] = chance.take(b"unknown", point)
        if node in faults:
            guards[point] = chance.take(b"unknown", point)
        if points.chooses[point]:
            for near in points.after[point]:
                guards[near] = guards[point] * chances[near] % PRIME
    return found.finish(), faults


def _with_returns(entries: Wait, back: Iterable[int]) -> Wait:
    first = entries.parts if isinstance(entries, AnyOf) else (entries,)
    return AnyOf((*first, *(Arrival(arc) for arc in back)))


@frozen
class _Leak:
    """Two ways in which one round of a loop ends, and all points of the loop, as a bit set."""

    header: int
    arcs: tuple[int, int]
    inside: int


def _leaks(together: Together, levels: Levels, dooms: bytearray) -> Iterable[_Leak]:
    """Find the loops of which one round may take two arcs out; an edge back counts as the arc for when it is used up.

    Where a path just ends, the arc is a negative number, the complement of the outcome's.
    """
    if not levels.loops.by_header:
        return
    from grapharc.spec.flow.exclusion import wait_tree

    points = together.points
    everything = levels.ways_out()
    hopeful = levels.ways_out(lambda outcome: bool(dooms[points.of_outcome[outcome]])) if any(dooms) else everything
    found: dict[int, tuple[int, int]] = {}
    for header in levels.loops.by_header:
        # Of outcomes after which the run fails one may leave beside another, but none in two ways by itself.
        ways = everything[header] if dooms[points.of_node[header]] else hopeful[header]
        twice = _twice(everything[header])
        comings = [Coming(arc if arc >= 0 else ~outcome, points.of_outcome[outcome], 0) for outcome, arc in ways]
        if not twice and len(comings) > 1:
            of_arc = {coming.arc: coming.point for coming in comings}
            twice = _companions(wait_tree(comings, together).finish(), of_arc, together)
        if twice:
            found[header] = twice
    for header, arcs in found.items():
        around = (header in (loop.header for loop in levels.loops.around(node)) for node in points.node)
        yield _Leak(header, arcs, bit_set(point for point, inside in enumerate(around) if inside))


def _twice(ways: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    seen: dict[int, int] = {}
    for outcome, arc in ways:
        if outcome in seen:
            return seen[outcome], arc
        seen[outcome] = arc
    return None


def _companions(wait: Wait, points: Mapping[int, int], together: Together) -> tuple[int, int] | None:
    todo = [wait]
    while todo:
        part = todo.pop()
        if isinstance(part, AnyOf):
            todo.extend(reversed(part.parts))
        elif isinstance(part, AllOf):
            firsts = [next(iter(arrivals(inner))) for inner in part.parts]
            pairs = ((one, other) for index, other in enumerate(firsts) for one in firsts[:index])
            return next((pair for pair in pairs if together.happen(points[pair[0]], points[pair[1]])), None)
    return None


def _first_causes(
    together: Together,
    faults: Mapping[int, Unequal | Undecidable],
    leaks: Sequence[_Leak],
    tainted: bytearray,
) -> tuple[dict[int, Unequal | Undecidable], dict[int, tuple[int, int]], int]:
    """Leave out what follows from another fault: one that begins between a join and the parting of its ways."""
    of_node = together.points.of_node
    unsound = 0
    broken: dict[int, Unequal | Undecidable] = {}
    for node, fault in faults.items():
        point = of_node[node]
        parting = together.tree.parent[point]
        between = together.above[point] & ~together.above[parting] | 1 << parting
        elsewhere = any(leak.inside & between and not leak.inside >> point & 1 for leak in leaks)
        if not tainted[point] and not elsewhere and not (between ^ 1 << parting) & unsound:
            broken[node] = fault
        unsound |= 1 << point
    leaking: dict[int, tuple[int, int]] = {}
    for leak in leaks:
        others = (*faults, *(other.header for other in leaks if other is not leak))
        if not tainted[of_node[leak.header]] and not any(leak.inside >> of_node[node] & 1 for node in others):
            leaking[leak.header] = leak.arcs
        unsound |= leak.inside
    return broken, leaking, unsound
