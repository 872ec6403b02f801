"""The nodes of a flow graph that have no order in; the circles that their edges make, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.problems import Cycle, ExhaustedIntoBody
from grapharc.spec.flow.reach import reached, shortest_way

SEARCH = 200_000
"""Above this many steps (nodes times arcs of one knot) the shortest circle is looked for through one node only."""

LOOKED_AT = 50
"""Of more circles, or loops whose used up rounds lead into a circle, nobody asks what would mend them."""


def cycles(graph: FlowGraph, stuck: Sequence[int]) -> Iterable[Cycle | ExhaustedIntoBody]:
    """Give one circle, as short as there is, for each knot of nodes that all reach each other without a loop's edge.

    Where that is only so because a loop leads back into itself once it is used up, say that.
    """
    if not stuck:
        return
    arcs = graph.arcs
    inside = set(stuck)
    misled = _misled(graph, inside)
    for edge, arc in sorted({arcs.edge[arc]: arc for arc in misled}.items()):
        header = next(target for target, back in graph.returning.items() if any(arcs.edge[one] == edge for one in back))
        yield ExhaustedIntoBody(graph.names[header], graph.names[arcs.target[arc]], edge)
    following = {
        node: [t for arc in graph.leaving[node] if (t := arcs.target[arc]) in inside and arc not in misled]
        for node in stuck
    }
    for number, knot in enumerate(_knots(stuck, following)):
        members = set(knot)
        near = {node: [target for target in following[node] if target in members] for node in knot}
        way = _shortest_circle(knot, near)
        head = _head(graph, way) if number < LOOKED_AT else -1
        if head >= 0:
            first = way.index(head)
            way = (*way[first:-1], *way[: first + 1])
        edges = tuple(
            next(arcs.edge[arc] for arc in graph.leaving[source] if arcs.target[arc] == target and arc not in misled)
            for source, target in pairwise(way)
        )
        yield Cycle(tuple(graph.names[node] for node in way), edges, head >= 0)


def _misled(graph: FlowGraph, inside: Collection[int]) -> Collection[int]:
    """Find the arcs that lead from a used up loop into its own body."""
    arcs = graph.arcs
    header_of = {arcs.edge[arc]: header for header, back in graph.returning.items() for arc in back}
    found: dict[tuple[int, int], bool] = {}
    misled: set[int] = set()
    for arc in sorted(arcs.exhausted):
        if arcs.source[arc] in inside and arcs.target[arc] in inside:
            key = header_of[arcs.edge[arc]], arcs.target[arc]
            if key not in found and len(found) < LOOKED_AT:
                found[key] = _is_in_body(graph, header_of, *key)
            if found.get(key, False):
                misled.add(arc)
    return misled


def _is_in_body(graph: FlowGraph, header_of: dict[int, int], header: int, node: int) -> bool:
    """Tell whether a node reaches an edge back to a header without passing it, before the loop is used up."""
    if node == header:
        return True
    arcs = graph.arcs

    def near(node: int) -> Iterable[int]:
        for arc in graph.leaving[node]:
            is_used_up = arc in arcs.exhausted and header_of[arcs.edge[arc]] == header
            if arcs.target[arc] != header and not is_used_up:
                yield arcs.target[arc]

    seen = reached((node,), near, len(graph.names))
    return any(seen[arcs.source[arc]] for arc in graph.returning[header])


def _head(graph: FlowGraph, way: Sequence[int]) -> int:
    """Find the node of a circle to which every way from the start leads first; -1 if there are several."""
    circle = set(way)

    def near(node: int) -> Iterable[int]:
        return () if node in circle else (graph.arcs.target[arc] for arc in graph.leaving[node])

    seen = reached((0, *sorted(graph.loose)), near, len(graph.names))
    heads = [node for node in circle if seen[node]]
    return heads[0] if len(heads) == 1 else -1


def _shortest_circle(knot: Sequence[int], near: dict[int, list[int]]) -> tuple[int, ...]:
    work = len(knot) * sum(len(targets) for targets in near.values())
    best: tuple[int, ...] | None = None
    for node in knot if work <= SEARCH else knot[:1]:
        found = shortest_way(node, node, near.__getitem__, limit=len(best) - 2 if best else None)
        best = found or best
    assert best is not None, "every node of a knot lies on a circle"  # noqa: S101
    return best


def _knots(nodes: Sequence[int], following: dict[int, list[int]]) -> list[list[int]]:
    """Find the strongly connected components of two nodes or more (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for root in nodes:
        if root in index:
            continue
        trail = [(root, iter(following[root]))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        while trail:
            node, targets = trail[-1]
            target = next(targets, None)
            if target is None:
                trail.pop()
                if trail:
                    low[trail[-1][0]] = min(low[trail[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_close(node, open_nodes, is_open))
            elif target not in index:
                index[target] = low[target] = len(index)
                open_nodes.append(target)
                is_open.add(target)
                trail.append((target, iter(following[target])))
            elif target in is_open:
                low[node] = min(low[node], index[target])
    return sorted(knot for knot in found if len(knot) > 1)


def _close(root: int, open_nodes: list[int], is_open: set[int]) -> list[int]:
    knot: list[int] = []
    while not knot or knot[-1] != root:
        knot.append(open_nodes.pop())
        is_open.discard(knot[-1])
    return sorted(knot)
