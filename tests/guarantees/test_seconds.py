"""A run ends when its time is over, whatever its nodes are doing, and no node ends more than its run."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, TypedDict

import pytest

from grapharc.compiler.compiled import CompiledGraph
from grapharc.runtime.budget import Declared
from grapharc.runtime.errors import NodeFailed, OverBudget, OverDeclaredCost, RunError
from grapharc.spec.linked import Budget
from grapharc.spec.types import INTEGER, STRING
from tests.by_hand import field, graph, node, raw


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    text: str


TEXT = field("text", STRING, "", output=True)
N = field("n", INTEGER, 0, output=True)
SLEEP = 3.0


def sleeps(*_: object) -> dict[str, str]:
    """Code that does nothing but block."""
    time.sleep(SLEEP)
    return {"text": "too late"}


def spins(*_: object) -> dict[str, str]:
    """Code that never leaves Python."""
    end = time.monotonic() + SLEEP
    while time.monotonic() < end:
        pass
    return {"text": "too late"}


async def waits(*_: object) -> dict[str, str]:
    """Code that waits as coroutines do."""
    await asyncio.sleep(SLEEP)
    return {"text": "too late"}


async def blocks(*_: object) -> dict[str, str]:
    """A coroutine that blocks its event loop."""
    return sleeps()


def sync(compiled: CompiledGraph) -> object:
    return compiled.invoke()


def other_thread(compiled: CompiledGraph) -> object:
    caught: list[BaseException] = []

    def run() -> None:
        try:
            compiled.invoke()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise caught[0]


def on_a_loop(compiled: CompiledGraph) -> object:
    return asyncio.run(compiled.ainvoke())


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("how", "function"),
    [
        (sync, sleeps),
        (sync, spins),
        (other_thread, spins),
        (on_a_loop, waits),
        (on_a_loop, spins),
        (on_a_loop, sleeps),
        (on_a_loop, blocks),
    ],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("limit", [Budget(max_seconds=0.15), Declared(seconds=0.15)], ids=["budget", "declared"])
def test_seconds_interrupt_a_node_that_is_running(
    how: Callable[[CompiledGraph], object], function: Callable[..., object], limit: Budget | Declared
) -> None:
    budget = limit if isinstance(limit, Budget) else Budget()
    declared = {"a": limit} if isinstance(limit, Declared) else {}
    after: list[str] = []
    nodes = [node("a", function, [], [TEXT]), node("b", lambda: after.append("b"))]
    compiled = graph([TEXT], nodes, budget=budget, declared=declared)
    begin = time.monotonic()
    with pytest.raises(OverBudget if budget.max_seconds else OverDeclaredCost) as caught:
        how(compiled)
    assert time.monotonic() - begin < SLEEP - 0.5
    assert caught.value.dimension == "seconds"
    assert after == []


@pytest.mark.untraced
def test_seconds_interrupt_a_run_within_a_node() -> None:
    inner = graph([TEXT], [node("deep", sleeps, [], [TEXT])], budget=Budget(max_seconds=60))
    for how in (sync, on_a_loop):
        begin = time.monotonic()
        with pytest.raises(OverBudget) as caught:
            how(graph([], [node("a", lambda: inner.invoke() and None)], budget=Budget(max_seconds=0.15)))
        assert caught.value.node == "a"
        assert time.monotonic() - begin < SLEEP - 0.5
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_raw_langgraph_waits_for_a_node_that_takes_its_time() -> None:
    begin = time.monotonic()
    raw(State, {"a": lambda _: time.sleep(0.4)}).invoke({}, {"step_timeout": 0.05})
    assert time.monotonic() - begin >= 0.4


def test_parallel_nodes_are_interrupted_each_in_its_thread() -> None:
    nodes = [node(f"n{i}", lambda: spins().clear()) for i in range(3)]
    edges = [edge for n in nodes for edge in (("__start__", n.name), (n.name, "__end__"))]
    begin = time.monotonic()
    with pytest.raises(OverBudget):
        graph([], nodes, edges, budget=Budget(max_seconds=0.15)).invoke()
    assert time.monotonic() - begin < SLEEP - 0.5


def test_an_overrun_that_could_not_be_interrupted_leaves_no_writes() -> None:
    """In another thread a call into C ends when it ends; what it returns then is let go."""
    kept: list[Any] = []

    def run() -> None:
        compiled = graph(
            [TEXT], [node("a", lambda: time.sleep(0.3) or {"text": "late"}, [], [TEXT])], budget=Budget(max_seconds=0.1)
        )
        try:
            compiled.invoke(listeners=[kept.append])
        except RunError as error:
            kept.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert isinstance(kept[-1], OverBudget)
    assert [event["event"] for event in kept[:-1]] == ["run_start", "start", "error", "run_stop"]


@pytest.mark.parametrize("seconds", [float("inf"), 1e10])
def test_a_ceiling_beyond_every_timer_is_no_ceiling(seconds: float) -> None:
    compiled = graph([N], [node("a", lambda: {"n": 1}, [], [N])], budget=Budget(max_seconds=seconds))
    assert compiled.invoke().outputs == {"n": 1}
    assert asyncio.run(compiled.ainvoke()).outputs == {"n": 1}
    with pytest.raises(OverBudget):
        graph([TEXT], [node("a", sleeps, [], [TEXT])], budget=Budget(max_seconds=0.1)).invoke()


def test_a_node_cannot_end_the_process() -> None:
    def leaves() -> None:
        raise SystemExit(7)

    async def leaves_too() -> None:
        raise SystemExit(7)

    with pytest.raises(NodeFailed, match="failed: SystemExit: 7"):
        graph([], [node("a", leaves)]).invoke()
    for budget in (Budget(), Budget(max_seconds=9)):
        with pytest.raises(NodeFailed, match=r"sys.exit\(7\)"):
            asyncio.run(graph([], [node("a", leaves_too)], budget=budget).ainvoke())
