"""A flow graph in; the nodes that can run, each after all that lead to it, and the circles that have no order, out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.reach import reached
from grapharc.spec.frozen import frozen


@frozen(slots=False)
class Order:
    """``nodes`` begins with the start and leaves out the end.

    Left out are the nodes that cannot be reached, those on a circle without a loop, and all that come after one.
    ``orphans`` are in it, and lead from nowhere that is known: from a loop's edge alone, or from an unknown node.
    """

    nodes: Sequence[int]
    reachable: bytearray
    stuck: tuple[int, ...]
    orphans: frozenset[int]

    @cached_property
    def place(self) -> Sequence[int]:
        """Each node's index in the order, -1 for others."""
        place = [-1] * len(self.reachable)
        for index, node in enumerate(self.nodes):
            place[node] = index
        return place


def order(graph: FlowGraph) -> Order:
    """Put the nodes in an order that depends on nothing but names and edges."""
    nodes = [0]
    _line_up(graph, nodes, {node: len(arcs) for node, arcs in graph.entering.more.items()})
    if len(nodes) == graph.end and not graph.loose:  # nothing is out of reach, and nothing goes round
        reachable = bytearray(b"\1" * len(graph.names))
        reachable[graph.end] = bool(graph.entering[graph.end]) or graph.end in graph.returning
        return Order(nodes, reachable, (), frozenset())
    return _order_of_some(graph)


def _line_up(graph: FlowGraph, nodes: list[int], missing: dict[int, int]) -> None:
    """Put behind some nodes all those to which nothing else leads; ``missing`` counts arcs, where they are not one."""
    target, one, more, end = graph.arcs.target, graph.leaving.one, graph.leaving.more, graph.end
    for node in nodes:
        arc = one[node]
        for leaving in more.get(node, ()) if arc < 0 else (arc,):
            near = target[leaving]
            left = missing.get(near, 1) - 1
            if left:
                missing[near] = left
            elif near != end:
                nodes.append(near)


def _order_of_some(graph: FlowGraph) -> Order:
    """Do the same where some nodes cannot be reached, or have no order: what leads from there does not count."""
    target, end = graph.arcs.target, graph.end
    following: list[list[int]] = [[target[arc] for arc in graph.leaving[node]] for node in range(len(graph.names))]
    reachable = reached((0, *sorted(graph.loose)), _with_returns(graph, following).__getitem__, len(graph.names))
    missing = [0] * len(graph.names)
    for node in range(end):
        if reachable[node]:
            for near in following[node]:
                missing[near] += 1
    nodes = [node for node in range(end) if reachable[node] and (node == 0 or not missing[node])]
    orphans = frozenset(nodes[1:]) | graph.loose
    _line_up(graph, nodes, {node: count for node, count in enumerate(missing) if count != 1})
    ordered = set(nodes)
    stuck = tuple(node for node in range(end) if reachable[node] and node not in ordered)
    return Order(nodes, reachable, stuck, orphans)


def _with_returns(graph: FlowGraph, following: list[list[int]]) -> list[list[int]]:
    if not graph.returning:
        return following
    also = [list(targets) for targets in following]
    for header, back in graph.returning.items():
        for arc in back:
            also[graph.arcs.source[arc]].append(header)
    return also
