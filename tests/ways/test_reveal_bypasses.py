"""One attempt at what decisions and failures tell, and its twin that is let through."""

from __future__ import annotations

import pytest

from tests.ways.attempts import (
    APPROVE,
    CHECK,
    CHECKED,
    DENIED,
    GET,
    GO_BLIND,
    GO_NOTE,
    NETWORK,
    SUB,
    Attempt,
    chain,
    edge,
    inner,
    judged,
    node,
    rule,
    said,
    witness,
)

ATTEMPTS: dict[str, Attempt] = {
    "what a condition reveals: the activation": (
        GET
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "go", "when = \"page == 'x'\"")
        + edge("get", "__end__", "otherwise = true")
        + chain("go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "what a condition reveals: the writes": (
        GET
        + node("mark", "hand_on", 'reads = { value = "\'x\'" }\nwrites = { out = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + chain("__start__", "get")
        + edge("get", "mark", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("mark", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about mark", "mark writes note", "go reads note"],
    ),
    "what a loop that looks for progress reveals": (
        GO_BLIND
        + GET
        + chain("__start__", "go", "get")
        + edge("get", "go", 'loop = { max_rounds = 3, progress = ["page"] }'),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "what a loop reveals that goes round once more and may then end the run": (
        node("head", "control.pass")
        + GET
        + GO_BLIND
        + chain("__start__", "head")
        + edge("head", "get", "when = \"q == 'x'\"")
        + edge("head", "__end__", "otherwise = true")
        + edge("get", "go", "when = \"page == 'x'\"")
        + edge("get", "head", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
        + chain("go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "an implicit way, with a verifier on one of two ways only": (
        GET
        + CHECK
        + node("go", "run", 'reads = { value = "checked" }\nwrites = {}')
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("look", "go", "__end__"),
        rule("flow", "fetch -> run", '"verify.*"'),
        {},
        [
            "get writes page",
            "get decides by page",
            "that decides about look",
            "look writes checked",
            "go reads checked",
        ],
    ),
}


def on_error(source: str, target: str) -> str:
    return edge(source, target, 'on = "error"')


ASKS = node("ask", "hand_on", 'reads = { value = "page" }\nwrites = {}')


BLIND = node("go", "run", "reads = {}\nwrites = {}")


def test_implicit_false_leaves_out_what_conditions_reveal() -> None:
    graph, _, _, _ = ATTEMPTS["what a condition reveals: the activation"]
    assert said(judged(graph, rule("flow", "fetch -> run", more="implicit = false"))) == []


def test_what_runs_after_a_loop_however_it_ends_does_not_tell_how() -> None:
    graph = node("head", "control.pass") + GET + GO_BLIND + chain("__start__", "head", "get")
    graph += edge("get", "go", "when = \"page == 'x'\"") + chain("go", "__end__")
    graph += edge("get", "head", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
    assert said(judged(graph, NETWORK)) == []


def test_an_implicit_way_ends_where_a_person_stands_on_every_way() -> None:
    graph = GET + APPROVE + GO_BLIND + chain("__start__", "get") + edge("get", "ask", "when = \"page == 'x'\"")
    graph += edge("get", "__end__", "otherwise = true") + chain("ask", "go", "__end__")
    assert said(judged(graph, CHECKED)) == []
    assert said(judged(graph, NETWORK)) == ["flow_denied"]


def test_what_a_node_is_given_decides_whether_its_error_edge_is_taken() -> None:
    """The hole: a node that fails by a secret told it to all behind its error edge."""
    graph = GET + ASKS + BLIND + chain("__start__", "get", "ask", "__end__") + on_error("ask", "go")
    graph += chain("go", "__end__")
    assert said(judged(graph, NETWORK)) == [DENIED]
    assert witness(judged(graph, NETWORK)) == [
        "get writes page",
        "ask reads page",
        "ask may fail by it",
        "that decides about go",
    ]
    assert said(judged(graph, NETWORK + "implicit = false\n")) == []
    pure = graph.replace('"hand_on"', '"control.pass"').replace('reads = { value = "page" }\nwrites = {}', "")
    assert said(judged(pure, NETWORK)) == [], "it is given nothing"


def test_what_is_done_because_a_node_failed_tells_it_behind_the_join_too() -> None:
    """The hole: both ways lead to the command, and a field says which of them was taken."""
    graph = GET + ASKS + node("mark", "control.set", 'reads = { value = "\'x\'" }\nwrites = { result = "note" }')
    graph += GO_NOTE + chain("__start__", "get", "ask", "go", "__end__") + on_error("ask", "mark") + edge("mark", "go")
    assert said(judged(graph, NETWORK)) == [DENIED]
    assert said(judged(graph.replace(GO_NOTE, BLIND), NETWORK)) == [], "it runs whatever happened"


@pytest.mark.parametrize("failing", ["control.fail", "hand_on"])
def test_a_failure_within_a_subgraph_tells_outside_why_it_came_to_it(failing: str) -> None:
    """The hole: what decides within a subgraph whether it fails was lost at its error edge."""
    files = inner(
        node(
            "stop",
            failing,
            "args = { message = 'no' }" if failing == "control.fail" else 'reads = { value = "f" }\nwrites = {}',
        ),
        edge("__start__", "stop", "when = \"f == 'x'\"")
        + edge("__start__", "__end__", "otherwise = true")
        + ("" if failing == "control.fail" else chain("stop", "__end__")),
    )
    graph = GET + node("sub", "graph", SUB + 'reads = { f = "page" }\nwrites = {}') + BLIND
    graph += chain("__start__", "get", "sub", "__end__")
    caught = graph + on_error("sub", "go") + chain("go", "__end__")
    assert said(judged(caught, NETWORK, more=files)) == [DENIED]
    assert said(judged(caught, NETWORK + "implicit = false\n", more=files)) == []


def test_a_verifier_that_fails_has_told_what_it_was_given() -> None:
    """The hole: by its error edge a node of ``unless_via`` tells what has not passed it; by its success it does not."""
    graph = GET + CHECK + BLIND + chain("__start__", "get", "look", "__end__")
    assert said(judged(graph + on_error("look", "go") + chain("go", "__end__"), CHECKED)) == [DENIED]
    passed = GET + CHECK + BLIND + node("other", "control.pass") + chain("__start__", "get", "look", "go", "__end__")
    assert said(judged(passed + on_error("look", "other") + chain("other", "__end__"), CHECKED)) == []
