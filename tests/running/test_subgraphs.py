"""A subgraph has a state and a budget of its own for each entry; for all else it is a part of the run around it."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.errors import ConditionFailed, NodeFailed, NodeTimedOut
from grapharc.runtime.trace import Record
from tests.running.nested import CAUGHT, INNER, TWO_DEEP, bumping, failing, in_the_middle, outer, two_deep
from tests.running.road import Road, loops


def events(records: list[Record]) -> list[tuple[object, ...]]:
    return [(r["event"], r["node"]) for r in records if "node" in r]


def test_inputs_and_outputs_are_its_ports(road: Road) -> None:
    bumping(road)
    assert road.run(outer()).outputs == {"n": 1, "lost": None}
    assert road.ran == ["0:0"]


def test_an_input_with_a_default_may_be_left_out(road: Road) -> None:
    bumping(road)
    road.files["inner.toml"] = INNER.replace("input = true", "input = true, default = 40")
    text = outer().replace('reads = { start = "n" }', "")
    assert road.run(text).outputs["n"] == 41


def test_each_entry_starts_from_defaults(road: Road) -> None:
    """The count is 0 in every round: nothing of the entry before is left."""
    bumping(road)
    edges = """
[[edges]]
chain = ["__start__", "sub"]
[[edges]]
source = "sub"
target = "__end__"
when = "n >= 3"
[[edges]]
source = "sub"
target = "sub"
otherwise = true
loop = { max_rounds = 5 }
"""
    assert road.run(outer(edges)).outputs["n"] == 3
    assert road.ran == ["0:0", "1:0", "2:0"]


def test_a_loop_inside_counts_afresh_at_each_entry(road: Road) -> None:
    bumping(road)
    back = """
[[edges]]
source = "bump"
target = "__end__"
when = "count >= 2"
[[edges]]
source = "bump"
target = "bump"
otherwise = true
loop = { max_rounds = 4 }
"""
    road.files["inner.toml"] = INNER.replace(
        'chain = ["__start__", "bump", "__end__"]', 'chain = ["__start__", "bump"]'
    )
    road.files["inner.toml"] += back
    chain = '[[nodes]]\nname = "again"\nkind = "graph"\nargs = { path = "inner.toml" }\n'
    chain += 'reads = { start = "n + 10" }\nwrites = { end = "n" }\n'
    chain += '[[edges]]\nchain = ["__start__", "sub", "again", "__end__"]\n'
    records = road.records(outer(chain))
    assert road.ran == ["0:0", "0:1", "11:0", "11:1"]
    assert loops(records) == [("sub/bump", 2, "target_met"), ("again/bump", 2, "target_met")]


def test_the_trace_shows_nodes_inside_by_the_way_to_them(road: Road) -> None:
    bumping(road)
    records = road.records(outer())
    assert events(records) == [
        ("start", "sub"),
        ("graph_start", "sub"),
        ("start", "sub/bump"),
        ("end", "sub/bump"),
        ("end", "sub"),
    ]
    assert [r["seq"] for r in records] == list(range(len(records)))
    entered = next(r["activation"] for r in records if r["event"] == "start")
    assert [r["event"] for r in records if r.get("within") == entered] == ["graph_start", "start", "end"]
    begun = next(r for r in records if r["event"] == "graph_start")
    assert begun["state"] == {"start": 0, "count": 0, "end": -1}


def test_two_deep(road: Road) -> None:
    two_deep(road)
    records = road.records(in_the_middle(outer()))
    assert records[-1]["outputs"] == {"n": 1, "lost": None}
    assert [r["node"] for r in records if r["event"] == "end"] == ["sub/deeper/bump", "sub/deeper", "sub"]


def test_a_failure_inside_fails_the_node(road: Road) -> None:
    two_deep(road, failing)
    with pytest.raises(NodeFailed) as caught:
        road.run(in_the_middle(outer()))
    assert str(caught.value) == (
        "node 'sub' of kind 'graph' failed: node 'sub/deeper' of kind 'graph' failed: "
        "node 'sub/deeper/bump' of kind 'bump' failed: ValueError: no paper"
    )


def test_an_error_edge_on_the_node_catches_what_fails_inside(road: Road) -> None:
    two_deep(road, failing)
    road.notes("mend")
    done = road.run(in_the_middle(outer(CAUGHT)))
    lost: Any = done.outputs["lost"]
    assert (done.stop, done.outputs["n"], road.ran) == ("finished", 0, ["mend"])
    assert (lost["node"], lost["kind"], lost["code"]) == ("sub", "graph", "error")


def test_an_error_edge_inside_is_taken_inside(road: Road) -> None:
    bumping(road, failing)
    road.notes("mend", "patch")
    road.files["inner.toml"] = INNER + (
        '[[nodes]]\nname = "patch"\n[[edges]]\nsource = "bump"\ntarget = "patch"\non = "error"\n'
        '[[edges]]\nchain = ["patch", "__end__"]\n'
    )
    done = road.run(outer(CAUGHT))
    assert (done.outputs, road.ran) == ({"n": -1, "lost": None}, ["patch"])


def test_an_error_edge_abandons_all_that_runs_inside(road: Road) -> None:
    """Of two limbs one fails; what comes after the other one never runs."""
    bumping(road, failing)
    road.notes("mend", "after")
    road.kind("slow", lambda: time.sleep(0.05))
    road.files["inner.toml"] = INNER + (
        '[[nodes]]\nname = "slow"\n[[nodes]]\nname = "after"\n'
        '[[edges]]\nchain = ["__start__", "slow", "after", "__end__"]\n'
    )
    done = road.run(outer(CAUGHT))
    assert (done.stop, road.ran) == ("finished", ["mend"])


def test_a_node_with_retries_runs_all_of_it_again(road: Road) -> None:
    tries: list[int] = []

    def second(n: int, c: int) -> dict[str, int]:
        tries.append(c)
        if len(tries) < 3:
            raise ConnectionError("away")
        return {"out": n + 1, "c": c + 1}

    bumping(road, second)
    records = road.records(outer(more="retry = { max_attempts = 3, on = ['unavailable'] }"))
    assert (tries, records[-1]["outputs"]) == ([0, 0, 0], {"n": 1, "lost": None})
    assert [r["attempt"] for r in records if r["event"] == "start" and r["node"] == "sub"] == [1, 2, 3]


def test_a_timeout_on_the_node_interrupts_what_runs_inside(road: Road) -> None:
    def hang(n: int, c: int) -> dict[str, int]:
        for _ in range(500):
            time.sleep(0.01)
        return {"out": n, "c": c}

    async def hang_async(n: int, c: int) -> dict[str, int]:
        await asyncio.sleep(5)
        return {"out": n, "c": c}

    two_deep(road, hang_async if road.mode == "coroutines" else hang)
    began = time.monotonic()
    with pytest.raises(NodeTimedOut) as caught:
        road.run(in_the_middle(outer(more="timeout_seconds = 0.1")))
    assert caught.value.node == "sub"
    assert time.monotonic() - began < 2


@pytest.mark.untraced
def test_a_timeout_interrupts_away_from_the_main_thread() -> None:
    road = Road()
    two_deep(road, lambda **_: time.sleep(5))
    compiled = road.compile(in_the_middle(outer(more="timeout_seconds = 0.1")))
    raised: list[BaseException] = []

    def run() -> None:
        try:
            compiled.invoke()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    began = time.monotonic()
    thread.start()
    thread.join(3)
    assert isinstance(raised[0], NodeTimedOut)
    assert time.monotonic() - began < 2


def test_no_error_edge_catches_a_broken_contract_inside(road: Road) -> None:
    bumping(road, lambda **_: {"out": "one", "c": 1})
    road.notes("mend")
    with pytest.raises(StateTypeError) as caught:
        road.run(outer(CAUGHT))
    assert (caught.value.node, road.ran) == ("sub/bump", [])


def test_no_error_edge_catches_a_failed_condition_inside(road: Road) -> None:
    bumping(road)
    road.notes("mend")
    road.files["inner.toml"] = INNER.replace(
        'chain = ["__start__", "bump", "__end__"]',
        'chain = ["__start__", "bump"]\n[[edges]]\nsource = "bump"\ntarget = "__end__"\nwhen = "10 / start > 1"\n'
        '[[edges]]\nsource = "bump"\ntarget = "__end__"\notherwise = true',
    )
    with pytest.raises(ConditionFailed) as caught:
        road.run(outer(CAUGHT))
    assert caught.value.where.startswith("inner.toml:")
    assert (caught.value.node, road.ran) == ("sub/bump", ["0:0"])


def test_a_loop_that_is_used_up_inside_shows_at_the_end_of_the_run(road: Road) -> None:
    bumping(road)
    back = """
