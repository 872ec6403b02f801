"""Numbered nodes and their neighbours in; who is reached, by which way, and all ancestors as bit sets, out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence


def reached(starts: Iterable[int], neighbours: Callable[[int], Iterable[int]], size: int) -> bytearray:
    """Mark all that can be reached from some starts, the starts included."""
    seen = bytearray(size)
    todo: list[int] = []
    for start in starts:
        if not seen[start]:
            seen[start] = 1
            todo.append(start)
    while todo:
        for near in neighbours(todo.pop()):
            if not seen[near]:
                seen[near] = 1
                todo.append(near)
    return seen


def shortest_way(
    start: int, goal: int, neighbours: Callable[[int], Iterable[int]], limit: int | None = None
) -> tuple[int, ...] | None:
    """Find a shortest way of one step or more, both ends included; ``limit`` is the most steps it may take."""
    came_from: dict[int, int] = {}
    steps = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        if limit is not None and steps[here] >= limit:
            return None
        for near in neighbours(here):
            if near == goal:
                return _back_to(start, here, came_from, goal)
            if near not in steps:
                steps[near] = steps[here] + 1
                came_from[near] = here
                todo.append(near)
    return None


def ancestors(before: Sequence[Sequence[int]]) -> list[int]:
    """For each point all that reach it, itself included, as a bit set; predecessors have lower numbers."""
    above: list[int] = []
    for point, near in enumerate(before):
        mine = 1 << point
        for other in near:
            mine |= above[other]
        above.append(mine)
    return above


def bit_set(members: Iterable[int]) -> int:
    """Make a bit set of some members."""
    flags = bytearray()
    for member in members:
        byte = member >> 3
        if byte >= len(flags):
            flags.extend(bytes(byte + 1 - len(flags)))
        flags[byte] |= 1 << (member & 7)
    return int.from_bytes(flags, "little")


def bits(mask: int) -> Iterable[int]:
    """List the members of a bit set, the lowest first, fast for many and for few of them."""
    if mask.bit_count() > _FEW:
        return _read_off(mask)
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


_FEW = 16
"""Of so few members of a bit set each is taken off by itself."""


def _read_off(mask: int) -> Iterable[int]:
    digits = f"{mask:b}"[::-1]
    member = digits.find("1")
    while member >= 0:
        yield member
        member = digits.find("1", member + 1)


def _back_to(start: int, here: int, came_from: dict[int, int], goal: int) -> tuple[int, ...]:
    way = [goal, here]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))
