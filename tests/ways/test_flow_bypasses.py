"""One attempt to get past each sentence about data, and its twin that is let through."""

from __future__ import annotations

from grapharc.policy.record import record
from tests.ways.attempts import (
    CHECK,
    CHECKED,
    GET,
    GO,
    GO_CHECKED,
    LINE,
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
    use,
)

ATTEMPTS: dict[str, Attempt] = {
    "data through any number of nodes": (
        GET
        + node("mid", "hand_on", 'reads = { value = "page" }\nwrites = { out = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = { out = "done" }')
        + chain("__start__", "get", "mid", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "mid reads page", "mid writes note", "go reads note"],
    ),
    "a loop brings what was written in the round before": (
        node("go", "run", 'reads = { value = "page" }\nwrites = { out = "done" }')
        + GET
        + chain("__start__", "go", "get")
        + edge("get", "__end__", "when = \"q == 'x'\"")
        + edge("get", "go", "otherwise = true\nloop = { max_rounds = 2 }"),
        NETWORK,
        {},
        ["get writes page", "go reads page"],
    ),
    "a map hands on its items": (
        GET
        + node("split", "hand_on", 'reads = { value = "page" }\nwrites = { list = "many" }')
        + node(
            "go", "run", 'reads = { value = "one" }\nwrites = {}\nmap = { over = "many", as = "one", max_items = 3 }'
        )
        + chain("__start__", "get", "split", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "split reads page", "split writes many", "go reads many"],
    ),
    "the list of a mapped subgraph is read by all inside": (
        GET
        + node("split", "hand_on", 'reads = { value = "page" }\nwrites = { list = "many" }')
        + node(
            "sub", "graph", SUB + 'reads = { f = "q" }\nwrites = {}\nmap = { over = "many", as = "one", max_items = 3 }'
        )
        + chain("__start__", "get", "split", "sub", "__end__"),
        NETWORK,
        inner(node("go", "run", "writes = {}"), chain("__start__", "go", "__end__")),
        ["get writes page", "split reads page", "split writes many", "sub runs for each of many", "sub/go runs for it"],
    ),
    "a subgraph's inputs and outputs": (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = { g = "page" }')
        + GO
        + chain("__start__", "sub", "go", "__end__"),
        NETWORK,
        inner(
            node("get", "fetch", 'reads = { value = "f" }\nwrites = { page = "g" }'),
            chain("__start__", "get", "__end__"),
        ),
        ["sub/get writes g", "g leaves sub", "sub writes page", "go reads page"],
    ),
    "an error edge's message": (
        GET
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "get", "__end__")
        + edge("get", "go", 'on = "error"\ninto = "oops"'),
        NETWORK,
        {},
        ["get fails, and oops says why", "go reads oops"],
    ),
    "the message of a verifier that failed has not passed it": (
        GET
        + CHECK
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "get", "look", "__end__")
        + edge("look", "go", 'on = "error"\ninto = "oops"'),
        rule("flow", "fetch -> run", '"verify.*"', "implicit = false"),
        {},
        ["get writes page", "look reads page", "look fails, and oops says why", "go reads oops"],
    ),
    "a failure inside a subgraph": (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = { g = "page" }')
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "sub", "__end__")
        + edge("sub", "go", 'on = "error"\ninto = "oops"'),
        NETWORK,
        inner(
            node("get", "fetch", 'reads = { value = "f" }\nwrites = { page = "g" }'),
            chain("__start__", "get", "__end__"),
        ),
        ["sub fails, and oops says why", "go reads oops"],
    ),
    "collected failures": (
        node(
            "get",
            "fetch",
            'reads = { value = "one" }\nwrites = {}\n'
            'map = { over = "[q]", as = "one", max_items = 3, on_item_error = "collect", failures = "lost" }',
        )
        + node("go", "run", 'reads = { value = "lost" }\nwrites = {}')
        + chain("__start__", "get", "go", "__end__"),
        NETWORK,
        {},
        ["get collects failures in lost", "go reads lost"],
    ),
    "a node that holds both ends": (
        node("help", "agent", 'args = { tools = ["tool.fetch", "tool.run"] }\nreads = {}\nwrites = {}')
        + chain("__start__", "help", "__end__"),
        NETWORK,
        {},
        ["help holds 'tool.fetch'", "help holds 'tool.run'"],
    ),
    "one kind that is both ends": (
        node("both", "bundle") + chain("__start__", "both", "__end__"),
        NETWORK,
        {},
        ["both is 'bundle'"],
    ),
    "an agent that holds an end": (
        GET
        + node("help", "agent", 'args = { tools = ["tool.run"] }\nreads = { value = "page" }\nwrites = {}')
        + chain("__start__", "get", "help", "__end__"),
        NETWORK,
        {},
        ["get writes page", "help reads page"],
    ),
    "the outputs of a run, spelled": (
        node("get", "fetch", 'writes = { page = "done" }') + chain("__start__", "get", "__end__"),
        rule("flow", "fetch -> __end__"),
        {},
        ["get writes done", "done is an output"],
    ),
    "the inputs of a run, spelled": (
        node("go", "run", 'reads = { value = "q" }\nwrites = {}') + chain("__start__", "go", "__end__"),
        rule("flow", "__start__ -> run"),
        {},
        ["q is an input", "go reads q"],
    ),
}


