"""One attempt to get past each sentence about paths, and its twin that is let through."""

from __future__ import annotations

from tests.ways.attempts import (
    CHECK,
    GET,
    GO_BLIND,
    PATH,
    SUB,
    Attempt,
    chain,
    edge,
    inner,
    judged,
    node,
    rule,
    said,
)

ATTEMPTS: dict[str, Attempt] = {
    "path is control flow, with a node in between": (
        GET + node("idle", "hand_on", "writes = {}") + GO_BLIND + chain("__start__", "get", "idle", "go", "__end__"),
        PATH,
        {},
        ["get -> idle", "idle -> go"],
    ),
    "unless_via must stand on every way": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("look", "go", "__end__"),
        PATH,
        {},
        ["get -> go otherwise"],
    ),
    "an exhausted arc is an edge": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "get", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
        + chain("look", "go", "__end__"),
        PATH,
        {},
        ["get -> go otherwise (exhausted)"],
    ),
    "an error edge of the very node that must stand there": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get", "look", "go", "__end__")
        + edge("look", "go", 'on = "error"'),
        PATH,
        {},
        ["get -> look", "look -> go on error"],
    ),
    "the flattened graph, within a subgraph": (
        GET
        + node("sub", "graph", SUB + 'reads = { f = "page" }\nwrites = { g = "done" }')
        + chain("__start__", "get", "sub", "__end__"),
        PATH,
        inner(node("go", "run", 'writes = { out = "g" }'), chain("__start__", "go", "__end__")),
        ["get -> sub/go"],
    ),
    "a way that ends without an edge": (
        GET + chain("__start__", "get"),
        rule("path", "fetch -> __end__"),
        {},
        ["get -> __end__"],
    ),
}


def test_a_star_covers_kinds_and_the_ends_of_a_run_only_when_spelled() -> None:
    graph = GO_BLIND + chain("__start__", "go", "__end__")
    assert said(judged(graph, rule("path", "* -> run", '"human.approve"'))) == []
    assert said(judged(graph, rule("path", "__start__ -> run", '"human.approve"'))) == ["path_denied"]
    assert said(judged(graph, rule("path", "run -> *"))) == []
    assert said(judged(graph, rule("flow", "* -> run"))) == [], "a kind is no witness against itself under a wider word"
