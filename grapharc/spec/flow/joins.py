"""Points in; what each node waits for, and the joins and loops that would not work, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.exclusion import wait_tree
from grapharc.spec.flow.guards import PRIME, doomed, draw, weights
from grapharc.spec.flow.loops import Loop, Loops, exits
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.reach import bit_set, bits
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Coming, Undecidable, Unequal, Wait, arrivals
from grapharc.spec.frozen import frozen


@frozen
class Joins:
    """What each node waits for, by its number; nodes that nothing leads to are left out.

    ``entries`` differs from ``waits`` for the headers of loops: without the edges that go back.
    ``broken`` are joins with what is wrong in them, ``leaking`` loops with two arcs that one round takes; what merely
    follows from another of them is left out. ``unsound`` are the points at which they begin, as a bit set.
    """

    waits: Mapping[int, Wait]
    entries: Mapping[int, Wait]
    broken: Mapping[int, Unequal | Undecidable]
    leaking: Mapping[int, tuple[int, int]]
    unsound: int
    doomed: bytearray


def joins(graph: FlowGraph, order: Order, together: Together, loops: Loops, tainted: bytearray) -> Joins:
    """Build all wait trees, and check that all that is waited for comes, and that each round ends once."""
    dooms = doomed(graph, together.points)
    entries, faults = _guarded(graph, order, together, dooms)
    waits = dict(entries)
    for header, loop in loops.by_header.items():
        if header in waits:
            waits[header] = _with_returns(entries[header], loop.back)
    broken, leaking, unsound = _first_causes(together, faults, _leaks(graph, order, together, loops, dooms), tainted)
    return Joins(waits, entries, broken, leaking, unsound, dooms)


def _plain(graph: FlowGraph, order: Order, together: Together) -> Mapping[int, Wait]:
    """Without a branch every node waits for all that leads to it."""
    of_outcome, arcs = together.points.of_outcome, graph.arcs
    entries: dict[int, Wait] = {}
    for node in order.nodes:
        parts = [Arrival(arc) for arc in graph.entering[node] if of_outcome[arcs[arc].outcome] >= 0]
        if parts:
            entries[node] = parts[0] if len(parts) == 1 else AllOf(tuple(parts))
    return entries


def _guarded(
    graph: FlowGraph, order: Order, together: Together, dooms: bytearray
) -> tuple[Mapping[int, Wait], Mapping[int, Unequal | Undecidable]]:
    """Build the trees along the order, with the guard of each point from those before it."""
    if not together.points.branches:
        return _plain(graph, order, together), {}
    points, arcs = together.points, graph.arcs
    chance = draw(graph)
    chances = weights(points, dooms, chance)
    guards = [0] * len(points.node)
    guards[0] = chances[0]
    entries: dict[int, Wait] = {}
    faults: dict[int, Unequal | Undecidable] = {}
    for node in order.nodes:
        point = points.of_node[node]
        comings = [
            Coming(arc, source, guards[source])
            for arc in graph.entering[node]
            if (source := points.of_outcome[arcs[arc].outcome]) >= 0
        ]
        if len(comings) == 1:
            entries[node] = Arrival(comings[0].arc)
            guards[point] = comings[0].guard
        elif comings:
            tree = wait_tree(comings, together)
            entries[node] = tree.finish()
            guards[point] = tree.guard
            if tree.faults:
                faults[node] = tree.faults[0]
        if node and (not comings or node in faults):
            guards[point] = chance.take(b"unknown", point)
        if points.chooses[point]:
            for near in points.after[point]:
                guards[near] = guards[point] * chances[near] % PRIME
    return entries, faults


def _with_returns(entries: Wait, back: Iterable[int]) -> Wait:
    first = entries.parts if isinstance(entries, AnyOf) else (entries,)
    return AnyOf((*first, *(Arrival(arc) for arc in back)))


@frozen
class _Leak:
    """Two ways in which one round ends, and all points where the loop is left, as a bit set."""

    loop: Loop
    arcs: tuple[int, int]
    points: int


def _leaks(graph: FlowGraph, order: Order, together: Together, loops: Loops, dooms: bytearray) -> Iterable[_Leak]:
    """Find the loops of which one round may take two arcs out; an edge back counts as the arc for when it is used up.

    Where a path just ends, the arc is a negative number, the complement of the outcome's.
    """
    for header, ways in exits(graph, order, loops).items():
        comings = [
            Coming(arc if arc >= 0 else ~outcome, point, 0)
            for outcome, arc in ways
            if not dooms[point := together.points.of_outcome[outcome]]
        ]
        if not comings:
            continue
        points = {coming.arc: coming.point for coming in comings}
        pair = _companions(wait_tree(comings, together).finish(), points, together)
        if pair:
            yield _Leak(loops.by_header[header], pair, bit_set(points.values()))


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
    together: Together, faults: Mapping[int, Unequal | Undecidable], leaks: Iterable[_Leak], tainted: bytearray
) -> tuple[dict[int, Unequal | Undecidable], dict[int, tuple[int, int]], int]:
    """Leave out what follows from another fault: one that begins between a join and the parting of its ways."""
    found = list(leaks)
    unsound = 0
    for leak in found:
        unsound |= leak.points
    broken: dict[int, Unequal | Undecidable] = {}
    for node, fault in faults.items():
        point = together.points.of_node[node]
        if tainted[point]:
            continue
        between = together.above[point] & ~together.above[together.tree.parent[point]]
        if not between & unsound:
            broken[node] = fault
        unsound |= 1 << point
    leaking: dict[int, tuple[int, int]] = {}
    for leak in found:
        header = together.points.of_node[leak.loop.header]
        inner = _broken_inside(together, header, leak, broken, found)
        if not inner and not tainted[header]:
            leaking[leak.loop.header] = leak.arcs
    return broken, leaking, unsound


def _broken_inside(together: Together, header: int, leak: _Leak, broken: Iterable[int], leaks: Iterable[_Leak]) -> bool:
    above = 0
    for point in bits(leak.points):
        above |= together.above[point]
    inside = above & ~together.above[header]
    if any(inside >> together.points.of_node[node] & 1 for node in broken):
        return True
    return any(inside >> together.points.of_node[other.loop.header] & 1 for other in leaks if other is not leak)