def test_an_alias_slips_past_no_rule_and_stands_for_nothing_but_its_own_name() -> None:
    graph = GET.replace('"fetch"', '"harmless"') + GO + chain("__start__", "get", "go", "__end__")
    alias = use("fetch", 'as = "harmless"')
    assert said(judged(graph, rule("flow", "fetch -> run"), uses=alias)) == ["flow_denied"]
    assert said(judged(graph, rule("path", "fetch -> run"), uses=alias)) == ["path_denied"]
    graph = GET + CHECK.replace('"verify.page"', '"looks"') + GO_CHECKED + LINE
    assert said(judged(graph, CHECKED, uses=use("verify.page", 'as = "looks"'))) == ["flow_denied"]


def test_a_write_reaches_no_read_that_comes_before_it_nor_one_in_another_arm() -> None:
    early = GO + GET + chain("__start__", "go", "get", "__end__")
    assert said(judged(early, NETWORK)) == []
    apart = node("pick", "control.pass") + GET + GO + chain("__start__", "pick")
    apart += (
        edge("pick", "get", "when = \"q == 'x'\"")
        + edge("pick", "go", "otherwise = true")
        + chain("get", "__end__")
        + chain("go", "__end__")
    )
    assert said(judged(apart, NETWORK)) == []


def test_each_entry_of_a_subgraph_has_its_own_copies() -> None:
    files = inner(
        node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + node("get", "fetch", 'writes = { page = "note" }'),
        chain("__start__", "go", "get", "__end__"),
        'note = { type = "string", default = "" }',
    )
    graph = (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = {}')
        + node("last", "control.pass")
        + chain("__start__", "sub", "last")
    )
    graph += edge("last", "__end__", "when = \"q == 'x'\"") + edge(
        "last", "sub", "otherwise = true\nloop = { max_rounds = 2 }"
    )
    assert said(judged(graph, NETWORK, more=files)) == []
    assert said(judged(graph, rule("path", "fetch -> run"), more=files)) == ["path_denied"]


def test_ask_holds_before_the_last_node_of_each_witness() -> None:
    more = 'approver_role = "sre"\nreason = "r"'
    for resource in ("path", "flow"):
        admission = judged(
            GET + GO + chain("__start__", "get", "go", "__end__"),
            rule(resource, "fetch -> run", more=more, effect="ask"),
        )
        assert (admission.verdict, said(admission)) == ("needs_approval", [f"{resource}_needs_approval"])
        assert [(one.before, one.role, one.rule.id) for one in admission.approvals] == [("go", "sre", "r")]
        (row,) = [one for one in record(admission)["decisions"] if one["resource"] == resource]  # type: ignore[union-attr, index, call-overload]
        (by,) = row["by"]  # type: ignore[index, call-overload]
        assert (row["kinds"], row["nodes"], row["effect"]) == (["fetch", "run"], ["go"], "ask")  # type: ignore[index, call-overload]
        assert (by["rule"], by["reason"], by["digest"]) == ("r", "r", admission.policies[0].digest)  # type: ignore[index, call-overload]


def test_a_rule_whose_condition_does_not_hold_stops_nothing() -> None:
    graph = GET + GO + chain("__start__", "get", "go", "__end__")
    assert said(judged(graph, rule("flow", "fetch -> run", more="when = 'graph.node_count > 2'"))) == []
    assert said(judged(graph, rule("flow", "fetch -> run", more="when = 'graph.node_count > 1'"))) == ["flow_denied"]
