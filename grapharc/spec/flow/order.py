"""A flow graph in; the nodes that can run, each after all that lead to it, and the circles that have no order, out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.reach import reached
from grapharc.spec.frozen import frozen


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


def _with_returns(graph: FlowGraph, following: list[list[int]]) -> list[list[int]]:
    if not graph.returning:
        return following
    also = [list(targets) for targets in following]
    for header, back in graph.returning.items():
        for arc in back:
            also[graph.arcs[arc].source].append(header)
    return also
