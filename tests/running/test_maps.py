"""A node runs once for each item of a list; an item that fails or hangs keeps no other from its result."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.errors import ExpressionFailed, NodeFailed, OverBudget, TooManyItems
from grapharc.spec.linked import Budget
from tests.running.road import Road

GRAPH = """
[state]
shards = { type = "list[integer]", input = true, default = [] }
base = { type = "integer", default = 100 }
found = { type = "list[integer]", default = [-1], output = true }
lost = { type = "list[Failure]", default = [], output = true }
[[nodes]]
name = "each"
kind = "work"
reads = { n = "shard", base = "base" }
writes = { out = "found" }
MORE
[nodes.map]
over = "shards"
as = "shard"
max_items = 50
MAP
[[edges]]
chain = ["__start__", "each", "__end__"]
"""


def graph(mapped: str = "", more: str = "") -> str:
    return GRAPH.replace("MAP", mapped).replace("MORE", more)


COLLECT = 'on_item_error = "collect"\nfailures = "lost"'
PORTS = ({"n": "integer", "base": "integer"}, {"out": "integer"})


def working(road: Road) -> None:
    """A kind that fails for negative items, and hangs for 99."""

    def work(n: int, base: int) -> dict[str, int]:
        road.note(str(n))
        if n < 0:
            raise ValueError(f"no {n}")
        return {"out": base + n}

    road.kind("work", work, *PORTS)


def test_outputs_are_in_the_order_of_the_items(road: Road) -> None:
    def work(n: int, base: int) -> dict[str, int]:
        time.sleep(0.01 * (5 - n))
        return {"out": base + n}

    road.kind("work", work, *PORTS)
    assert road.run(graph(), {"shards": [1, 2, 3, 4]}).outputs["found"] == [101, 102, 103, 104]


def test_without_items_there_are_empty_lists_and_the_run_goes_on(road: Road) -> None:
    working(road)
    done = road.run(graph(COLLECT))
    assert (done.outputs, done.spent.iterations) == ({"found": [], "lost": []}, 0)


def test_a_list_that_is_too_long_fails_its_node_before_anything_runs(road: Road) -> None:
    working(road)
    with pytest.raises(TooManyItems) as caught:
        road.run(graph(), {"shards": list(range(51))})
    assert str(caught.value) == "node 'each' of kind 'work' failed: a list of 51 items, at most 50 would be right"
    assert road.ran == []


def test_an_error_edge_catches_a_list_that_is_too_long(road: Road) -> None:
    working(road)
    road.notes("mend")
    mended = graph().replace("[[nodes]]", 'failure = { type = "Failure | null", output = true }\n[[nodes]]', 1)
    mended += '[[nodes]]\nname = "mend"\n[[edges]]\nchain = ["mend", "__end__"]\n'
    mended += '[[edges]]\nsource = "each"\ntarget = "mend"\non = "error"\ninto = "failure"\n'
    done = road.run(mended, {"shards": list(range(51))})
    failure: Any = done.outputs["failure"]
    assert (failure["code"], failure["node"], road.ran) == ("too_many_items", "each", ["mend"])
    assert done.outputs["found"] == [-1]


def test_failed_items_are_left_out_and_collected(road: Road) -> None:
    working(road)
    done = road.run(graph(COLLECT), {"shards": [1, -2, 3, -4]})
    assert done.outputs["found"] == [101, 103]
    lost: Any = done.outputs["lost"]
    assert [(each["index"], each["message"], each["attempts"]) for each in lost] == [(1, "no -2", 1), (3, "no -4", 1)]


def test_one_failed_item_fails_the_node(road: Road) -> None:
    working(road)
    with pytest.raises(NodeFailed) as caught:
        road.run(graph("concurrency = 1"), {"shards": [1, -2, 3]})
    assert (caught.value.index, caught.value.node) == (1, "each")
    assert str(caught.value) == "item 1 of node 'each' of kind 'work' failed: ValueError: no -2"
    assert road.ran == ["1", "-2"], "no other item begins"


def test_each_item_is_tried_again(road: Road) -> None:
    lock = threading.Lock()

    def work(n: int, base: int) -> dict[str, int]:
        with lock:
            road.note(str(n))
            tried = road.ran.count(str(n))
        if tried < n:
            raise ValueError
        return {"out": tried}

    road.kind("work", work, *PORTS)
    done = road.run(graph(COLLECT, "retry = { max_attempts = 2, backoff_seconds = 0.01 }"), {"shards": [1, 2, 3]})
    assert done.outputs["found"] == [1, 2]
    lost: Any = done.outputs["lost"]
    assert [(each["index"], each["attempts"]) for each in lost] == [(2, 2)]
    assert done.spent.iterations == 5


def hanging(road: Road) -> None:
    """A kind that hangs for 99."""
    if road.mode == "coroutines":

        async def work(n: int, base: int) -> dict[str, int]:
            await asyncio.sleep(5 if n == 99 else 0)
            return {"out": base + n}

        road.kind("work", work, *PORTS)
    else:
        road.kind("work", lambda n, base: time.sleep(3 if n == 99 else 0) or {"out": base + n}, *PORTS)


@pytest.mark.untraced
@pytest.mark.parametrize("lanes", ["", "concurrency = 1\n", "concurrency = 2\n"])
def test_a_hung_item_does_not_lose_the_others(road: Road, lanes: str) -> None:
    hanging(road)
    begin = time.monotonic()
    done = road.run(graph(lanes + COLLECT, "timeout_seconds = 0.2"), {"shards": [1, 99, 3]})
    assert time.monotonic() - begin < 2
    assert done.outputs["found"] == [101, 103]
    lost: Any = done.outputs["lost"]
    assert [(each["index"], each["code"]) for each in lost] == [(1, "timeout")]


def peak(road: Road, concurrency: str, budget: Budget | None = None) -> int:
    """Run eight items that each take a moment, and return how many ran at once."""
    if road.mode == "coroutines":

        async def work(n: int, base: int) -> dict[str, int]:
            await asyncio.sleep(0.02)
            return {"out": base + n}

        road.kind("work", work, *PORTS)
    else:
        road.kind("work", lambda n, base: time.sleep(0.02) or {"out": base + n}, *PORTS)
    return road.run(road.compile(graph(concurrency)), {"shards": list(range(8))}, budget=budget).spent.concurrency


def test_as_many_items_run_at_once_as_the_map_allows(road: Road) -> None:
    assert peak(road, "concurrency = 3") == 3


def test_as_many_items_run_at_once_as_the_run_allows(road: Road) -> None:
    assert peak(road, "concurrency = 3", Budget(max_concurrency=2)) == 2


def test_without_a_bound_all_items_run_at_once(road: Road) -> None:
    assert peak(road, "") > 4


def test_an_item_does_not_starve_an_unrelated_sibling(road: Road) -> None:
    """Forty items that wait stand in line with the sibling, four at a time."""
    if road.mode == "coroutines":

        async def work(n: int, base: int) -> dict[str, int]:
            await asyncio.sleep(0.02)
            road.note("item")
            return {"out": base + n}

        road.kind("work", work, *PORTS)
    else:
        road.kind("work", lambda n, base: (time.sleep(0.02), road.note("item")) and {"out": base + n}, *PORTS)
    road.notes("sibling", "after")
    both = graph() + '[[nodes]]\nname = "sibling"\n[[edges]]\nchain = ["__start__", "sibling", "__end__"]\n'
    done = road.run(road.compile(both), {"shards": list(range(40))}, budget=Budget(max_concurrency=4))
    assert road.ran.index("sibling") <= 8
    assert done.spent.concurrency == 4


def test_an_item_that_passes_a_budget_ends_the_run(road: Road) -> None:
    working(road)
    with pytest.raises(OverBudget):
        road.run(road.compile(graph(COLLECT)), {"shards": [1, 2, 3, 4]}, budget=Budget(max_iterations=3))


def test_an_item_that_breaks_its_contract_ends_the_run(road: Road) -> None:
    road.kind("work", lambda **_: {"out": "text"}, *PORTS)
    with pytest.raises(StateTypeError, match="node 'each' wrote 'found', declared as integer"):
        road.run(graph(COLLECT), {"shards": [1]})


def test_each_item_is_an_activation_on_the_record(road: Road) -> None:
    working(road)
    records: list[Any] = road.records(graph("concurrency = 1\n" + COLLECT), {"shards": [1, -2]})  # type: ignore[assignment]
    happened = [record for record in records[1:-1] if record["event"] != "decision"]
    assert [(r["event"], r.get("index"), r.get("gives"), r.get("writes")) for r in happened] == [
        ("map_start", None, None, None),
        ("start", 0, None, None),
        ("end", 0, {"found": 101}, None),
        ("start", 1, None, None),
        ("error", 1, None, None),
        ("map_end", None, None, {"found": [101], "lost": records[-2]["writes"]["lost"]}),
    ]
    assert [happened[0]["items"], happened[-1]["items"], happened[-1]["failed"]] == [2, 2, 1]


def test_a_list_that_cannot_be_made_ends_the_run_with_its_place(road: Road) -> None:
    working(road)
    with pytest.raises(
        ExpressionFailed, match=r"^graph.toml:\d+:10: 'over' of node 'each' cannot be evaluated: index 3"
    ):
        road.run(graph().replace('"shards"', '"[shards[3]]"'), {"shards": [1]})


JOINED = """
[state]
words = { type = "list[string]", input = true }
seen = { type = "list[string]", default = ["first"], reducer = "REDUCER", output = true }
sizes = { type = "list[integer]", default = [], reducer = "append", output = true }
[[nodes]]
name = "split"
reads = { word = "one" }
writes = { letters = "seen", size = "sizes" }
map = { over = "words", as = "one", max_items = 9 }
[[edges]]
chain = ["__start__", "split", "__end__"]
"""


@pytest.mark.parametrize(
    ("reducer", "seen"),
    [("append", ["first", "a", "b", "b", "c"]), ("union", ["first", "a", "b", "c"])],
)
def test_lists_are_put_together_where_lists_are_added_to(road: Road, reducer: str, seen: list[str]) -> None:
    road.kind(
        "split",
        lambda word: {"letters": list(word), "size": len(word)},
        {"word": "string"},
        {"letters": "list[string]", "size": "integer"},
    )
    done = road.run(JOINED.replace("REDUCER", reducer), {"words": ["ab", "bc"]})
    assert done.outputs == {"seen": seen, "sizes": [2, 2]}


def test_a_constraint_of_the_whole_list_holds(road: Road) -> None:
    working(road)
    limited = graph().replace('found = { type = "list[integer]"', 'found = { type = "list[integer]", maxItems = 2')
    with pytest.raises(StateTypeError, match="'found'"):
        road.run(limited, {"shards": [1, 2, 3]})


def test_an_item_cannot_change_the_list_it_came_from(road: Road) -> None:
    road.kind("work", lambda n: n.append(1) or {"out": len(n)}, {"n": "list[integer]"}, {"out": "integer"})
    road.kind("look", lambda rows: {"seen": rows}, {"rows": "list[list[integer]]"}, {"seen": "list[list[integer]]"})
    mapped = """
    [state]
    rows = { type = "list[list[integer]]", input = true }
    found = { type = "list[integer]", default = [] }
    seen = { type = "list[list[integer]]", output = true }
    [[nodes]]
    name = "each"
    kind = "work"
    reads = { n = "row" }
    writes = { out = "found" }
    map = { over = "rows", as = "row", max_items = 9 }
    [[nodes]]
    name = "look"
    [[edges]]
    chain = ["__start__", "each", "look", "__end__"]
    """
    assert road.run(mapped, {"rows": [[], [5]]}).outputs["seen"] == [[], [5]]


def test_a_map_in_a_loop_and_beside_a_branch(road: Road) -> None:
    """Rounds, items and the condition that looks at what the items gave."""
    road.kind("work", lambda n, base: {"out": n + base}, *PORTS)
    road.kind("grow", lambda base: road.note("grow") or {"base": base + 1}, {"base": "integer"}, {"base": "integer"})
    text = graph().replace('chain = ["__start__", "each", "__end__"]', 'chain = ["__start__", "grow", "each"]')
    text += """
    [[nodes]]
    name = "grow"
    [[edges]]
    source = "each"
    target = "__end__"
    when = "found.all(x, x >= 104)"
    [[edges]]
    source = "each"
    target = "grow"
    otherwise = true
    loop = { max_rounds = 5 }
    """
    done = road.run(text, {"shards": [1, 2]})
    assert (done.stop, done.outputs["found"], road.ran) == ("finished", [104, 105], ["grow"] * 3)


def test_a_map_is_one_step(road: Road) -> None:
    working(road)
    compiled = road.compile(graph())
    assert compiled.runs.steps == 1
    assert road.run(compiled, {"shards": list(range(20))}).stop == "finished"


def test_a_failing_map_leaves_nothing_in_a_kept_state() -> None:
    road = Road()
    working(road)
    compiled = road.compile(graph(), InMemorySaver())
    with pytest.raises(NodeFailed):
        compiled.invoke({"shards": [1, -1]}, run_id="r")
    assert compiled.get_state("r").values["found"] == [-1]
    assert compiled.get_state("r").next == ("each",)
