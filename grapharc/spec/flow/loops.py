"""Edges that go back in; loops with their nodes and how they nest, out, and the edges that make no loop.

A loop is its header and all that reaches an edge back without passing the header. Loops nest or are apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.amounts import MOST
from grapharc.spec.flow.arcs import FlowGraph, Rounds
from grapharc.spec.flow.dominators import Dominators
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import ExhaustedIntoBody, IrreducibleLoop, LoopOnForwardEdge
from grapharc.spec.flow.reach import shortest_way
from grapharc.spec.flow.together import Together
from grapharc.spec.frozen import frozen

WAYS = 100
"""Of more edges that make no loop nobody looks for a way past their target."""


@frozen
class Loop:
    """One loop; ``back`` are its arcs to the header, ``depth`` is 1 for one that lies in no other."""

    header: int
    rounds: Rounds
    back: tuple[int, ...]
    parent: int
    """The header of the loop around it, -1 without one."""
    depth: int
    runs: int
    """How often a node of it may run in one run of the graph: the rounds of all loops around it, multiplied."""


@frozen
class Loops:
    """All loops by header, outer before inner ones; ``inside`` is the header of each node's innermost loop, or -1."""

    by_header: Mapping[int, Loop]
    inside: Sequence[int]

    def around(self, node: int) -> Iterable[Loop]:
        """List the loops that a node lies in, the innermost first."""
        header = self.inside[node]
        while header >= 0:
            loop = self.by_header[header]
            yield loop
            header = loop.parent


def loops(graph: FlowGraph, order: Order, points: Points, tree: Dominators) -> tuple[Loops, tuple[int, ...]]:
    """Find the loops, and the arcs back to a node that does not dominate their source."""
    inside = [-1] * len(graph.names)
    if not graph.returning:
        return Loops({}, inside), ()
    back: dict[int, list[int]] = {}
    wrong: list[int] = []
    for header, arcs in graph.returning.items():
        for arc in arcs:
            source = graph.arcs.source[arc]
            if order.place[source] < 0 or (order.place[header] < 0 and header != graph.end):
                continue
            if header != graph.end and tree.dominates(points.of_node[header], points.of_node[source]):
                back.setdefault(header, []).append(arc)
            else:
                wrong.append(arc)
    around = _nest(graph, order, back, inside)
    found: dict[int, Loop] = {}
    for header in sorted(back, key=lambda node: order.place[node]):
        parent = around.get(header, -1)
        depth, runs = (found[parent].depth + 1, found[parent].runs) if parent >= 0 else (1, 1)
        runs = min(runs * graph.rounds[header].max_rounds, MOST)
        found[header] = Loop(header, graph.rounds[header], tuple(back[header]), parent, depth, runs)
    return Loops(found, inside), tuple(sorted(wrong))


def no_loops(
    graph: FlowGraph, wrong: Iterable[int], together: Together
) -> Iterable[IrreducibleLoop | LoopOnForwardEdge]:
    """Say of each edge that makes no loop that it goes nowhere back, or show a way to its source past its target."""
    left = WAYS
    for edge, arc in sorted({graph.arcs.edge[arc]: graph.arcs[arc] for arc in wrong}.items()):
        source, header, *_ = arc
        if header == graph.end or not _leads(together, header, source):
            yield LoopOnForwardEdge(graph.names[source], graph.names[header], edge)
            continue
        left -= 1
        way = _way_past(graph, header, source) if left >= 0 else ()
        yield IrreducibleLoop(graph.names[header], graph.names[source], edge, way)


def _leads(together: Together, header: int, source: int) -> bool:
    of_node = together.points.of_node
    return bool(together.above[of_node[source]] >> of_node[header] & 1)


def _way_past(graph: FlowGraph, header: int, source: int) -> tuple[str, ...]:
    def near(node: int) -> Iterable[int]:
        return (target for arc in graph.leaving[node] if (target := graph.arcs.target[arc]) != header)

    return tuple(graph.names[node] for node in shortest_way(0, source, near) or ())


def reentries(graph: FlowGraph, loops: Loops) -> Iterable[ExhaustedIntoBody]:
    """Find the edges whose loop, once it is used up, leads back into itself."""
    arcs = graph.arcs
    for header, loop in loops.by_header.items():
        for arc in loop.back:
            # The outcome that is used up is the one after that which goes again.
            edge, used_up = arcs.edge[arc], graph.arcs_of[arcs.outcome[arc] + 1]
            target = next((arcs.target[other] for other in used_up if arcs.edge[other] == edge), graph.end)
            if any(inner.header == header for inner in loops.around(target)):
                yield ExhaustedIntoBody(graph.names[header], graph.names[target], edge)


def _nest(graph: FlowGraph, order: Order, back: Mapping[int, list[int]], inside: list[int]) -> dict[int, int]:
    """Fill in each node's innermost loop, and give each header the header of the loop around it.

    Inner headers come later in the order, and are done first; a loop that is done stands for all its nodes.
    """
    around: dict[int, int] = {}
    outermost: dict[int, int] = {}

    def whole(node: int) -> int:
        while (header := outermost.get(node, -1)) >= 0 and header != node:
            outermost[node] = outermost.get(header, header)
            node = header
        return node

    for header in sorted(back, key=lambda node: -order.place[node]):
        todo = [graph.arcs.source[arc] for arc in back[header]]
        seen = {header}
        while todo:
            node = whole(todo.pop())
            if node in seen:
                continue
            seen.add(node)
            if inside[node] == node:
                around[node] = header
            else:
                inside[node] = header
            outermost[node] = header
            todo.extend(s for arc in graph.entering[node] if order.place[s := graph.arcs.source[arc]] >= 0)
        inside[header] = header
        outermost[header] = header
    return around
