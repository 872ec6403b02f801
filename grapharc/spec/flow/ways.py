"""Spots where ways begin and end and those that close a way in; a shortest open way to each end that has one, out.

Nothing is sampled: what has passed a spot that closes ways is taken out of the graph, and what can still be reached is
reached. Such a spot closes a way by a success only: a node that fails has not done what it stands there for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from grapharc.spec.flow.layout import Taken
from grapharc.spec.flow.unfolded import Unfolded
from grapharc.spec.frozen import frozen


class Hop(NamedTuple):
    """One step of a way, from node to node; ``by`` are the edges that are taken, several where a graph is entered."""

    source: int
    target: int
    by: tuple[Taken, ...]


@frozen
class Ways:
    """A way of the fewest nodes to each target that one leads to, by an edge at least; the nearest target first.

    ``lengths`` counts the nodes after the first, ``source`` is where the way begins.
    """

    graph: Unfolded
    lengths: Mapping[int, int]
    source: Mapping[int, int]
    _last: Mapping[int, tuple[int, Taken]]
    _came: Mapping[int, tuple[int, Taken] | None]

    def hops(self, target: int) -> tuple[Hop, ...]:
        """Return the way, step by step: those through starts, ends and breakings off with the one that leads on."""
        arcs: list[tuple[int, Taken]] = [self._last[target]]
        while (before := self._came[arcs[-1][0]]) is not None:
            arcs.append(before)
        arcs.reverse()
        nodes = [*(spot for spot, _ in arcs[1:]), target]
        found: list[Hop] = []
        source, by = arcs[0][0], list[Taken]()
        for (_, taken), near in zip(arcs, nodes, strict=True):
            by += [taken] if taken.edge is not None else []
            if near in self.graph.nodes or near == target:
                found.append(Hop(source, near, tuple(by)))
                source, by = near, []
        return tuple(found)

    def before(self, target: int) -> int:
        """Return the last node before a target; the spot where the way begins, where there is none."""
        spot = self._last[target][0]
        while spot not in self.graph.nodes and (came := self._came[spot]) is not None:
            spot = came[0]
        return spot


def shortest_ways(graph: Unfolded, sources: Iterable[int], targets: Collection[int], via: Collection[int]) -> Ways:
    """Find the ways. Of equally short ones it is that whose nodes come first; ends in ``via`` begin and end none."""
    came: dict[int, tuple[int, Taken] | None] = {}
    last: dict[int, tuple[int, Taken]] = {}
    origin: dict[int, tuple[int, int]] = {}
    nodes = graph.nodes
    todo: deque[int] = deque()
    for source in sorted(set(sources).difference(via), key=graph.name):
        came[source] = None
        origin[source] = source, 0
        todo.append(source)
    while todo:
        spot = todo.popleft()
        onward = () if spot in via else graph.onward[spot]
        for near, taken in (*onward, *graph.failing[spot]):
            if near in targets and near not in via and near not in last:
                last[near] = spot, taken
            if near not in came:
                came[near] = spot, taken
                first, length = origin[spot]
                if near in nodes:
                    origin[near] = first, length + 1
                    todo.append(near)
                else:  # it takes no node to pass it
                    origin[near] = first, length
                    todo.appendleft(near)
    sources_of = {target: origin[spot][0] for target, (spot, _) in last.items()}
    lengths = {target: origin[spot][1] + 1 for target, (spot, _) in last.items()}
    return Ways(graph, lengths, sources_of, last, came)
