"""A node that fails takes its error edge; without one its run fails. What an error edge may not catch, it does not."""

from __future__ import annotations

from typing import Any
from urllib.error import URLError

import pytest

from grapharc.runtime.contract_errors import WritePermissionError
from grapharc.runtime.errors import NodeFailed, OverBudget, RunError
from grapharc.runtime.failures import classify
from grapharc.spec.linked import Budget
from tests.running.road import Road

GRAPH = """
[state]
n = { type = "integer", default = 0, output = true }
lost = { type = "Failure | null", output = true }
[[nodes]]
name = "work"
[[nodes]]
name = "mend"
[[nodes]]
name = "rest"
[[edges]]
chain = ["__start__", "work", "rest", "__end__"]
[[edges]]
source = "work"
target = "mend"
on = "error"
into = "lost"
[[edges]]
chain = ["mend", "__end__"]
"""
FAILURE = {"node": "work", "kind": "work", "code": "error", "message": "no paper", "attempts": 1, "index": None}


def raising(error: BaseException) -> Any:
    def function(**_: object) -> object:
        raise error

    return function


def test_a_failure_is_written_and_the_error_edge_taken(road: Road) -> None:
    road.kind("work", raising(ValueError("no paper")), {}, {"n": "integer"})
    road.notes("mend", "rest")
    done = road.run(GRAPH)
    assert (done.stop, done.outputs) == ("finished", {"n": 0, "lost": FAILURE})
    assert road.ran == ["mend"]


def test_the_trace_has_the_failure_and_where_it_led(road: Road) -> None:
    road.kind("work", raising(ValueError("no paper")), {}, {"n": "integer"})
    road.notes("mend", "rest")
    failed = next(r for r in road.records(GRAPH) if r["event"] == "error")
    assert failed["error"] == {"code": "node_failed", "type": "ValueError", "message": "no paper"}
    assert (failed["writes"], failed["to"]) == ({"lost": FAILURE}, ["mend"])


def test_a_success_takes_the_other_edges_and_leaves_no_failure(road: Road) -> None:
    road.kind("work", lambda: {"n": 1}, {}, {"n": "integer"})
    road.notes("mend", "rest")
    assert road.run(GRAPH).outputs == {"n": 1, "lost": None}
    assert road.ran == ["rest"]


def test_without_an_error_edge_the_run_fails(road: Road) -> None:
    road.kind("work", raising(ValueError("no paper")))
    with pytest.raises(NodeFailed, match="node 'work' of kind 'work' failed: ValueError: no paper"):
        road.run('nodes = [{ name = "work" }]\nedges = [{ chain = ["__start__", "work", "__end__"] }]')


@pytest.mark.parametrize("returned", [{"n": "text"}, {"m": 1}, [1]], ids=["type", "port", "list"])
def test_a_broken_contract_is_neither_caught_nor_tried_again(road: Road, returned: object) -> None:
    road.kind("work", lambda: road.note("work") or returned, {}, {"n": "integer"})
    road.notes("mend", "rest")
    with pytest.raises(RunError) as caught:
        road.run(GRAPH.replace('name = "work"', 'name = "work"\nretry = { max_attempts = 5 }', 1))
    assert caught.value.stop == "contract_broken"
    assert road.ran == ["work"]


def test_a_stop_from_outside_is_neither_caught_nor_tried_again() -> None:
    road = Road()

    def work() -> None:
        road.note("work")
        raise KeyboardInterrupt

    road.kind("work", work, {}, {"n": "integer"})
    road.notes("mend", "rest")
    with pytest.raises(KeyboardInterrupt):
        road.run(GRAPH.replace('name = "work"', 'name = "work"\nretry = { max_attempts = 5 }', 1))
    assert road.ran == ["work"]


def test_a_budget_is_not_caught_nor_tried_again(road: Road) -> None:
    road.kind("work", lambda: road.note("work"), {}, {})
    road.notes("mend", "rest")
    graph = road.compile(GRAPH.replace('name = "work"', 'name = "work"\nretry = { max_attempts = 5 }', 1))
    with pytest.raises(OverBudget):
        road.run(graph, budget=Budget(max_iterations=0))
    assert road.ran == []


