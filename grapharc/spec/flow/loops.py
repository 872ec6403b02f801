"""Edges that go back in; loops with their nodes and how they nest, out, and the edges that make no loop.

A loop is its header and all that reaches an edge back without passing the header. Loops nest or are apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import Arc, FlowGraph, Rounds
from grapharc.spec.flow.dominators import Dominators
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import IrreducibleLoop, LoopOnForwardEdge
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

    def level(self, target: int) -> int:
        """Give the header of the loop in which an edge arrives: to a header, that of the loop around its own."""
        header = self.inside[target]
        return self.by_header[header].parent if header == target else header

    def left_by(self, arc: Arc) -> Iterable[Loop]:
        """List the loops that an arc leaves, the innermost first."""
        depth = {loop.header for loop in self.around(arc.target)}
        return (loop for loop in self.around(arc.source) if loop.header not in depth)


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
        depth = found[parent].depth + 1 if parent >= 0 else 1
        found[header] = Loop(header, graph.rounds[header], tuple(back[header]), parent, depth)
    return Loops(found, inside), tuple(sorted(wrong))


def levels(order: Order, loops: Loops) -> Mapping[int, list[int]]:
    """List, for each loop and for -1, the nodes that lie in it and in no loop in it, and the headers of those loops."""
    found: dict[int, list[int]] = {header: [] for header in (*loops.by_header, -1)}
    for node in order.nodes:
        header = loops.inside[node]
        found[header].append(node)
        if header == node:
            found[loops.by_header[header].parent].append(node)
    return found


def exits(graph: FlowGraph, order: Order, loops: Loops) -> Mapping[int, list[tuple[int, int]]]:
    """List what leaves each loop, as outcome and arc; a path that just ends inside leaves by arc -1.

    Edges that go back are not among them, but the arcs for when they are used up are.
    """
    found: dict[int, list[tuple[int, int]]] = {header: [] for header in loops.by_header}
    for node in order.nodes if found else ():
        if loops.inside[node] < 0:
            continue
        for number in graph.outcomes_of[node]:
            if graph.outcomes[number].turn == "again":
                continue
            for arc in graph.arcs_of[number]:
                for loop in loops.left_by(graph.arcs[arc]):
                    found[loop.header].append((number, arc))
            if not graph.arcs_of[number]:
                for loop in loops.around(node):
                    found[loop.header].append((number, -1))
    return found


def no_loops(
    graph: FlowGraph, wrong: Iterable[int], together: Together
) -> Iterable[IrreducibleLoop | LoopOnForwardEdge]:
    """Say of each edge that makes no loop that it goes nowhere back, or show a way to its source past its target."""
    left = WAYS
    for edge, arc in sorted({graph.arcs[arc].edge: graph.arcs[arc] for arc in wrong}.items()):
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
        return (target for arc in graph.leaving[node] if (target := graph.arcs[arc].target) != header)

    return tuple(graph.names[node] for node in shortest_way(0, source, near) or ())


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