[[edges]]
source = "bump"
target = "__end__"
when = "count >= 9"
[[edges]]
source = "bump"
target = "bump"
otherwise = true
loop = { max_rounds = 2 }
"""
    road.files["inner.toml"] = INNER.replace(
        'chain = ["__start__", "bump", "__end__"]', 'chain = ["__start__", "bump"]'
    )
    road.files["inner.toml"] += back
    road.files["parts/middle.toml"] = TWO_DEEP
    done = road.run(in_the_middle(outer()))
    assert (done.stop, done.outputs["n"]) == ("capped", 1)


def test_one_node_can_be_reached_on_two_ways(road: Road) -> None:
    """Two entries of one file beside each other share nothing."""
    bumping(road)
    both = (
        '[state]\na = { type = "integer", output = true }\nb = { type = "integer", output = true }\n'
        '[[nodes]]\nname = "one"\nkind = "graph"\nargs = { path = "inner.toml" }\n'
        'reads = { start = "1" }\nwrites = { end = "a" }\n'
        '[[nodes]]\nname = "two"\nkind = "graph"\nargs = { path = "inner.toml" }\n'
        'reads = { start = "2" }\nwrites = { end = "b" }\n'
        '[[edges]]\nchain = ["__start__", "one", "__end__"]\n[[edges]]\nchain = ["__start__", "two", "__end__"]\n'
    )
    assert road.run(both).outputs == {"a": 2, "b": 3}


def test_with_a_checkpointer_only_the_outer_state_is_kept(road: Road) -> None:
    bumping(road)
    compiled = road.compile(outer(), InMemorySaver())
    road.run(compiled, run_id="r")
    assert compiled.get_state("r").values == {"n": 1, "lost": None}
