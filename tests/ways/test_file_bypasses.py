"""One attempt to get past each sentence about files and stores, and its twin that is let through."""

from __future__ import annotations

import pytest

from tests.ways.attempts import (
    DENIED,
    GET,
    GO_BLIND,
    INNER_STATE,
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
)

ATTEMPTS: dict[str, Attempt] = {
    "a file as channel": (
        GET
        + node("keep", "save", 'reads = { value = "page" }')
        + GO_BLIND
        + chain("__start__", "get", "keep", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "keep reads page", "keep may write files", "go may read them"],
    ),
    "a file, across rounds": (
        GO_BLIND
        + GET
        + node("keep", "save", 'reads = { value = "page" }')
        + chain("__start__", "go", "get", "keep")
        + edge("keep", "__end__", "when = \"q == 'x'\"")
        + edge("keep", "go", "otherwise = true\nloop = { max_rounds = 2 }"),
        NETWORK,
        {},
        ["get writes page", "keep reads page", "keep may write files", "go may read them"],
    ),
    "a file that a node beside it reads": (
        node("begin", "control.pass")
        + GET
        + node("keep", "save", 'reads = { value = "page" }')
        + node("get_file", "load", 'writes = { page = "note" }')
        + node("go", "hand_on", 'reads = { value = "note" }\nwrites = { out = "done" }')
        + chain("__start__", "begin", "get", "keep", "go", "__end__")
        + chain("begin", "get_file", "go"),
        rule("flow", "fetch -> hand_on"),
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write files",
            "get_file may read them",
            "get_file writes note",
            "go reads note",
        ],
    ),
    "a store, which outlives the order of a run": (
        node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + GET
        + node("keep", "note", 'args = { store = "s" }\nreads = { value = "page" }')
        + chain("__start__", "old", "go", "get", "keep", "__end__"),
        NETWORK,
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write to a store",
            "old may read it",
            "old writes note",
            "go reads note",
        ],
    ),
    "a store that nobody names": (
        GET
        + node("keep", "note", 'reads = { value = "page" }')
        + node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + chain("__start__", "old", "go", "get", "keep", "__end__"),
        NETWORK,
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write to a store",
            "old may read it",
            "old writes note",
            "go reads note",
        ],
    ),
}


STORED = node("keep", "note", 'args = { store = "s" }\nreads = { value = "page" }')


def test_two_stores_are_not_one() -> None:
    graph, rules, _, _ = ATTEMPTS["a store, which outlives the order of a run"]
    assert said(judged(graph.replace('store = "s" }\nwrites', 'store = "other" }\nwrites'), rules)) == []


def test_a_store_is_a_file_and_a_file_may_be_a_store() -> None:
    """The hole: what was put into a store came back by a file, or the other way round, and counted as new."""
    read_back = GET + STORED + node("old", "load", 'writes = { page = "note" }')
    to_load, to_recall = rule("flow", "fetch -> load"), rule("flow", "fetch -> recall")
    assert said(judged(read_back + chain("__start__", "get", "keep", "old", "__end__"), to_load)) == [DENIED]
    assert said(judged(read_back + chain("__start__", "old", "get", "keep", "__end__"), to_load)) == []
    by_command = GET + STORED + node("go", "run", "writes = {}") + chain("__start__", "get", "keep", "go", "__end__")
    assert said(judged(by_command, NETWORK)) == [DENIED]
    filed = GET + node("keep", "save", 'reads = { value = "page" }')
    filed += node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
    assert said(judged(filed + chain("__start__", "get", "keep", "old", "__end__"), to_recall)) == [DENIED]
    assert said(judged(filed + chain("__start__", "old", "get", "keep", "__end__"), to_recall)) == []


def test_what_writes_to_a_store_before_it_writes_files_hides_no_reader() -> None:
    """The hole that a list of readers would have, if those of one writer were taken off that of all."""
    graph = GET + STORED + node("save", "save", 'reads = { value = "page" }')
    graph += node("old", "recall", 'args = { store = "other" }\nwrites = { page = "note" }')
    ways = judged(graph + chain("__start__", "get", "keep", "save", "old", "__end__"), rule("flow", "fetch -> recall"))
    assert said(ways) == [DENIED]


def again(more: str) -> tuple[str, dict[str, str]]:
    """A subgraph that reads files, runs a command by them and then writes what it is given to files."""
    files = inner(
        node("old", "load", 'writes = { page = "note" }')
        + node("act", "run", 'reads = { value = "note" }\nwrites = {}')
        + node("keep", "save", 'reads = { value = "f" }'),
        chain("__start__", "old", "act", "keep", "__end__"),
        'note = { type = "string", default = "" }',
    )
    graph = GET + node("split", "hand_on", 'reads = { value = "page" }\nwrites = { list = "many" }')
    graph += node("sub", "graph", f'{SUB}reads = {{ f = "page" }}\nwrites = {{}}\n{more}')
    return graph + chain("__start__", "get", "split", "sub", "__end__"), files


EXPLICIT = NETWORK + "implicit = false\n"


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        pytest.param("", [], id="in one attempt nothing is written before it is read"),
        pytest.param("retry = { max_attempts = 2 }", [DENIED], id="another attempt reads what the first one wrote"),
        pytest.param("retry = { max_attempts = 1 }", [], id="the first attempt is no other"),
        pytest.param(
            'map = { over = "[q, q]", as = "one", max_items = 2 }', [DENIED], id="an item reads what another wrote"
        ),
        pytest.param(
            'map = { over = "[q]", as = "one", max_items = 2, concurrency = 1 }',
            [DENIED],
            id="one after the other they do so too",
        ),
        pytest.param(
            'map = { over = "[q]", as = "one", max_items = 2, on_item_error = "collect" }\nretry.max_attempts = 2',
            [DENIED],
            id="and where what fails is left out",
        ),
    ],
)
def test_a_file_that_another_attempt_or_item_reads(more: str, codes: list[str]) -> None:
    """The attempt: within one activation the command comes before the file is written."""
    graph, files = again(more)
    assert said(judged(graph, EXPLICIT, more=files)) == codes
    apart = graph.replace('reads = { f = "page" }', 'reads = { f = "q" }')
    assert said(judged(apart, EXPLICIT, more=files)) == [], "what is written is not what was fetched"


def test_a_file_that_another_item_reads_two_graphs_further_in() -> None:
    graph, files = again('map = { over = "[q, q]", as = "one", max_items = 2 }')
    around = f"[state]\n{INNER_STATE}\n" + node(
        "deeper", "graph", 'args = { path = "inner.toml" }\nreads = { f = "f" }\nwrites = {}'
    )
    files["outer.toml"] = around + chain("__start__", "deeper", "__end__")
    outer = graph.replace('path = "inner.toml"', 'path = "outer.toml"')
    assert said(judged(outer, EXPLICIT, more=files)) == [DENIED]
    once = outer.replace('map = { over = "[q, q]", as = "one", max_items = 2 }', "")
    assert said(judged(once, EXPLICIT, more=files)) == []
    retried = once.replace("writes = {}\n", "writes = {}\nretry = { max_attempts = 3 }\n")
    assert said(judged(retried, EXPLICIT, more=files)) == [DENIED]
