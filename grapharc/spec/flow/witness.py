"""Two points in; the outcomes that make both happen, or one without the other, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import Choice
from grapharc.spec.flow.reach import bits
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Wait, arrivals


def both(graph: FlowGraph, together: Together, one: int, other: int) -> tuple[Choice, ...]:
    """Give outcomes with which both points happen, from where their ways part."""
    ways = together.ways(one, other)
    return choices(graph, together.points, (point for way in ways or () for point in way))


def one_without(
    graph: FlowGraph, together: Together, parting: int, some: Collection[int], others: Collection[int], dooms: bytearray
) -> tuple[Choice, ...] | None:
    """Give outcomes with which one of some points happens and none of others, once a dominator of all has happened."""
    region = _region(together, parting, (*some, *others))
    sure = _sure(together.points, region, set(others), dooms)
    way = _way(together.points, parting, set(some), sure, dooms)
    if way is None:
        return None
    taken = _follow(together.points, parting, way, sure, dooms)
    return choices(graph, together.points, taken)


def one_differs(
    graph: FlowGraph, together: Together, join: int, one: Wait, other: Wait, dooms: bytearray
) -> tuple[bool, tuple[Choice, ...]] | None:
    """Find outcomes with which one part of a join comes without the other, or else the other without it (False)."""
    parting = together.tree.parent[join]
    some, others = (
        [together.points.of_outcome[graph.arcs[arc].outcome] for arc in arrivals(part)] for part in (one, other)
    )
    first = one_without(graph, together, parting, some, others, dooms)
    if first is not None:
        return True, first
    second = one_without(graph, together, parting, others, some, dooms)
    return None if second is None else (False, second)


def choices(graph: FlowGraph, points: Points, happening: Iterable[int]) -> tuple[Choice, ...]:
    """Name the outcomes among some points that were chosen from several."""
    chosen = (
        graph.outcomes[points.outcome[point]]
        for point in sorted(set(happening))
        if points.outcome[point] >= 0 and points.before[point] and points.chooses[points.before[point][0]]
    )
    return tuple(Choice(graph.names[one.node], one.form, one.edge, one.turn) for one in chosen)


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
) -> Mapping[int, int] | None:
    """Find a way to a goal on which no other goal is sure yet; each point of it with the next."""
    if sure[start]:
        return None
    came_from = {start: start}
    todo = [start]
    while todo:
        point = todo.pop()
        if point in goals:
            way: dict[int, int] = {}
            while came_from[point] != point:
                way[came_from[point]] = point
                point = came_from[point]
            return way
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
