"""A branch takes the first arm whose condition is true, under what its source itself wrote."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from grapharc.runtime.errors import ConditionFailed
from tests.running.road import Road


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    n: int


GRAPH = """
[state]
n = { type = "integer", input = true, default = 0, output = true }
[[nodes]]
name = "judge"
[[nodes]]
name = "high"
[[nodes]]
name = "low"
[[nodes]]
name = "after"
[[edges]]
chain = ["__start__", "judge"]
[[edges]]
source = "judge"
target = "high"
when = "n > 10"
[[edges]]
source = "judge"
target = "low"
when = "n > 5"
[[edges]]
source = "judge"
target = "after"
otherwise = true
[[edges]]
chain = ["high", "after"]
[[edges]]
chain = ["low", "after", "__end__"]
"""


def with_notes(road: Road) -> None:
    road.kind("judge", lambda n: road.note("judge") or {"n": n + 1}, {"n": "integer"}, {"n": "integer"})
    road.notes("high", "low", "after")


@pytest.mark.parametrize(
    ("n", "ran"),
    [(10, ["judge", "high", "after"]), (6, ["judge", "low", "after"]), (4, ["judge", "after"])],
)
def test_the_first_true_condition_wins_and_sees_what_its_source_wrote(road: Road, n: int, ran: list[str]) -> None:
    with_notes(road)
    assert road.run(GRAPH, {"n": n}).outputs == {"n": n + 1}
    assert road.ran == ran


def test_the_trace_says_where_it_went(road: Road) -> None:
    with_notes(road)
    ends = {r["node"]: r.get("to") for r in road.records(GRAPH, {"n": 6}) if r["event"] == "end"}
    assert ends == {"judge": ["low"], "low": None, "after": None}


def test_a_missing_label_is_a_key_error_on_raw_langgraph() -> None:
    builder: Any = StateGraph(State)
    builder.add_node("judge", lambda _: {"n": 1})
    builder.add_conditional_edges("judge", lambda state: "low" if state["n"] < 5 else "high", {"high": END})
    builder.add_edge(START, "judge")
    with pytest.raises(KeyError):
        builder.compile().invoke({})


def test_a_run_may_begin_with_a_branch(road: Road) -> None:
    road.notes("a", "b", "c")
    graph = """
    [state]
    n = { type = "integer", input = true }
    [[nodes]]
    name = "a"
    [[nodes]]
    name = "b"
    [[nodes]]
    name = "c"
    [[edges]]
    source = "__start__"
    target = "a"
    when = "n == 1"
    [[edges]]
    source = "__start__"
    target = "b"
    when = "n == 2"
    [[edges]]
    source = "__start__"
    target = "__end__"
    otherwise = true
    [[edges]]
    chain = ["a", "c"]
    [[edges]]
    chain = ["b", "c", "__end__"]
    """
    compiled = road.compile(graph)
    for n in (1, 2, 3):
        assert road.run(compiled, {"n": n}).stop == "finished"
    assert road.ran == ["a", "c", "b", "c"]


CUT = """
[state]
n = { type = "integer", input = true }
found = { type = "list[integer]", default = [] }
[[nodes]]
name = "a"
[[nodes]]
name = "b"
[[edges]]
chain = ["__start__", "a"]
[[edges]]
source = "a"
target = "b"
when = "n > 0 && found[n] == 1"
[[edges]]
source = "a"
target = "__end__"
otherwise = true
[[edges]]
chain = ["b", "__end__"]
"""


def test_a_condition_that_fails_ends_the_run_with_its_place(road: Road) -> None:
    road.notes("a", "b")
    with pytest.raises(ConditionFailed) as caught:
        road.run(CUT, {"n": 3})
    error = caught.value
    assert (error.code, error.stop, error.node, error.where) == (
        "condition_failed",
        "expression_failed",
        "a",
        "graph.toml:14:18",
    )
    assert str(error) == (
        "graph.toml:14:18: the condition of the edge to 'b' of node 'a' cannot be evaluated: "
        "index 3 of a list of 0, in 'n > 0 && found[n] == 1'"
    )
    assert error.result is not None
    assert error.result.stop == "expression_failed"
    last, stop = road.records(CUT, {"n": 3})[-2:]
    assert (last["event"], last["node"], stop["stop"]) == ("error", "a", "expression_failed")
    assert "writes" not in last


def test_a_condition_of_the_start_fails_with_its_place(road: Road) -> None:
    road.notes("a")
    graph = """
    state = { n = { type = "integer", input = true } }
    nodes = [{ name = "a" }]
    [[edges]]
    source = "__start__"
    target = "a"
    when = "10 / n > 1"
    [[edges]]
    source = "__start__"
    target = "__end__"
    otherwise = true
    [[edges]]
    chain = ["a", "__end__"]
    """
    with pytest.raises(ConditionFailed, match=r"^graph.toml:7:\d+: the condition of the edge to 'a'.*division by zero"):
        road.run(graph, {"n": 0})


def test_what_is_no_truth_fails_too(road: Road) -> None:
    road.kind("a", lambda: {"v": "yes"}, {}, {"v": "json"})
    graph = """
    state = { v = { type = "json", default = false } }
    nodes = [{ name = "a" }, { name = "b" }]
    [[edges]]
    chain = ["__start__", "a"]
    [[edges]]
    source = "a"
    target = "b"
    when = "v"
    [[edges]]
    source = "a"
    target = "__end__"
    otherwise = true
    [[edges]]
    chain = ["b", "__end__"]
    """
    road.notes("b")
    with pytest.raises(ConditionFailed, match="string 'yes', true or false would be right"):
        road.run(graph)


@pytest.mark.parametrize(
    ("reducer", "type_", "default", "write", "condition"),
    [
        ("append", "list[integer]", "[1]", [2], "found == [1, 2]"),
        ("union", "list[integer]", "[1]", [1, 2], "found == [1, 2]"),
        ("sum", "integer", "1", 2, "found == 3"),
        ("max", "integer", "1", 2, "found == 2"),
        ("min", "integer", "1", 2, "found == 1"),
        ("merge", "map[integer]", "{ a = 1 }", {"b": 2}, "size(found) == 2"),
    ],
)
def test_a_condition_sees_its_sources_writes_folded(
    road: Road, reducer: str, type_: str, default: str, write: object, condition: str
) -> None:
    road.kind("a", lambda: {"found": write}, {}, {"found": type_})
    road.notes("b")
    graph = f"""
    nodes = [{{ name = "a" }}, {{ name = "b" }}]
    [state]
    found = {{ type = "{type_}", default = {default}, reducer = "{reducer}" }}
    [[edges]]
    chain = ["__start__", "a"]
    [[edges]]
    source = "a"
    target = "b"
    when = "{condition}"
    [[edges]]
    source = "a"
    target = "__end__"
    otherwise = true
    [[edges]]
    chain = ["b", "__end__"]
    """
    road.run(graph)
    assert road.ran == ["b"]
