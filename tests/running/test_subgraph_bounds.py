"""What a subgraph does counts for the run around it, and each entry is held to a budget of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from grapharc.runtime.errors import OverBudget
from grapharc.spec.linked import Budget
from tests.running.nested import CAUGHT, INNER, PLAIN, bumping, failing, in_the_middle, outer, two_deep
from tests.running.road import Road


def mapped(concurrency: int, more: str = "") -> str:
    return (
        '[state]\nns = { type = "list[integer]", default = [1, -2, 3] }\n'
        'found = { type = "list[integer]", default = [], output = true }\n'
        'lost = { type = "list[Failure]", default = [], output = true }\n'
        '[[nodes]]\nname = "sub"\nkind = "graph"\nargs = { path = "inner.toml" }\n'
        'reads = { start = "each" }\nwrites = { end = "found" }\n'
        f'map = {{ over = "ns", as = "each", max_items = 5, concurrency = {concurrency}, on_item_error = "collect", '
        f'failures = "lost" }}\n{more}' + PLAIN
    )


@pytest.mark.parametrize("concurrency", [1, 3])
def test_in_a_map_each_item_has_its_own_state(road: Road, concurrency: int) -> None:
    def bump(n: int, c: int) -> dict[str, int]:
        if n < 0:
            raise ValueError(f"no {n}")
        return {"out": n * 10 + c, "c": c + 1}

    bumping(road, bump)
    done = road.run(mapped(concurrency))
    lost: Any = done.outputs["lost"]
    assert done.outputs["found"] == [10, 30]
    assert [(one["node"], one["index"]) for one in lost] == [("sub", 1)]


def test_no_more_runs_at_once_than_the_run_allows(road: Road) -> None:
    """The node only waits for those inside, which stand in line with all others; and none starves another."""
    running, most = [0], [0]
    lock = threading.Lock()

    def count(change: int) -> None:
        with lock:
            running[0] += change
            most[0] = max(most[0], running[0])

    def bump(n: int, c: int) -> dict[str, int]:
        count(1)
        time.sleep(0.01)
        count(-1)
        return {"out": n, "c": c}

    async def bump_async(n: int, c: int) -> dict[str, int]:
        count(1)
        await asyncio.sleep(0.01)
        count(-1)
        return {"out": n, "c": c}

    bumping(road, bump_async if road.mode == "coroutines" else bump)
    road.files["inner.toml"] = INNER + (
        '[[nodes]]\nname = "twin"\nkind = "bump"\nreads = { n = "start", c = "0" }\nwrites = {}\n'
        '[[edges]]\nchain = ["__start__", "twin", "__end__"]\n'
    )
    done = road.run(mapped(3), budget=Budget(max_concurrency=1))
    assert (done.outputs["found"], most[0], done.spent.concurrency) == ([1, -2, 3], 1, 1)


def test_iterations_inside_count_for_the_run(road: Road) -> None:
    bumping(road)
    assert road.run(outer()).spent.iterations == 2
    with pytest.raises(OverBudget) as caught:
        road.run(outer(), budget=Budget(max_iterations=1))
    assert (caught.value.node, caught.value.graph) == ("sub/bump", "")


@pytest.mark.parametrize("more", ["", "retry = { max_attempts = 3 }", "timeout_seconds = 60"])
def test_steps_inside_count_for_the_run_and_its_worst_case(road: Road, more: str) -> None:
    """A step of the node itself, and one inside for each entry; LangGraph is told of each graph its own."""
    tries: list[int] = []

    def third(n: int, c: int) -> dict[str, int]:
        tries.append(c)
        if "retry" in more and len(tries) < 3:
            raise ValueError("not yet")
        return {"out": n + 1, "c": c + 1}

    two_deep(road, third)
    text = in_the_middle(outer(more=more))
    entries = 3 if "retry" in more else 1
    flow, records = road.admission(text).flow, road.records(text)
    assert (flow.steps, flow.control.steps) == (1 + entries * 2, 1)
    spent: Any = records[-1]["spent"]
    assert spent["steps"] == 1 + entries * 2


def test_steps_of_an_entry_that_fails_count_too(road: Road) -> None:
    two_deep(road, failing)
    spent: Any = road.records(in_the_middle(outer()))[-1]["spent"]
    assert spent["steps"] == 3


def test_the_inner_budget_bounds_each_entry(road: Road) -> None:
    def slow(n: int, c: int) -> dict[str, int]:
        for _ in range(100):
            time.sleep(0.01)
        return {"out": n, "c": c}

    bumping(road, slow)
    road.notes("mend")
    road.files["inner.toml"] = "[budget]\nmax_seconds = 0.1\n" + INNER
    with pytest.raises(OverBudget) as caught:
        road.run(outer(CAUGHT))
    assert str(caught.value).startswith("the budget of subgraph 'sub', 0.1 seconds, ran out in node 'sub/bump'")
    assert road.ran == []
