"""A node has its own values: it cannot change the state in place, nor keep a way into it."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest

from grapharc.compiler.names import channel, step
from grapharc.runtime.errors import ExpressionFailed
from grapharc.spec.types import INTEGER, JSON, STRING, ListOf, MapOf
from tests.by_hand import field, graph, node, raw


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    items: list[int]
    seen: list[int]


ITEMS = field("items", ListOf(INTEGER), [1], output=True)
SEEN = field("seen", JSON, output=True)


def test_a_node_cannot_change_the_state_in_place() -> None:
    assert raw(State, {"a": lambda s: s["items"].append(9)}).invoke({"items": [1]})["items"] == [1, 9]

    def meddle(*, items: list[int]) -> None:
        items.append(9)

    done = graph([ITEMS], [node("a", meddle, [ITEMS])]).invoke()
    assert done.outputs["items"] == [1]


def test_parallel_nodes_do_not_meet_in_a_value() -> None:
    nested = field("nested", MapOf(JSON), {"deep": {"list": []}}, output=True)
    seen = [field(name, JSON, output=True) for name in ("one", "two")]

    def meddle(name: str) -> Any:
        def function(*, nested: Any) -> Any:
            nested["deep"]["list"].append(name)
            return {name: nested}

        return function

    nodes = [node(f.name, meddle(f.name), [nested], [f]) for f in seen]
    edges = [edge for f in seen for edge in (("__start__", f.name), (f.name, "__end__"))]
    done = graph([nested, *seen], nodes, edges).invoke()
    assert done.outputs == {
        "nested": {"deep": {"list": []}},
        "one": {"deep": {"list": ["one"]}},
        "two": {"deep": {"list": ["two"]}},
    }


def test_what_a_node_returned_is_no_longer_its_own() -> None:
    kept: list[list[int]] = []

    def write(*_: object) -> dict[str, list[int]]:
        kept.append([1])
        return {"items": kept[-1]}

    def reach_back(*_: object) -> None:
        kept[-1].append(9)

    assert raw(State, {"a": write, "b": reach_back}).invoke({"items": []})["items"] == [1, 9]
    assert graph([ITEMS], [node("a", write, [], [ITEMS]), node("b", reach_back)]).invoke().outputs["items"] == [1]


def test_neither_inputs_nor_defaults_nor_arguments_are_shared_between_runs() -> None:
    def meddle(*, items: list[int], extra: list[int]) -> dict[str, object]:
        items.append(9)
        extra.append(9)
        return {"seen": [items, extra]}

    given = field("items", ListOf(INTEGER), [1], given=True, output=True)
    compiled = graph([given, SEEN], [node("a", meddle, [given], [SEEN], args={"extra": [5]})])
    mine = [2]
    for _ in range(2):
        assert compiled.invoke({"items": mine}).outputs == {"items": [2], "seen": [[2, 9], [5, 9]]}
        assert compiled.invoke().outputs == {"items": [1], "seen": [[1, 9], [5, 9]]}
    assert mine == [2]


def test_what_a_run_gave_is_the_callers_own() -> None:
    compiled = graph([ITEMS], [])
    first: Any = compiled.invoke().outputs
    first["items"].append(9)
    assert compiled.invoke().outputs == {"items": [1]}


def test_a_node_is_given_what_it_reads_and_nothing_else() -> None:
    """So what it costs to run a node does not depend on the rest of the state."""
    compiled: Any = graph([ITEMS, SEEN], [node("a", lambda: {"seen": 1}, [], [SEEN])]).inner
    assert list(compiled.nodes[step("a")].channels) == []

    raw_node: Any = raw(State, {"a": lambda _: {}}).nodes["a"]
    assert sorted(raw_node.channels) == ["items", "seen"]


def test_only_outputs_leave_the_run() -> None:
    hidden = field("hidden", STRING)
    done = graph([hidden, ITEMS], [node("a", lambda: {"hidden": "x"}, [], [hidden])]).invoke()
    assert done.outputs == {"items": [1]}


def test_a_field_that_has_no_value_is_named() -> None:
    """An admitted graph never comes here."""
    empty = field("empty", STRING)
    with pytest.raises(ExpressionFailed, match=r"port 'empty' of node 'a'.*field 'empty' has no value yet"):
        graph([empty], [node("a", lambda **_: {}, [empty])]).invoke()


HARD_NAMES = ["__interrupt__", "__error__", "__root__", "__input__", "__pregel_tasks", "branch", "items", "a.b", "a-b"]


@pytest.mark.parametrize("name", HARD_NAMES)
def test_no_name_of_a_node_or_field_meets_one_of_langgraph(name: str) -> None:
    item = field(name, ListOf(INTEGER), [], output=True, reducer="append")
    nodes = [node(name, lambda: {name: [1]}, [], [item]), node("then", lambda: {name: [2]}, [], [item])]
    assert graph([item], nodes).invoke().outputs == {name: [1, 2]}
    assert channel(name) != step(name)


@pytest.mark.parametrize("name", ["__error__", "__interrupt__"])
def test_names_that_langgraph_gives_a_meaning_of_its_own(name: str) -> None:
    """The harm that the prefixes keep away: the field's value is lost, or the graph does not run at all."""
    state: Any = TypedDict("state", {name: list}, total=False)  # type: ignore[misc]
    try:
        done = raw(state, {"a": lambda _: {name: [1]}}).invoke({name: []})
    except Exception:
        return
    assert done != {name: [1]}


def test_joins_whose_names_run_together_stay_apart() -> None:
    """LangGraph names a barrier by joining the names of what it waits for."""
    found = field("found", ListOf(STRING), [], output=True, reducer="append")
    names = ["a", "b", "c", "a-b", "b-c", "j"]
    nodes = [node(name, lambda name=name: {"found": [name]}, [], [found]) for name in names]
    edges = [("__start__", n) for n in ("a", "b", "c", "a-b")]
    edges += [("a-b", "b-c"), ("c", "b-c"), ("a", "j"), ("b-c", "j"), ("b", "j"), ("j", "__end__")]
    done = graph([found], nodes, edges).invoke()
    assert sorted(done.outputs["found"]) == sorted(names)
    assert done.outputs["found"][-1] == "j"
