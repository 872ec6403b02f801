"""A node after which something is decided goes in; the spots that this decides about, and those that follow it, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from grapharc.spec.flow.unfolded import Copy, Unfolded


def decided(graph: Unfolded, copy: Copy, number: int, failed: bool, via: Collection[int]) -> dict[int, None]:
    """List the spots whose activation depends on the decision, as far as no success of one in ``via`` comes before.

    What lies within a subgraph that is decided about is part of it; its end stands for all that the subgraph writes.
    The nearest come first.
    """
    region = copy.layout.decided(number, failed)

    def belongs(spot: int) -> bool:
        return graph.copy_of[spot] is not copy or bool(region >> (spot - copy.base) & 1)

    seeds = [spot for spot in _seeds(copy, number, failed) if belongs(spot)]
    found = dict.fromkeys(seeds)
    for spot in (order := list(found)):
        onward = () if spot in via else graph.onward[spot]
        for near, _ in (*onward, *graph.failing[spot]):
            if near not in found and belongs(near):
                found[near] = None
                order.append(near)
    return found


def followed(graph: Unfolded, copy: Copy, number: int, failed: bool, via: Collection[int]) -> Collection[int]:
    """Collect all spots that come after a decision, as far as no success of one in ``via`` comes before."""
    found = set(_seeds(copy, number, failed))
    todo = list(found)
    while todo:
        spot = todo.pop()
        onward = () if spot in via else graph.onward[spot]
        for near, _ in (*onward, *graph.failing[spot]):
            if near not in found:
                found.add(near)
                todo.append(near)
    return found


def _seeds(copy: Copy, number: int, failed: bool) -> Iterable[int]:
    taken = copy.layout.failure[number] if failed else copy.layout.success[number]
    return [copy.base + one.target for one in taken]
