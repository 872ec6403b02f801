"""Numbered nodes and what each leads to in; all that each leads to at some time, in circles too, out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.spec.flow.shared import Shared, nothing


def after(following: Sequence[Sequence[int]]) -> Sequence[Shared]:
    """For each node itself and all that it leads to; nodes on one circle share theirs.

    Tarjan's algorithm finds the circles, the last of them first, so that what follows one is known when it is closed.
    """
    size = len(following)
    found = [nothing(size)] * size
    place = [-1] * size
    lowest = [0] * size
    open_nodes: list[int] = []
    is_open = bytearray(size)
    count = 0
    for root in range(size):
        if place[root] >= 0:
            continue
        trail = [(root, 0)]
        while trail:
            node, number = trail.pop()
            if number == 0:
                place[node] = lowest[node] = count
                count += 1
                open_nodes.append(node)
                is_open[node] = 1
            near = following[node]
            while number < len(near):
                other = near[number]
                number += 1
                if place[other] < 0:
                    trail.append((node, number))
                    trail.append((other, 0))
                    break
                if is_open[other]:
                    lowest[node] = min(lowest[node], place[other])
            else:
                if lowest[node] == place[node]:
                    _close(node, open_nodes, is_open, following, found)
                if trail:
                    above = trail[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
    return found


def _close(
    first: int, open_nodes: list[int], is_open: bytearray, following: Sequence[Sequence[int]], found: list[Shared]
) -> None:
    """Take a circle, or a single node, off the open ones, and put together what it leads to."""
    circle: list[int] = []
    while not circle or circle[-1] != first:
        node = open_nodes.pop()
        is_open[node] = 0
        circle.append(node)
    whole = found[first]
    for node in circle:
        for other in following[node]:
            whole |= found[other]
    for node in circle:
        whole = whole.plus(node)
    for node in circle:
        found[node] = whole
