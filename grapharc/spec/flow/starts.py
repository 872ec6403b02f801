"""What one activation of each node costs in; what each start costs, with all items and attempts, out.

A timeout ends what would take longer. Of a kind that does not say how long it takes, a timeout is no estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from grapharc.spec.flow.amounts import MOST, Amounts, at_most, times
from grapharc.spec.linked import LinkedGraph, Node, Retry


class Repeats(NamedTuple):
    """How often a node runs at worst each time it starts: attempts of each item, of which some run side by side.

    ``pause`` is the sum of the seconds between the attempts.
    """

    attempts: int = 1
    items: int = 1
    lanes: int = 1
    pause: float = 0.0


def starts(graph: LinkedGraph, single: Mapping[str, Amounts], max_concurrency: int | None) -> Mapping[str, Amounts]:
    """Compute the worst case of each node each time it starts: of all its items, and all attempts of each."""
    found = dict(single)
    for name, node in graph.nodes.items():
        if node.timeout_seconds is not None and (seconds := single[name].seconds) is not None:
            found[name] = single[name]._replace(seconds=min(seconds, node.timeout_seconds))
        if node.map is not None or node.retry is not None:
            found[name] = repeated(found[name], _repeats(node, max_concurrency))
    return found


def runs(node: Node) -> int:
    """Say how often a node runs at most each time it starts."""
    repeats = _repeats(node, None)
    return repeats.attempts * repeats.items


def repeated(one: Amounts, repeats: Repeats) -> Amounts:
    """Multiply the cost of one activation."""
    runs = repeats.attempts * repeats.items
    waves = ceil(repeats.items / repeats.lanes)
    seconds = None if one.seconds is None else at_most((one.seconds * repeats.attempts + repeats.pause) * waves)
    return Amounts(times(one.tokens, runs), times(one.usd, runs), seconds, times(one.iterations, runs))


def _repeats(node: Node, max_concurrency: int | None) -> Repeats:
    items, lanes = 1, 1
    if node.map is not None:
        items = node.map.max_items
        lanes = min(limit for limit in (items, node.map.concurrency, max_concurrency) if limit is not None)
    if node.retry is None:
        return Repeats(1, items, lanes)
    return Repeats(node.retry.max_attempts, items, lanes, pause(node.retry))


def pause(retry: Retry) -> float:
    """Add up the waits between attempts: the first as told, each other twice the one before, none above its limit."""
    limit = MOST if retry.max_backoff_seconds is None else min(retry.max_backoff_seconds, MOST)
    whole, wait, left = 0.0, min(float(retry.backoff_seconds), limit), retry.max_attempts - 1
    while left and 0 < wait < limit:
        whole += wait
        wait = min(wait * 2, limit)
        left -= 1
    return min(whole + wait * left, MOST)
