"""What a node writes is what it declares, of the type that is declared: on LangGraph alone nobody looks."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.types import Command, Overwrite, Send

from grapharc.runtime.contract_errors import OutputsError, StateTypeError, WritePermissionError
from grapharc.runtime.errors import NodeFailed
from grapharc.spec.offers import Reducer
from grapharc.spec.types import INTEGER, JSON, STRING, Constrained, ListOf, MapOf, Member, OneOf, Record, Scalar
from tests.by_hand import field, graph, node, raw


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    text: str
    count: int
    secret: str


TEXT = field("text", STRING, "", output=True)
COUNT = field("count", INTEGER, 0, output=True)


def test_an_undeclared_write_is_refused() -> None:
    writes_too_much: Any = lambda *_, **__: {"count": 1, "text": "sneaked in"}  # noqa: E731
    assert raw(State, {"a": writes_too_much}).invoke({"text": ""})["text"] == "sneaked in"

    with pytest.raises(WritePermissionError) as caught:
        graph([TEXT, COUNT], [node("a", writes_too_much, [], [COUNT])]).invoke()
    assert (caught.value.node, caught.value.written, caught.value.declared) == ("a", "text", ("count",))
    assert str(caught.value) == "node 'a' wrote 'text', which it does not declare: it may write 'count'"


def test_a_write_to_no_field_at_all_is_refused() -> None:
    misspelt: Any = lambda *_, **__: {"cuont": 1}  # noqa: E731
    assert raw(State, {"a": misspelt}).invoke({"count": 0}) == {"count": 0}, "dropped in silence"

    with pytest.raises(WritePermissionError, match="wrote 'cuont', which it does not declare"):
        graph([COUNT], [node("a", misspelt, [], [COUNT])]).invoke()


def test_a_wrong_type_is_refused_from_the_last_node_too() -> None:
    wrong: Any = lambda *_, **__: {"count": "three"}  # noqa: E731
    assert raw(State, {"a": wrong}).invoke({"count": 0})["count"] == "three"

    with pytest.raises(StateTypeError) as caught:
        graph([COUNT], [node("a", wrong, [], [COUNT])]).invoke()
    assert (caught.value.node, caught.value.field, caught.value.declared) == ("a", "count", "integer")
    assert str(caught.value) == "node 'a' wrote 'count', declared as integer: expected integer, found string 'three'"


@pytest.mark.parametrize("value", [True, 1.0, None, [1], 2**63], ids=str)
def test_nothing_is_taken_for_an_integer_that_is_none(value: object) -> None:
    with pytest.raises(StateTypeError):
        graph([COUNT], [node("a", lambda: {"count": value}, [], [COUNT])]).invoke()


def test_a_value_that_is_missing_is_named() -> None:
    with pytest.raises(StateTypeError, match="the node returned no 'count'"):
        graph([COUNT, TEXT], [node("a", lambda: {"text": ""}, [], [COUNT, TEXT])]).invoke()


@pytest.mark.parametrize("returned", [3, "text", [("count", 1)]], ids=str)
def test_what_is_no_dict_of_outputs_is_refused(returned: object) -> None:
    with pytest.raises(OutputsError, match=r"node 'a' returned .*, a dict of outputs would be right"):
        graph([COUNT], [node("a", lambda: returned, [], [COUNT])]).invoke()


def test_a_value_in_itself_is_refused_and_not_a_crash() -> None:
    loop: list[object] = []
    loop.append(loop)
    items = field("items", ListOf(JSON), [])
    with pytest.raises(StateTypeError, match="nested too deep"):
        graph([items], [node("a", lambda: {"items": loop}, [], [items])]).invoke()


def test_constraints_of_a_type_bite_and_defaults_of_records_are_filled_in() -> None:
    small = field("small", Constrained(INTEGER, (("maximum", 9),)), 0)
    with pytest.raises(StateTypeError, match="small"):
        graph([small], [node("a", lambda: {"small": 10}, [], [small])]).invoke()

    claim = Record("Claim", (Member("text", STRING), Member("weight", INTEGER, 1)))
    claims = field("claims", ListOf(claim), output=True)
    done = graph([claims], [node("a", lambda: {"claims": [{"text": "x"}]}, [], [claims])]).invoke()
    assert done.outputs == {"claims": [{"text": "x", "weight": 1}]}


def test_a_limit_on_what_is_collected_holds_for_the_whole() -> None:
    items = field("items", Constrained(ListOf(INTEGER), (("maxItems", 3),)), [], reducer="append")
    two = lambda: {"items": [1, 2]}  # noqa: E731
    with pytest.raises(StateTypeError, match=r"node 'b' wrote 'items'.*after 'append'"):
        graph([items], [node("a", two, [], [items]), node("b", two, [], [items])]).invoke()


@pytest.mark.parametrize(
    "command",
    [Command(goto="b"), Command(update={"text": "x"}, goto="b"), [Send("b", {})]],
    ids=["goto", "both", "send"],
)
def test_a_node_cannot_choose_where_the_run_goes(command: object) -> None:
    ran: list[str] = []
    routes: Any = lambda *_: command  # noqa: E731
    reaches: Any = lambda *_: ran.append("b")  # noqa: E731

    from langgraph.graph import END, START, StateGraph

    builder: Any = StateGraph(State)
    builder.add_node("a", routes if not isinstance(command, list) else lambda _: Command(goto=command))
    builder.add_node("b", reaches)
    builder.add_edge(START, "a")
    builder.add_edge("a", END)
    builder.compile().invoke({})
    assert ran == ["b"], "there is no edge from a to b"

    with pytest.raises(OutputsError, match="node 'a' returned"):
        graph([TEXT], [node("a", lambda: command), node("b", lambda: ran.append("b"))]).invoke()
    assert ran == ["b"]


class Merged(TypedDict, total=False):
    """A state of raw LangGraph that merges."""

    all: Annotated[dict[str, object], lambda a, b: {**a, **b}]


@pytest.mark.parametrize(
    ("reducer", "type_", "value"),
    [
        ("append", ListOf(JSON), [{"__overwrite__": []}]),
        ("merge", MapOf(JSON), {"__overwrite__": {}}),
        ("merge", MapOf(JSON), {"type": "__overwrite__", "value": {}}),
    ],
)
def test_no_value_is_taken_for_a_command_of_langgraph(reducer: Reducer, type_: Any, value: Any) -> None:
    kept: Any = {"old": 1} if reducer == "merge" else ["old"]
    if reducer == "merge":
        assert raw(Merged, {"a": lambda _: {"all": value}}).invoke({"all": kept})["all"] == {}, "what was there is lost"

    everything = field("all", type_, kept, output=True, reducer=reducer)
    done = graph([everything], [node("a", lambda: {"all": value}, [], [everything])]).invoke()
    assert done.outputs["all"] == ({**kept, **value} if reducer == "merge" else [*kept, *value])


def test_langgraphs_own_objects_are_no_values() -> None:
    items = field("items", JSON, [])
    with pytest.raises(StateTypeError, match="found a Python Overwrite"):
        graph([items], [node("a", lambda: {"items": Overwrite([])}, [], [items])]).invoke()


def test_an_interrupt_that_nobody_can_answer_is_a_failure_and_no_success() -> None:
    from langgraph.types import interrupt

    asks: Any = lambda *_: interrupt("may I?")  # noqa: E731
    assert "__interrupt__" in raw(State, {"a": asks}).invoke({"count": 0}), "it just returns"

    with pytest.raises(NodeFailed, match=r"node 'a' of kind 'own.a' failed: GraphInterrupt"):
        graph([COUNT], [node("a", asks)]).invoke()


def min_of(a: int, b: int) -> int:
    """The builtin has no signature that LangGraph can read."""
    return min(a, b)


class Low(TypedDict, total=False):
    """A state of raw LangGraph that keeps the least."""

    low: Annotated[int, min_of]


def test_maximum_and_minimum_start_from_the_first_write() -> None:
    assert raw(Low, {"a": lambda _: {"low": 7}}).invoke({})["low"] == 0, "an int starts at 0"

    lowest, highest = (
        field("low", INTEGER, output=True, reducer="min"),
        field("high", INTEGER, output=True, reducer="max"),
    )
    done = graph(
        [lowest, highest],
        [
            node("a", lambda: {"low": 7, "high": -7}, [], [lowest, highest]),
            node("b", lambda: {"low": 8, "high": -8}, [], [lowest, highest]),
        ],
    ).invoke()
    assert done.outputs == {"low": 7, "high": -7}


class Collected(TypedDict, total=False):
    """A state of raw LangGraph that collects."""

    found: Annotated[list[str], operator.add]


def test_what_parallel_nodes_append_is_in_the_order_people_expect() -> None:
    from langgraph.graph import START, StateGraph

    names = ["b1", "b2", "b10"]
    builder: Any = StateGraph(Collected)
    for name in names:
        builder.add_node(name, lambda _, name=name: {"found": [name]})
        builder.add_edge(START, name)
    assert builder.compile().invoke({"found": []})["found"] == ["b1", "b10", "b2"]

    found = field("found", ListOf(STRING), [], output=True, reducer="append")
    nodes = [node(name, lambda name=name: {"found": [name]}, [], [found]) for name in names]
    edges = [edge for name in names for edge in (("__start__", name), (name, "__end__"))]
    assert graph([found], nodes, edges).invoke().outputs["found"] == names


def test_the_order_of_what_is_appended_does_not_depend_on_how_far_a_limb_is() -> None:
    """``late`` comes two steps after ``near``, and is folded by its place in the graph, not by when it came."""
    found = field("found", ListOf(STRING), ["given"], output=True, reducer="append")
    names = ["start", "near", "mid", "late", "after"]
    nodes = [node(name, lambda name=name: {"found": [name]}, [], [found]) for name in names]
    edges = [
        ("__start__", "start"),
        ("start", "near"),
        ("start", "mid"),
        ("mid", "late"),
        ("near", "after"),
        ("late", "after"),
        ("after", "__end__"),
    ]
    done = graph([found], nodes, edges).invoke()
    assert done.outputs["found"] == ["given", "start", "mid", "near", "late", "after"]


def test_union_keeps_the_first_of_equal_values() -> None:
    seen = field("seen", ListOf(JSON), [1], output=True, reducer="union")
    values = [1.0, True, "1", {"a": [1], "b": 2}, {"b": 2, "a": [1.0]}, None, None]
    done = graph([seen], [node("a", lambda: {"seen": values}, [], [seen])]).invoke()
    assert done.outputs["seen"] == [1, True, "1", {"a": [1], "b": 2}, None]


def test_a_field_that_may_be_null_starts_as_null() -> None:
    maybe = field("maybe", OneOf((STRING, Scalar("null"))), output=True)
    seen = field("seen", JSON, output=True)
    done = graph([maybe, seen], [node("a", lambda *, maybe: {"seen": [maybe]}, [maybe], [seen])]).invoke()
    assert done.outputs == {"maybe": None, "seen": [None]}


def test_a_class_of_the_kinds_own_cannot_break_the_check() -> None:
    class Hostile(dict[str, object]):
        def __iter__(self) -> Any:
            raise LookupError("not for you")

        items = keys = __len__ = __iter__

    items = field("items", JSON, None, output=True)
    whole = graph([TEXT], [node("a", lambda: Hostile(text="fine"), [], [TEXT])])
    assert whole.invoke().outputs == {"text": "fine"}
    part = graph([items], [node("a", lambda: {"items": [Hostile()]}, [], [items])])
    with pytest.raises(StateTypeError, match="looking at the value raised LookupError"):
        part.invoke()