def test_a_failed_condition_is_not_caught(road: Road) -> None:
    road.kind("work", lambda: None, {}, {})
    road.notes("mend", "rest")
    graph = GRAPH.replace('chain = ["__start__", "work", "rest", "__end__"]', 'chain = ["__start__", "work"]')
    graph += """
    [[edges]]
    source = "work"
    target = "rest"
    when = "10 / n > 1"
    [[edges]]
    source = "work"
    target = "__end__"
    otherwise = true
    [[edges]]
    chain = ["rest", "__end__"]
    """
    with pytest.raises(RunError, match="division by zero"):
        road.run(graph)


def test_an_expression_that_fails_is_not_caught(road: Road) -> None:
    road.kind("work", lambda **_: None, {"value": "integer"}, {})
    road.notes("mend", "rest")
    graph = GRAPH.replace('name = "work"', 'name = "work"\nreads = { value = "10 / n" }', 1)
    with pytest.raises(RunError, match=r"^graph.toml:7:\d+: port 'value' of node 'work' cannot be evaluated: division"):
        road.run(graph)


FAILING = """
[state]
lost = { type = "Failure | null", output = true }
[[nodes]]
name = "give_up"
kind = "control.fail"
args = { message = "nothing to do" }
[[edges]]
chain = ["__start__", "give_up"]
"""


def test_control_fail_fails_the_run(road: Road) -> None:
    with pytest.raises(NodeFailed) as caught:
        road.run(FAILING)
    assert (caught.value.stop, caught.value.message) == ("failed", "nothing to do")


def test_control_fail_takes_its_error_edge(road: Road) -> None:
    road.notes("mend")
    graph = """
    [[nodes]]
    name = "mend"
    [[edges]]
    source = "give_up"
    target = "mend"
    on = "error"
    into = "lost"
    [[edges]]
    chain = ["mend", "__end__"]
    """
    done = road.run(FAILING + graph)
    lost = done.outputs["lost"]
    assert isinstance(lost, dict)
    assert (done.stop, lost["message"], road.ran) == ("finished", "nothing to do", ["mend"])


def test_a_later_success_clears_the_failure(road: Road) -> None:
    """The node is the header of a loop that its error edge goes round."""
    answers = iter([ValueError("first"), None])

    def work() -> None:
        road.note("work")
        if (answer := next(answers)) is not None:
            raise answer

    road.kind("work", work)
    graph = """
    state = { lost = { type = "Failure | null", output = true } }
    nodes = [{ name = "work" }]
    [[edges]]
    chain = ["__start__", "work", "__end__"]
    [[edges]]
    source = "work"
    target = "work"
    on = "error"
    into = "lost"
    loop = { max_rounds = 3 }
    """
    done = road.run(graph)
    assert (done.stop, done.outputs, road.ran) == ("finished", {"lost": None}, ["work", "work"])


class Reasoned(Exception):
    """An exception of a kind that says itself what it is."""

    reason = "rate_limited"


class Response:
    """What HTTP clients raise with."""

    status_code = 503


class ReadTimeout(Exception):
    """What HTTP clients call a timeout."""


def answered(error: Exception, response: object) -> Exception:
    error.response = response  # type: ignore[attr-defined]
    return error


def chained(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (ValueError("x"), "error"),
        (TimeoutError(), "timeout"),
        (ReadTimeout(), "timeout"),
        (ConnectionResetError(), "unavailable"),
        (Reasoned(), "rate_limited"),
        (answered(Exception(), Response()), "unavailable"),
        (chained(ValueError("wrapped"), TimeoutError()), "timeout"),
        (URLError(TimeoutError()), "timeout"),
        (URLError("nothing known"), "error"),
    ],
    ids=repr,
)
def test_failures_are_told_apart(raised: Exception, reason: str) -> None:
    assert classify(raised) == reason


def test_a_write_that_is_not_declared_stays_a_contract_error() -> None:
    assert not issubclass(WritePermissionError, NodeFailed)
