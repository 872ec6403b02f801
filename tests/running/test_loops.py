"""Loops end: by an edge out of them, by their cap, or because nothing changes any more."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, StateGraph

from grapharc.runtime.errors import NodeFailed
from tests.running.road import Road, loops


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    n: int


def counting(road: Road, *names: str) -> None:
    """Kinds that add one to ``n`` and say that they ran."""
    for name in names:
        road.kind(name, lambda n, name=name: road.note(name) or {"n": n + 1}, {"n": "integer"}, {"n": "integer"})


STATE = '[state]\nn = { type = "integer", input = true, default = 0, output = true }\n'
LOOP = (
    STATE
    + """
[[nodes]]
name = "work"
[[nodes]]
name = "check"
[[edges]]
chain = ["__start__", "work", "check"]
[[edges]]
source = "check"
target = "__end__"
when = "n >= 4"
[[edges]]
source = "check"
target = "work"
otherwise = true
loop = { LOOP }
"""
)


def loop(bound: str) -> str:
    return LOOP.replace("LOOP", bound)


def test_raw_langgraph_goes_round_until_its_step_limit() -> None:
    builder: Any = StateGraph(State)
    builder.add_node("work", lambda _: {"n": 0})
    builder.add_edge(START, "work")
    builder.add_conditional_edges("work", lambda state: "work" if state["n"] < 4 else "__end__")
    with pytest.raises(GraphRecursionError):
        builder.compile().invoke({}, {"recursion_limit": 50})


def test_a_loop_ends_by_its_own_edge(road: Road) -> None:
    counting(road, "work")
    road.notes("check")
    graph = road.compile(loop("max_rounds = 10"))
    assert road.run(graph).stop == "finished"
    assert road.ran == ["work", "check"] * 4
    assert loops(road.records(graph)) == [("work", 4, "target_met")]


@pytest.mark.parametrize(
    ("bound", "stop"),
    [("max_rounds = 3", "capped"), ('max_rounds = 3, exhausted = "__end__"', "finished")],
)
def test_max_rounds_counts_runs_of_the_header(road: Road, bound: str, stop: str) -> None:
    counting(road, "work")
    road.notes("check")
    graph = road.compile(loop(bound))
    done = road.run(graph)
    assert (done.stop, done.outputs, road.ran) == (stop, {"n": 3}, ["work", "check"] * 3)
    records = road.records(graph)
    assert loops(records) == [("work", 3, "round_cap")]
    assert records[-1]["stop"] == stop


def test_one_round_is_no_second(road: Road) -> None:
    counting(road, "work")
    road.notes("check")
    road.run(loop("max_rounds = 1"))
    assert road.ran == ["work", "check"]


@pytest.mark.parametrize(("patience", "rounds"), [(1, 3), (2, 4), (3, 5)])
def test_a_loop_without_progress_ends_after_its_patience(road: Road, patience: int, rounds: int) -> None:
    """``n`` grows in two rounds, and then stays."""
    road.kind("work", lambda n: road.note("work") or {"n": min(n + 1, 2)}, {"n": "integer"}, {"n": "integer"})
    road.notes("check")
    graph = road.compile(loop(f'max_rounds = 9, progress = ["n"], patience = {patience}'))
    assert road.run(graph).stop == "capped"
    assert road.ran.count("work") == rounds
    assert loops(road.records(graph)) == [("work", rounds, "no_progress")]


def test_round_one_is_compared_with_the_entry(road: Road) -> None:
    road.kind("work", lambda n: road.note("work") or {"n": n}, {"n": "integer"}, {"n": "integer"})
    road.notes("check")
    graph = road.compile(loop('max_rounds = 9, progress = ["n"]'))
    assert loops(road.records(graph, {"n": 2})) == [("work", 1, "no_progress")]


def test_the_cap_is_looked_at_before_progress(road: Road) -> None:
    road.kind("work", lambda n: {"n": n}, {"n": "integer"}, {"n": "integer"})
    road.notes("check")
    graph = road.compile(loop('max_rounds = 1, progress = ["n"]'))
    assert loops(road.records(graph, {"n": 2})) == [("work", 1, "round_cap")]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1], [1.0]], "no_progress"),
        ([[1], [True]], "round_cap"),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}], "no_progress"),
        ([[1], [1, 1]], "round_cap"),
        ([None, 0], "round_cap"),
    ],
)
def test_progress_is_a_change_of_value(road: Road, values: list[object], reason: str) -> None:
    answers = iter(values)
    road.kind("work", lambda: {"v": next(answers)}, {}, {"v": "json"})
    graph = """
    state = { v = { type = "json", default = "nothing yet", output = true } }
    nodes = [{ name = "work" }]
    [[edges]]
    chain = ["__start__", "work"]
    [[edges]]
    source = "work"
    target = "work"
    loop = { max_rounds = 2, progress = ["v"] }
    """
    records = road.records(graph)
    assert loops(records) == [("work", 2, "round_cap")] or reason == "no_progress"
    # With one round more, the second is compared with the first.
    answers = iter([*values, "other"])
    records = road.records(graph.replace("max_rounds = 2", "max_rounds = 3"))
    assert loops(records) == [("work", 2, reason)] if reason == "no_progress" else [("work", 3, reason)]


NESTED = (
    STATE
    + """
