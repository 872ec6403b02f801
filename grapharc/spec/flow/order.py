"""A flow graph in; the nodes that can run, each after all that lead to it, and the circles that have no order, out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.problems import Cycle
from grapharc.spec.flow.reach import reached, shortest_way
from grapharc.spec.frozen import frozen

SEARCH = 200_000
"""Above this many steps (nodes times arcs of one knot) the shortest circle is looked for through one node only."""


@frozen
class Order:
    """``nodes`` begins with the start and leaves out the end; ``place`` is a node's index in it, -1 for others.

    Left out are the nodes that cannot be reached, those on a circle without a loop, and all that come after one.
    ``orphans`` are in it, and lead from nowhere that is known: from a loop's edge alone, or from an unknown node.
    """

    nodes: tuple[int, ...]
    place: Sequence[int]
    reachable: bytearray
    stuck: tuple[int, ...]
    orphans: frozenset[int]


def order(graph: FlowGraph) -> Order:
    """Put the nodes in an order that depends on nothing but names and edges."""
    arcs, end = graph.arcs, graph.end
    following: list[list[int]] = [[arcs[arc].target for arc in leaving] for leaving in graph.leaving]
    reachable = reached((0, *sorted(graph.loose)), _with_returns(graph, following).__getitem__, len(graph.names))
    missing = [0] * len(graph.names)
    for node in range(end):
        if reachable[node]:
            for target in following[node]:
                missing[target] += 1
    nodes = [node for node in range(end) if reachable[node] and (node == 0 or not missing[node])]
    orphans = frozenset(nodes[1:]) | graph.loose
    for node in nodes:
        for target in following[node]:
            missing[target] -= 1
            if not missing[target] and target != end:
                nodes.append(target)
    place = [-1] * len(graph.names)
    for index, node in enumerate(nodes):
        place[node] = index
    stuck = tuple(node for node in range(end) if reachable[node] and place[node] < 0)
    return Order(tuple(nodes), place, reachable, stuck, orphans)


def cycles(graph: FlowGraph, stuck: Sequence[int]) -> Iterable[Cycle]:
    """Give one circle, as short as there is, for each knot of nodes that all reach each other without a loop's edge."""
    inside = set(stuck)
    arcs = graph.arcs
    following = {node: [t for arc in graph.leaving[node] if (t := arcs[arc].target) in inside] for node in stuck}
    for knot in _knots(stuck, following):
        members = set(knot)
        near = {node: [target for target in following[node] if target in members] for node in knot}
        way = _shortest_circle(knot, near)
        edges = tuple(
            next(arcs[arc].edge for arc in graph.leaving[source] if arcs[arc].target == target)
            for source, target in pairwise(way)
        )
        yield Cycle(tuple(graph.names[node] for node in way), edges)


def _with_returns(graph: FlowGraph, following: list[list[int]]) -> list[list[int]]:
    if not graph.returning:
        return following
    also = [list(targets) for targets in following]
    for header, back in graph.returning.items():
        for arc in back:
            also[graph.arcs[arc].source].append(header)
    return also


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
