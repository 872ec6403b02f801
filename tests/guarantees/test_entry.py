"""No run without budget and trace; nothing runs where it cannot be run."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langgraph.errors import GraphRecursionError

from grapharc.compiler.names import channel
from grapharc.runtime.refusals import AsyncNodeError, InputError, MissingRunContextError
from grapharc.spec.types import INTEGER, STRING, ListOf
from tests.by_hand import field, graph, node, raw


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    n: int


N = field("n", INTEGER, 0, given=True, output=True)


def test_langgraphs_object_cannot_be_driven_directly() -> None:
    ran: list[str] = []
    compiled = graph([N], [node("a", lambda: ran.append("a"))])
    inner: Any = compiled.inner
    ways = [
        lambda: inner.invoke({}),
        lambda: list(inner.stream({})),
        lambda: asyncio.run(inner.ainvoke({})),
        lambda: inner.invoke({}, {"configurable": {"grapharc_run": "mine"}}),
        lambda: inner.invoke({channel("n"): 1}),
    ]
    for way in ways:
        with pytest.raises(MissingRunContextError, match="node 'a' has no run context"):
            way()
    assert ran == []
    compiled.invoke()
    assert ran == ["a"]


def test_a_run_of_one_graph_opens_no_other() -> None:
    other: Any = graph([N], [node("b", lambda: None)])
    outer = graph([N], [node("a", lambda: other.inner.invoke({}))])
    with pytest.raises(Exception, match="failed: MissingRunContextError: node 'b' has no run context"):
        outer.invoke()


async def wait(**_: object) -> dict[str, int]:
    """A node that is a coroutine."""
    await asyncio.sleep(0)
    return {"n": 5}


def test_a_synchronous_run_with_coroutines_is_refused_before_anything_runs() -> None:
    ran: list[str] = []
    with pytest.raises(TypeError, match="No synchronous function"):
        raw(State, {"a": lambda _: ran.append("a"), "b": wait}).invoke({})
    assert ran == ["a"], "it ran until it met the coroutine"

    compiled = graph([N], [node("a", lambda: ran.append("b")), node("z", wait, [], [N]), node("b", wait, [], [N])])
    for way in (compiled.invoke, compiled.stream):
        with pytest.raises(AsyncNodeError) as caught:
            way()
        assert caught.value.nodes == ("b", "z")
    assert ran == ["a"]
    assert asyncio.run(compiled.ainvoke()).outputs == {"n": 5}


def test_inputs_are_checked_all_at_once() -> None:
    fields = [
        N,
        field("question", STRING, given=True),
        field("items", ListOf(STRING), given=True),
        field("inside", STRING, ""),
    ]
    with pytest.raises(InputError) as caught:
        graph(fields, []).invoke({"qestion": "x", "n": "one", "inside": "y", "items": ["a", 2]})
    assert caught.value.problems == (
        "there is no input 'qestion', did you mean 'question'?",
        "input 'n': expected integer, found string 'one'",
        "'inside' is a field of the state and no input",
        "input 'items': expected string at [1], found integer 2",
        "input 'question' is missing: string",
    )


def test_an_input_replaces_a_default_also_under_a_reducer() -> None:
    items = field("items", ListOf(INTEGER), [1], given=True, output=True, reducer="append")
    compiled = graph([items], [node("a", lambda: {"items": [2]}, [], [items])])
    assert compiled.invoke().outputs == {"items": [1, 2]}
    assert compiled.invoke({"items": [7]}).outputs == {"items": [7, 2]}


def test_an_empty_graph_gives_its_defaults() -> None:
    assert graph([N], [], []).invoke().outputs == {"n": 0}
    assert graph([N], [], []).invoke({"n": 3}).outputs == {"n": 3}
    assert graph([], [], []).invoke().outputs == {}


def test_the_step_limit_is_what_was_predicted() -> None:
    """LangGraph's own default is ten thousand steps."""
    compiled: Any = graph([N], [node(f"n{i}", lambda: None) for i in range(3)])
    opened = compiled.runs.open({}, None, None, None)
    assert opened.config["recursion_limit"] == 4
    compiled.invoke()
    short = {**opened.config, "recursion_limit": 3}
    with pytest.raises(GraphRecursionError):
        compiled.inner.invoke({}, short)


@pytest.mark.parametrize("count", [2, 5])
def test_a_join_waits_for_all_and_runs_once(count: int) -> None:
    """Raw LangGraph runs a node once for each superstep in which an edge into it fires."""
    runs: list[str] = []
    long = [f"l{i}" for i in range(count)]
    nodes = [node(name, lambda: None) for name in (*long, "short")] + [node("j", lambda: runs.append("j"))]
    chain = list(zip(["__start__", *long], [*long, "j"], strict=True))
    edges = [*chain, ("__start__", "short"), ("short", "j"), ("j", "__end__")]
    graph([], nodes, edges).invoke()
    assert runs == ["j"]

    from langgraph.graph import StateGraph

    builder: Any = StateGraph(State)
    for name in (*long, "short"):
        builder.add_node(name, lambda _: {})
    builder.add_node("j", lambda _: runs.append("raw"))
    for source, target in edges:
        builder.add_edge(source, target)
    builder.compile().invoke({})
    assert runs.count("raw") == 2