[[nodes]]
name = "outer"
[[nodes]]
name = "inner"
[[nodes]]
name = "turn"
[[nodes]]
name = "late"
[[edges]]
chain = ["__start__", "outer", "inner", "turn"]
[[edges]]
source = "turn"
target = "__end__"
when = "n == 100"
[[edges]]
source = "turn"
target = "inner"
otherwise = true
loop = { max_rounds = 3, exhausted = "late" }
[[edges]]
source = "late"
target = "outer"
loop = { max_rounds = 2 }
"""
)


def test_inner_rounds_are_counted_afresh_at_each_entry(road: Road) -> None:
    counting(road, "inner")
    road.notes("outer", "turn", "late")
    graph = road.compile(NESTED)
    assert road.run(graph).stop == "capped"
    assert road.ran == ["outer", *["inner", "turn"] * 3, "late"] * 2
    assert loops(road.records(graph)) == [
        ("inner", 3, "round_cap"),
        ("inner", 3, "round_cap"),
        ("outer", 2, "round_cap"),
    ]


def test_both_loops_may_be_left_at_once(road: Road) -> None:
    counting(road, "inner")
    road.notes("outer", "turn", "late")
    graph = road.compile(NESTED)
    # The third run of the inner header, in the second round of the outer one.
    records = road.records(graph, {"n": 95})
    assert records[-1]["stop"] == "finished"
    assert loops(records) == [("inner", 3, "round_cap"), ("inner", 2, "target_met"), ("outer", 2, "target_met")]


JOINED = """
[state]
n = { type = "integer", default = 0 }
seen = { type = "list[string]", default = [], reducer = "append", output = true }
NODES
[[edges]]
chain = ["__start__", "begin", "fork"]
[[edges]]
chain = ["fork", "side", "join"]
[[edges]]
chain = ["fork", "pick"]
[[edges]]
source = "pick"
target = "odd"
when = "n % 2 == 1"
[[edges]]
source = "pick"
target = "even"
otherwise = true
[[edges]]
chain = ["odd", "join"]
[[edges]]
chain = ["even", "far", "join"]
[[edges]]
chain = ["join", "last"]
[[edges]]
source = "last"
target = "begin"
loop = { max_rounds = 3, exhausted = "__end__" }
"""
JOINED_NODES = ("fork", "side", "pick", "odd", "even", "far", "join", "last")


def with_joined(road: Road) -> str:
    def said(name: str) -> Any:
        return lambda: road.note(name) or {"seen": [name]}

    road.kind(
        "begin",
        lambda n: road.note("begin") or {"n": n + 1, "seen": ["begin"]},
        {"n": "integer"},
        {"n": "integer", "seen": "list[string]"},
    )
    for name in JOINED_NODES:
        road.kind(name, said(name), {}, {"seen": "list[string]"})
    nodes = "".join(f'[[nodes]]\nname = "{name}"\n' for name in ("begin", *JOINED_NODES))
    return JOINED.replace("NODES", nodes)


def test_a_join_of_a_branch_in_a_loop_waits_anew_in_each_round(road: Road) -> None:
    road.run(with_joined(road))
    odd = ["begin", "fork", "pick", "side", "odd", "join", "last"]
    even = ["begin", "fork", "pick", "side", "even", "far", "join", "last"]
    starts = [index for index, name in enumerate(road.ran) if name == "begin"]
    rounds = [road.ran[one:other] for one, other in zip(starts, [*starts[1:], None], strict=True)]
    assert [sorted(each) for each in rounds] == [sorted(odd), sorted(even), sorted(odd)]
    for each in rounds:
        assert each[-2:] == ["join", "last"]


def test_what_is_appended_keeps_its_order_over_rounds(road: Road) -> None:
    """A later round comes after an earlier one; within each the order is that of the compiled graph."""
    seen = road.run(with_joined(road)).outputs["seen"]
    odd = ["begin", "fork", "pick", "side", "odd", "join", "last"]
    even = ["begin", "fork", "pick", "side", "even", "far", "join", "last"]
    assert seen == [*odd, *even, *odd]


def test_the_order_in_the_trace_is_the_order_of_folding(road: Road) -> None:
    records: list[Any] = list(road.records(with_joined(road)))
    writes = sorted((r["order"], r["writes"]["seen"]) for r in records if r["event"] == "end")
    assert records[-1]["outputs"]["seen"] == [name for _, names in writes for name in names]


def test_raw_langgraph_fires_a_join_too_early_that_is_two_barriers() -> None:
    """One barrier for each alternative: that of the alternative which was not taken stays half full."""
    ran: list[str] = []
    builder: Any = StateGraph(State)
    for name in ("a", "p", "q", "b", "x", "y", "j"):
        builder.add_node(name, lambda s, name=name: ran.append(name) or ({"n": s["n"] + 1} if name == "a" else {}))
    builder.add_edge(START, "a")
    builder.add_conditional_edges("a", lambda state: "x" if state["n"] % 2 else "y")
    for source, target in (("a", "p"), ("p", "q"), ("q", "b"), (["x", "b"], "j"), (["y", "b"], "j")):
        builder.add_edge(source, target)
    builder.add_conditional_edges("j", lambda state: "a" if state["n"] < 3 else "__end__")
    builder.compile().invoke({"n": 0}, {"recursion_limit": 30})
    second = ran[ran.index("a", 1) :]
    assert second.index("j") < second.index("b"), "the join did not wait for b of this round"


def test_an_error_edge_may_go_back(road: Road) -> None:
    road.kind("work", lambda: road.note("work") or 1 / 0)
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
    records = road.records(graph)
    assert road.ran == ["work"] * 3
    assert loops(records) == [("work", 3, "round_cap")]
    assert records[-1]["stop"] == "capped"


def test_a_failure_leaves_the_loops_around_it(road: Road) -> None:
    road.kind("inner", lambda n: {"n": n // 0}, {"n": "integer"}, {"n": "integer"})
    road.notes("outer", "turn", "late")
    assert loops(road.records(NESTED)) == [("inner", 1, "failed"), ("outer", 1, "failed")]


def test_an_error_edge_out_of_a_loop_leaves_it_as_failed(road: Road) -> None:
    road.kind("work", lambda: 1 / 0, {}, {"n": "integer"})
    road.notes("check", "mend")
    graph = loop("max_rounds = 3").replace('name = "check"', 'name = "check"\n[[nodes]]\nname = "mend"')
    graph += """
    [[edges]]
    source = "work"
    target = "mend"
    on = "error"
    [[edges]]
    chain = ["mend", "__end__"]
    """
    records = road.records(graph)
    assert loops(records) == [("work", 1, "failed")]
    assert records[-1]["stop"] == "finished"


def test_a_run_that_goes_on_from_its_checkpoint_goes_on_counting() -> None:
    road = Road()
    trouble = iter([False, False, True, False, False, False, False])

    def work(n: int) -> dict[str, int]:
        road.note("work")
        if next(trouble):
            raise ValueError
        return {"n": n + 1}

    road.kind("work", work, {"n": "integer"}, {"n": "integer"})
    road.notes("check")
    saver = InMemorySaver()
    graph = road.compile(loop('max_rounds = 4, progress = ["n"]').replace("n >= 4", "n >= 40"), saver)
    with pytest.raises(NodeFailed):
        graph.invoke(run_id="r")
    assert graph.get_state("r").next == ("work",)

    again = road.compile(loop('max_rounds = 4, progress = ["n"]').replace("n >= 4", "n >= 40"), saver)
    opened = again.runs.open({}, None, None, None)
    config = {**opened.config, "configurable": {**opened.config["configurable"], "thread_id": "r"}}
    inner: Any = again.inner
    inner.invoke(None, config)
    assert again.get_state("r").values == {"n": 4}
    assert road.ran.count("work") == 5, "the one that failed ran twice"


def test_the_step_limit_is_what_the_facts_predict(road: Road) -> None:
    counting(road, "inner")
    road.notes("outer", "turn", "late")
    graph = road.compile(NESTED)
    opened = graph.runs.open({}, None, None, None)
    assert opened.config["recursion_limit"] == graph.runs.steps + 1 == 2 * (1 + 3 * 2 + 1) + 1


def test_a_state_that_is_changed_as_a_node_goes_on_as_after_it() -> None:
    road = Road()
    counting(road, "work")
    road.notes("check")
    saver = InMemorySaver()
    graph = road.compile(loop("max_rounds = 10"), saver)
    graph.invoke({"n": 3}, run_id="r")
    graph.update_state("r", {}, as_node="check")
    assert graph.get_state("r").next == ()
    graph.update_state("r", {"n": 0}, as_node="work")
    assert graph.get_state("r").next == ("check",)
    graph.update_state("r", {}, as_node="check")
    assert graph.get_state("r").next == ("work",)
