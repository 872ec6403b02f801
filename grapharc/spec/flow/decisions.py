"""A node after which something is decided goes in; the spots that this decides about, and those that follow it, out.

Decided is by conditions which edges are taken, and by what a node does whether it fails, which an error edge of it or
of a subgraph around it shows; what nobody catches ends the run, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from grapharc.spec.flow.shared import Shared
from grapharc.spec.flow.unfolded import Copy, Unfolded
from grapharc.spec.frozen import frozen


@frozen
class Decision:
    """What is decided after a spot: ``region`` are the nodes of the copy ``within`` about which it is.

    All that lies within its subgraphs, and in those that a failure breaks off, may be part of it.
    """

    spot: int
    within: Copy
    region: Shared
    seeds: tuple[int, ...]
    """Where it leads to at once by a success, or by the only outcome that is asked about."""
    failing: tuple[int, ...] = ()
    """Where it leads to at once by a failure, where it is about both."""

    def belongs(self, graph: Unfolded, spot: int) -> bool:
        """Tell whether a spot may be part of it."""
        return graph.copy_of[spot] is not self.within or spot - self.within.base in self.region

    def onward(self, via: Collection[int]) -> Iterable[int]:
        """List where it leads to at once, as far as no success of one in ``via`` comes before."""
        settles = bool(self.failing)
        return self.failing if settles and self.spot in via else (*self.seeds, *self.failing)


def by_fields(copy: Copy, number: int, failed: bool) -> Decision:
    """Say what is decided by the conditions of a node's edges."""
    taken = copy.layout.failure[number] if failed else copy.layout.success[number]
    seeds = tuple(copy.base + one.target for one in taken)
    return Decision(copy.base + number, copy, copy.layout.decided(number, failed), seeds)


def by_outcome(graph: Unfolded, spot: int) -> Decision | None:
    """Say what is decided by whether a node fails, None where that is not seen.

    A subgraph that collects its failures is done with them itself.
    """
    copy = graph.copy_of[spot]
    number = spot - copy.base
    node = copy.layout.nodes[number]
    if node is None or (node.offer.kind.never_fails and node.map is None):
        return None
    seeds = tuple(near for near, _ in graph.onward[spot])
    failing = tuple(near for near, _ in graph.failing[spot])
    if number in copy.inside and not failing:  # it fails by a node within, of which this is asked
        return None
    while not copy.layout.failure[number]:
        if copy.around is None:
            return None
        copy, number = copy.around, copy.at
        node = copy.layout.nodes[number]
        if node is not None and node.map is not None and node.map.collect:
            return Decision(spot, copy, copy.layout.nothing, seeds, failing)
    return Decision(spot, copy, copy.layout.settled(number), seeds, failing)


def decided(graph: Unfolded, decision: Decision, via: Collection[int]) -> dict[int, None]:
    """List the spots whose activation depends on the decision, as far as no success of one in ``via`` comes before.

    What lies within a subgraph that is decided about is part of it; its end stands for all that the subgraph writes.
    The nearest come first.
    """
    found = dict.fromkeys(spot for spot in decision.onward(via) if decision.belongs(graph, spot))
    for spot in (order := list(found)):
        onward = () if spot in via else graph.onward[spot]
        for near, _ in (*onward, *graph.failing[spot]):
            if near not in found and decision.belongs(graph, near):
                found[near] = None
                order.append(near)
    return found


def followed(graph: Unfolded, decision: Decision, via: Collection[int]) -> Collection[int]:
    """Collect all spots that come after a decision, as far as no success of one in ``via`` comes before."""
    found = set(decision.onward(via))
    todo = list(found)
    while todo:
        spot = todo.pop()
        onward = () if spot in via else graph.onward[spot]
        for near, _ in (*onward, *graph.failing[spot]):
            if near not in found:
                found.add(near)
                todo.append(near)
    return found
