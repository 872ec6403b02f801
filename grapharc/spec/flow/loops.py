"""Edges that go back in; loops with their nodes and how they nest, out, and the edges that make no loop.

A loop is its header and all that reaches an edge back without passing the header. Loops nest or are apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph, Rounds
from grapharc.spec.flow.dominators import Dominators
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import ExhaustedIntoLoop, IrreducibleLoop
from grapharc.spec.flow.reach import shortest_way
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import MAX_INTEGER


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
            source = graph.arcs[arc].source
            if order.place[source] < 0 or order.place[header] < 0:
                continue
            if tree.dominates(points.of_node[header], points.of_node[source]):
                back.setdefault(header, []).append(arc)
            else:
                wrong.append(arc)
    around = _nest(graph, order, back, inside)
    found: dict[int, Loop] = {}
    for header in sorted(back, key=lambda node: order.place[node]):
        parent = around.get(header, -1)
        depth, runs = (found[parent].depth + 1, found[parent].runs) if parent >= 0 else (1, 1)
        runs = min(runs * graph.rounds[header].max_rounds, MAX_INTEGER)
        found[header] = Loop(header, graph.rounds[header], tuple(back[header]), parent, depth, runs)
    return Loops(found, inside), tuple(sorted(wrong))


def irreducible(graph: FlowGraph, wrong: Iterable[int]) -> Iterable[IrreducibleLoop]:
    """Show, for each edge that makes no loop, a way to its source that avoids its target."""
    for arc in sorted({graph.arcs[arc].edge: graph.arcs[arc] for arc in wrong}.items()):
        edge, (source, header, *_) = arc
        way = shortest_way(
            0,
            source,
            lambda node, header=header: (t for a in graph.leaving[node] if (t := graph.arcs[a].target) != header),
        )
        names = tuple(graph.names[node] for node in way or ())
        yield IrreducibleLoop(graph.names[header], graph.names[source], edge, names)


def reentries(graph: FlowGraph, loops: Loops) -> Iterable[ExhaustedIntoLoop]:
    """Find the edges whose loop, once it is used up, leads back into itself."""
    for header, loop in loops.by_header.items():
        for arc in (graph.arcs[arc] for arc in loop.back):
            # The outcome that is used up is the one after that which goes again.
            used_up = (graph.arcs[other] for other in graph.arcs_of[arc.outcome + 1])
            target = next((other.target for other in used_up if other.edge == arc.edge), graph.end)
            if any(inner.header == header for inner in loops.around(target)):
                yield ExhaustedIntoLoop(graph.names[header], arc.edge, graph.names[target])


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
        todo = [graph.arcs[arc].source for arc in back[header]]
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
            todo.extend(s for arc in graph.entering[node] if order.place[s := graph.arcs[arc].source] >= 0)
        inside[header] = header
        outermost[header] = header
    return around
