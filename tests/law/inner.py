"""A node that runs an inner graph goes in, with a way to run that; what the node writes comes out, or that it failed.

Each entry starts from the inner graph's defaults: each attempt, and each item with each of its attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tests.law.acting import Acts, Place
from tests.law.document import INPUTS, Fan, Node, Value, item_of

Enter: TypeAlias = "Callable[[Mapping[str, Value], Place], Mapping[str, Value] | None]"
"""Inputs, and where the inner graph runs; its state in the end, or None if it failed."""


def run_inner(
    acts: Acts, node: Node, state: Mapping[str, Value], place: Place, enter: Enter
) -> tuple[int, dict[str, Value]]:
    """Run the node: return 0 and what it writes by field, or after how many attempts it still fails."""
    assert node.inner is not None
    by_name = {name: name for name, one in node.inner.fields.items() if one.input and name in state}
    bound = {**by_name, **dict(zip(INPUTS, node.reads, strict=False)), **node.binds}
    inputs = {port: state[field] for port, field in bound.items()}
    failed: dict[str, Value] = {}
    if node.fan is None:
        attempts, gave = _attempts(node, inputs, Place(f"{place.way}{node.name}/", place.lane), enter)
        wrote = {field: gave[port] for port, field in node.writes.items()} if gave is not None else {}
    else:
        attempts, wrote, failed = _items(node, node.fan, state, inputs, place, enter)
    if attempts:
        acts.failed = {"node": place.way + node.name, "attempts": attempts, "index": None, **failed}
    return attempts, wrote


def _attempts(
    node: Node, inputs: Mapping[str, Value], place: Place, enter: Enter
) -> tuple[int, Mapping[str, Value] | None]:
    """Enter until it succeeds; return 0 and the state in the end, or the number of attempts."""
    tries = node.tries if node.patient else 1
    for _ in range(tries):
        if (state := enter(inputs, place)) is not None:
            return 0, state
    return tries, None


def _items(
    node: Node, fan: Fan, state: Mapping[str, Value], inputs: Mapping[str, Value], place: Place, enter: Enter
) -> tuple[int, dict[str, Value], dict[str, Value]]:
    """Enter for each item; return what all of them write, or after how many attempts which of them failed."""
    items = state[fan.over]
    if len(items) > fan.limit:
        return 1, {}, {}
    gives: list[Mapping[str, Value]] = []
    lost: list[Value] = []
    for index, item in enumerate(items):
        lane = item_of(place.lane, item)
        attempts, gave = _attempts(node, inputs, Place(f"{place.way}{node.name}/", lane), enter)
        if gave is None:
            lost.append({"node": place.way + node.name, "attempts": attempts, "index": index})
        else:
            gives.append(gave)
    if lost and not fan.collect:
        return lost[0]["attempts"], {}, {"index": lost[0]["index"]}
    wrote = {field: _together(port, [gave[port] for gave in gives]) for port, field in node.writes.items()}
    return 0, wrote if fan.lost is None else {**wrote, fan.lost: lost}, {}


def _together(port: str, gives: list[Value]) -> Value:
    """Put together what items give: lists for a field that takes them in one by one are concatenated."""
    return [one for gave in gives for one in gave] if port == "note" else gives
