"""A join waits for all that comes together, whatever ways that took, and runs once."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from grapharc.compiler.names import node_of
from grapharc.runtime.errors import NodeFailed
from tests.running.road import Road


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    n: int


def nodes(*names: str) -> str:
    return "".join(f'[[nodes]]\nname = "{name}"\n' for name in names)


CHOICE = """
[[edges]]
source = "SOURCE"
target = "ONE"
when = "n == 1"
[[edges]]
source = "SOURCE"
target = "OTHER"
otherwise = true
"""


def choice(source: str, one: str, other: str) -> str:
    return CHOICE.replace("SOURCE", source).replace("ONE", one).replace("OTHER", other)


STATE = '[state]\nn = { type = "integer", input = true }\n'


def test_a_join_of_alternatives_never_fires_on_raw_langgraph() -> None:
    ran: list[str] = []
    builder: Any = StateGraph(State)
    for name in ("a", "b", "j"):
        builder.add_node(name, lambda _, name=name: ran.append(name))
    builder.add_conditional_edges(START, lambda state: "a" if state["n"] == 1 else "b")
    builder.add_edge(["a", "b"], "j")
    builder.add_edge("j", END)
    builder.compile().invoke({"n": 1})
    assert ran == ["a"], "and the run ends as if all were well"


def test_a_join_of_alternatives_fires(road: Road) -> None:
    road.notes("a", "b", "j")
    graph = STATE + nodes("a", "b", "j") + choice("__start__", "a", "b")
    graph += '[[edges]]\nchain = ["a", "j", "__end__"]\n[[edges]]\nchain = ["b", "j"]'
    road.run(graph, {"n": 1})
    road.run(graph, {"n": 2})
    assert road.ran == ["a", "j", "b", "j"]


DIAMOND = (
    STATE
    + nodes("fork", "left", "right", "pick", "x", "y", "z", "join")
    + '[[edges]]\nchain = ["__start__", "fork", "left", "join", "__end__"]\n'
    + '[[edges]]\nchain = ["fork", "pick"]\n'
    + choice("pick", "x", "y")
    + '[[edges]]\nchain = ["x", "z", "join"]\n[[edges]]\nchain = ["y", "join"]\n'
    + '[[edges]]\nchain = ["fork", "right", "join"]\n'
)


@pytest.mark.parametrize(("n", "way"), [(1, ["x", "z"]), (2, ["y"])])
def test_a_join_waits_for_limbs_of_which_one_is_one_of_several(road: Road, n: int, way: list[str]) -> None:
    road.notes("fork", "left", "right", "pick", "x", "y", "z", "join")
    graph = road.compile(DIAMOND)
    road.run(graph, {"n": n})
    assert sorted(road.ran) == sorted(["fork", "left", "right", "pick", *way, "join"])
    assert road.ran[-1] == "join"
    # fork, pick, x, z, the hidden merge, join
    assert graph.runs.steps == 6


def test_hidden_merges_show_nowhere() -> None:
    road = Road()
    road.notes("fork", "left", "right", "pick", "x", "y", "z")
    road.kind("join", lambda: 1 / 0)
    graph = road.compile(DIAMOND, InMemorySaver())
    inner: Any = graph.inner
    hidden = [name for name in inner.nodes if node_of(name) is None and name != START]
    assert hidden, "there is one to be shown"
    records: list[Any] = []
    with pytest.raises(NodeFailed):
        graph.invoke({"n": 1}, run_id="r", listeners=[records.append])
    told = {record["node"] for record in records if "node" in record}
    assert told == {"fork", "left", "right", "pick", "x", "z", "join"}
    assert graph.get_state("r").next == ("join",)
    assert graph.get_state("r").values == {"n": 1}
    snapshots = inner.get_state_history({"configurable": {"thread_id": "r"}})
    assert any(set(snapshot.next) & set(hidden) for snapshot in snapshots), "it did run"


def test_names_of_authors_and_of_the_lowering_cannot_meet(road: Road) -> None:
    names = ("fork", "left", "hidden", "merge", "loop", "merge.node.join.0", "z", "join")
    road.notes(*names)
    renamed = DIAMOND
    for old, new in zip(("right", "pick", "x", "y"), ("hidden", "merge", "loop", "merge.node.join.0"), strict=True):
        renamed = renamed.replace(f'"{old}"', f'"{new}"')
    road.run(renamed, {"n": 2})
    assert sorted(road.ran) == sorted({*names} - {"loop", "z"})


def test_raw_langgraph_takes_two_joins_for_one() -> None:
    builder: Any = StateGraph(State)
    for name in ("a", "b+c", "a+b", "c", "j"):
        builder.add_node(name, lambda _: {})
    builder.add_edge(START, "a")
    builder.add_edge(["a+b", "c"], "j")
    builder.add_edge(["a", "b+c"], "j")
    joins = [name for name in builder.compile().channels if name.startswith("join:")]
    assert len(joins) == 1


def test_two_joins_of_one_node_are_two(road: Road) -> None:
    """``(a_b and c) or (a and b_c)``; a plus sign is in no name, and a channel's name ends no node's."""
    names = ("one", "other", "a_b", "c", "a", "b_c", "j")
    road.notes(*names)
    graph = STATE + nodes(*names) + choice("__start__", "one", "other")
    for chain in (["one", "a_b", "j"], ["one", "c", "j"], ["other", "a", "j"], ["other", "b_c", "j", "__end__"]):
        graph += f"[[edges]]\nchain = {chain}\n".replace("'", '"')
    compiled = road.compile(graph)
    inner: Any = compiled.inner
    assert len([name for name in inner.channels if name.startswith("join:")]) == 2
    road.run(compiled, {"n": 1})
    road.run(compiled, {"n": 2})
    assert [sorted(road.ran[:4]), sorted(road.ran[4:])] == [["a_b", "c", "j", "one"], ["a", "b_c", "j", "other"]]
    assert "invalid_name" in {f.code for f in road.admission(graph.replace("a_b", "a+b")).findings}


def test_a_failed_limb_may_lead_into_the_join(road: Road) -> None:
    road.kind("a", lambda n: road.note("a") or {"out": 1 // n}, {"n": "integer"}, {"out": "integer"})
    road.notes("b", "mend", "j")
    graph = STATE + nodes("a", "b", "mend", "j")
    graph += '[[edges]]\nsource = "a"\ntarget = "mend"\non = "error"\n'
    for chain in (["__start__", "a", "j", "__end__"], ["__start__", "b", "j"], ["mend", "j"]):
        graph += f"[[edges]]\nchain = {chain}\n".replace("'", '"')
    for n, ran in ((1, ["a", "b", "j"]), (0, ["a", "b", "j", "mend"])):
        road.ran.clear()
        road.run(graph, {"n": n})
        assert sorted(road.ran) == ran
        assert road.ran[-1] == "j"
