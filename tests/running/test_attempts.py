"""A node that fails is tried again as its document says; an attempt that takes too long is cut off wherever it runs."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from grapharc.runtime.errors import NodeFailed, NodeTimedOut, OverBudget
from grapharc.runtime.retries import pause_after
from grapharc.spec.finding import Place
from grapharc.spec.linked import Budget, Retry
from tests.running.road import Road

GRAPH = """
[state]
n = { type = "integer", default = 0, output = true }
[[nodes]]
name = "work"
kind = "work"
MORE
[[edges]]
chain = ["__start__", "work", "__end__"]
"""


def graph(more: str) -> str:
    return GRAPH.replace("MORE", more)


def failing(road: Road, times: int, error: type[Exception] = ValueError) -> None:
    """A kind that fails some times, and then does not."""

    def work() -> dict[str, int]:
        road.note("work")
        if len(road.ran) <= times:
            raise error("not yet")
        return {"n": len(road.ran)}

    road.kind("work", work, {}, {"n": "integer"})


def test_attempts_include_the_first(road: Road) -> None:
    failing(road, 2)
    assert road.run(graph("retry = { max_attempts = 3 }")).outputs == {"n": 3}


def test_after_the_last_attempt_the_node_has_failed(road: Road) -> None:
    failing(road, 3)
    with pytest.raises(NodeFailed) as caught:
        road.run(graph("retry = { max_attempts = 3 }"))
    assert (caught.value.attempts, len(road.ran)) == (3, 3)
    assert str(caught.value) == "node 'work' of kind 'work' failed after 3 attempts: ValueError: not yet"


def test_only_what_is_listed_is_tried_again(road: Road) -> None:
    failing(road, 1)
    with pytest.raises(NodeFailed):
        road.run(graph('retry = { max_attempts = 3, on = ["timeout", "unavailable"] }'))
    assert len(road.ran) == 1


def test_what_is_unavailable_is_tried_again(road: Road) -> None:
    failing(road, 1, ConnectionError)
    road.run(graph('retry = { max_attempts = 3, on = ["unavailable"] }'))
    assert len(road.ran) == 2


def test_each_attempt_is_an_activation_on_the_record_and_counts(road: Road) -> None:
    failing(road, 2)
    compiled = road.compile(graph("retry = { max_attempts = 3, backoff_seconds = 0.01 }"))
    records: list[Any] = []
    done = road.run(compiled, listeners=[records.append])
    shown = [(r["event"], r["activation"], r["attempt"], r.get("again")) for r in records if "node" in r]
    assert shown == [
        ("start", 1, 1, None),
        ("error", 1, 1, 0.01),
        ("start", 2, 2, None),
        ("error", 2, 2, 0.02),
        ("start", 3, 3, None),
        ("end", 3, 3, None),
    ]
    assert done.spent.iterations == 3


def test_attempts_count_against_the_budget(road: Road) -> None:
    failing(road, 5)
    with pytest.raises(OverBudget):
        road.run(road.compile(graph("retry = { max_attempts = 5 }")), budget=Budget(max_iterations=2))
    assert len(road.ran) == 2


@pytest.mark.parametrize(
    ("attempt", "longest", "seconds"),
    [(1, None, 0.5), (2, None, 1.0), (4, None, 4.0), (4, 3.0, 3.0), (5, None, None), (2000, 7.0, None)],
)
def test_the_wait_doubles_up_to_its_longest(attempt: int, longest: float | None, seconds: float | None) -> None:
    retry = Retry(5, 0.5, longest, ("error",), Place("graph.toml"))
    assert pause_after(retry, "error", attempt) == seconds


def test_no_number_of_attempts_is_too_large_for_the_wait() -> None:
    retry = Retry(10_000, 0.5, 9.0, ("error",), Place("graph.toml"))
    assert pause_after(retry, "error", 9_000) == 9.0


def test_a_wait_ends_when_the_run_must(road: Road) -> None:
    failing(road, 5)
    compiled = road.compile(graph("retry = { max_attempts = 5, backoff_seconds = 30 }"))
    begin = time.monotonic()
    with pytest.raises(OverBudget):
        road.run(compiled, budget=Budget(max_seconds=0.3))
    assert time.monotonic() - begin < 2
    assert len(road.ran) == 1


def sleeping(road: Road, seconds: float) -> None:
    """A kind that sleeps: only a signal ends that, and a coroutine is cancelled."""
    if road.mode == "coroutines":

        async def work() -> None:
            import asyncio

            road.note("work")
            await asyncio.sleep(seconds)

        road.kind("work", work)
    else:
        road.kind("work", lambda: road.note("work") or time.sleep(seconds))


@pytest.mark.untraced
def test_an_attempt_that_takes_too_long_is_cut_off(road: Road) -> None:
    sleeping(road, 5)
    begin = time.monotonic()
    with pytest.raises(NodeTimedOut) as caught:
        road.run(graph("timeout_seconds = 0.1"))
    assert time.monotonic() - begin < 2
    assert str(caught.value) == "node 'work' of kind 'work' failed: no end within 0.1 seconds"
    assert (caught.value.reason, caught.value.code) == ("timeout", "node_timed_out")


def test_each_attempt_has_its_own_time(road: Road) -> None:
    sleeping(road, 5)
    with pytest.raises(NodeTimedOut, match="failed after 2 attempts: no end within"):
        road.run(graph("timeout_seconds = 0.1\nretry = { max_attempts = 2 }"))
    assert len(road.ran) == 2


@pytest.mark.untraced
def test_an_attempt_is_cut_off_in_another_thread_too(road: Road) -> None:
    sleeping(road, 3)
    raised: list[BaseException] = []

    def drive() -> None:
        try:
            road.run(compiled)
        except NodeTimedOut as error:
            raised.append(error)

    compiled = road.compile(graph("timeout_seconds = 0.1"))
    thread = threading.Thread(target=drive)
    begin = time.monotonic()
    thread.start()
    thread.join()
    assert raised
    assert time.monotonic() - begin < 2


@pytest.mark.untraced
def test_a_parallel_node_that_hangs_is_cut_off(road: Road) -> None:
    sleeping(road, 3)
    road.notes("other")
    both = graph("timeout_seconds = 0.1") + '[[nodes]]\nname = "other"\n[[edges]]\nchain = ["__start__", "other"]\n'
    both += '[[edges]]\nchain = ["other", "__end__"]\n'
    begin = time.monotonic()
    with pytest.raises(NodeTimedOut):
        road.run(both)
    assert time.monotonic() - begin < 2


def test_what_comes_too_late_is_dropped(road: Road) -> None:
    """Code that swallows its interruption has still timed out."""

    def work() -> dict[str, int]:
        begin = time.monotonic()
        while time.monotonic() - begin < 0.4:
            try:
                time.sleep(0.05)
            except BaseException:
                road.note("swallowed")
        return {"n": 7}

    road.kind("work", work, {}, {"n": "integer"})
    mended = graph("timeout_seconds = 0.1") + '[[nodes]]\nname = "mend"\n[[edges]]\nchain = ["mend", "__end__"]\n'
    mended += '[[edges]]\nsource = "work"\ntarget = "mend"\non = "error"\n'
    road.notes("mend")
    assert road.run(mended).outputs == {"n": 0}
    assert "mend" in road.ran


def test_a_timeout_goes_the_way_of_errors(road: Road) -> None:
    sleeping(road, 5)
    road.notes("mend")
    mended = graph("timeout_seconds = 0.1").replace(
        "[state]", '[state]\nlost = { type = "Failure | null", output = true }'
    )
    mended += '[[nodes]]\nname = "mend"\n[[edges]]\nchain = ["mend", "__end__"]\n'
    mended += '[[edges]]\nsource = "work"\ntarget = "mend"\non = "error"\ninto = "lost"\n'
    done = road.run(mended)
    assert done.outputs["lost"] == {
        "node": "work",
        "kind": "work",
        "code": "timeout",
        "message": "no end within 0.1 seconds",
        "attempts": 1,
        "index": None,
    }


def test_the_runs_own_seconds_are_no_timeout(road: Road) -> None:
    sleeping(road, 5)
    road.notes("mend")
    mended = graph("timeout_seconds = 5") + '[[nodes]]\nname = "mend"\n[[edges]]\nchain = ["mend", "__end__"]\n'
    mended += '[[edges]]\nsource = "work"\ntarget = "mend"\non = "error"\n'
    with pytest.raises(OverBudget):
        road.run(road.compile(mended), budget=Budget(max_seconds=0.2))
    assert road.ran == ["work"]
