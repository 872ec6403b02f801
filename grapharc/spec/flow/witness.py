"""Two points in; the outcomes that make both happen, or one without the other, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import Choice
from grapharc.spec.flow.reach import bits
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Wait, arrivals

TOLD = 20
"""Of more outcomes no more than these are told."""


class Difference(NamedTuple):
    """A part of a join that comes, by the point of one of its arcs, while another does not; and the outcomes to it."""

    first_comes: bool
    point: int
    choices: tuple[Choice, ...]


def both(graph: FlowGraph, together: Together, since: int, one: int, other: int) -> tuple[Choice, ...]:
    """Give outcomes with which both points happen, those of all dominators of one of them, and from there on."""
    ways = together.ways(one, other)
    if ways is None:
        return ()
    first = (*_dominating(together, since), *together.way(since, ways[0][0]))
    return choices(graph, together.points, (*first, *ways[0], *ways[1]))


def one_differs(
    graph: FlowGraph, together: Together, join: int, one: Wait, other: Wait, dooms: bytearray
) -> Difference | None:
    """Find outcomes with which one part of a join comes without the other, or else the other without it."""
    parting = together.tree.parent[join]
    some, others = (
        [together.points.of_outcome[graph.arcs.outcome[arc]] for arc in arrivals(part)] for part in (one, other)
    )
    first = one_without(graph, together, parting, some, others, dooms)
    if first is not None:
        return Difference(True, *first)
    second = one_without(graph, together, parting, others, some, dooms)
    return None if second is None else Difference(False, *second)


def one_without(
    graph: FlowGraph, together: Together, parting: int, some: Collection[int], others: Collection[int], dooms: bytearray
) -> tuple[int, tuple[Choice, ...]] | None:
    """Find one of some points that can happen with none of others once a dominator of all has, and by what outcomes."""
    region = _region(together, parting, (*some, *others))
    sure = _sure(together.points, region, set(others), dooms)
    way = _way(together.points, parting, set(some), sure, dooms)
    if way is None:
        return None
    taken = _follow(together.points, parting, dict(pairwise(way)), sure, dooms)
    return way[-1], choices(graph, together.points, (*_dominating(together, parting), *taken))


def choices(graph: FlowGraph, points: Points, happening: Iterable[int]) -> tuple[Choice, ...]:
    """Name the outcomes among some points that were chosen from several, of very many the last ones."""
    chosen = (
        graph.outcomes[points.outcome[point]]
        for point in sorted(set(happening))
        if points.outcome[point] >= 0 and points.before[point] and points.chooses[points.before[point][0]]
    )
    return tuple(Choice(graph.names[one.node], one.form, one.edge, one.turn) for one in tuple(chosen)[-TOLD:])


def _dominating(together: Together, point: int) -> Iterable[int]:
    """List the points through which every way to a point leads."""
    while point:
        yield point
        point = together.tree.parent[point]


def _region(together: Together, parting: int, goals: Iterable[int]) -> Sequence[int]:
    """List the points between a dominator and some goals, both included, the last first."""
    above = 0
    for goal in goals:
        above |= together.above[goal]
    return [*reversed(list(bits(above & ~together.above[parting]))), parting]


def _sure(points: Points, region: Iterable[int], goals: set[int], dooms: bytearray) -> Mapping[int, bool]:
    """Tell for each point whether a goal happens after it whatever is chosen."""
    sure: dict[int, bool] = {}
    for point in region:
        after = (sure.get(near, False) for near in points.after[point] if not dooms[near])
        sure[point] = point in goals or (all(after) if points.chooses[point] else any(after))
    return sure


def _way(
    points: Points, start: int, goals: set[int], sure: Mapping[int, bool], dooms: bytearray
) -> Sequence[int] | None:
    """Find a way to a goal on which no other goal is sure yet."""
    if sure[start]:
        return None
    came_from = {start: start}
    todo = [start]
    while todo:
        point = todo.pop()
        if point in goals:
            way = [point]
            while came_from[way[-1]] != way[-1]:
                way.append(came_from[way[-1]])
            return way[::-1]
        for near in reversed(points.after[point]):
            if near in sure and not sure[near] and not dooms[near] and near not in came_from:
                came_from[near] = point
                todo.append(near)
    return None


def _follow(
    points: Points, start: int, way: Mapping[int, int], sure: Mapping[int, bool], dooms: bytearray
) -> Collection[int]:
    """Collect all that happens in the region when every choice keeps to the way, or avoids what must not happen."""
    happening = {start}
    todo = [start]
    while todo:
        point = todo.pop()
        after = points.after[point]
        if points.chooses[point]:
            avoiding = (near for near in after if not dooms[near] and not sure.get(near, False))
            after = (way[point],) if point in way else tuple(avoiding)[:1]
        for near in after:
            if near not in happening and (near in sure or points.chooses[point]):
                happening.add(near)
                todo.append(near)
    return happening
