"""What a digest notices of branches, loops, error edges, maps and retries, and what it does not."""

from __future__ import annotations

import copy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.canonical import digest
from grapharc.spec.json_value import Json, Path
from grapharc.spec.meaning import graph_meaning
from tests.linking.documents import edited, edits
from tests.linking.project import linked
from tests.linking.shelf import SHELF
from tests.linking.test_meaning import digest_of, link_json, shuffled

GRAPH: dict[str, Json] = {
    "state": {
        "source": {"type": "string", "input": True},
        "lines": {"type": "list[string]", "default": []},
        "found": {"type": "list[string]", "default": [], "output": True},
        "lost": {"type": "list[Failure]", "default": [], "output": True},
        "failure": "Failure | null",
        "level": {"type": '"low" | "high"', "default": "low"},
    },
    "nodes": [
        {"name": "split", "kind": "control.set", "reads": {"value": "[source]"}, "writes": {"result": "lines"}},
        {
            "name": "look",
            "kind": "read_handbook",
            "map": {"over": "lines", "as": "line", "max_items": 9, "concurrency": 2}
            | {"on_item_error": "collect", "failures": "lost"},
            "reads": {"path": "line"},
            "writes": {"text": "found"},
            "retry": {"max_attempts": 3, "backoff_seconds": 2, "max_backoff_seconds": 9, "on": ["timeout", "error"]},
            "timeout_seconds": 30,
        },
        {"name": "judge", "kind": "control.set", "reads": {"value": "'high'"}, "writes": {"result": "level"}},
        {"name": "stop", "kind": "control.set", "reads": {"value": "'low'"}, "writes": {"result": "level"}},
    ],
    "edges": [
        {"source": "__start__", "target": "split"},
        {"source": "split", "target": "look"},
        {"source": "look", "target": "judge"},
        {"source": "look", "target": "stop", "on": "error", "into": "failure"},
        {"source": "judge", "target": "__end__", "when": "size(found) > 5"},
        {"source": "judge", "target": "stop", "when": "level == 'low'"},
        {"source": "judge", "target": "split", "otherwise": True}
        | {"loop": {"max_rounds": 4, "progress": ["found", "level"], "patience": 2, "exhausted": "stop"}},
        {"source": "stop", "target": "__end__"},
    ],
}
ARMS = (4, 5)
BASE = digest_of(GRAPH)


def test_the_graph_of_these_tests_is_whole() -> None:
    assert link_json(GRAPH).findings == ()


@given(st.randoms(use_true_random=False))
def test_no_order_means_anything_but_that_of_the_arms_of_one_branch(random: Random) -> None:
    graph = copy.deepcopy(GRAPH)
    nodes, edges = graph["nodes"], graph["edges"]
    assert isinstance(nodes, list)
    assert isinstance(edges, list)
    random.shuffle(nodes)
    places = random.sample(range(len(edges)), len(edges))
    first, second = sorted(places.index(arm) for arm in ARMS)
    mixed = [edges[place] for place in places]
    mixed[first], mixed[second] = edges[ARMS[0]], edges[ARMS[1]]
    graph["edges"] = mixed
    assert digest_of(shuffled(graph, random)) == BASE
    mixed[first], mixed[second] = mixed[second], mixed[first]
    assert digest_of(graph) != BASE


EDITS = list(edits(GRAPH))


@pytest.mark.parametrize(("path", "value"), EDITS, ids=[f"{path}={value}" for path, value in EDITS])
def test_every_edit_changes_the_digest(path: Path, value: Json) -> None:
    assert digest_of(edited(GRAPH, path, value)) != BASE


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("edges", 6, "loop", "patience"), 1),
        (("edges", 6, "loop", "progress"), []),
        (("nodes", 1, "map", "on_item_error"), "fail"),
        (("nodes", 1, "retry", "backoff_seconds"), 0),
        (("nodes", 1, "retry", "on"), ["timeout", "unavailable", "rate_limited", "error"]),
        (("nodes", 1, "retry", "on"), ["error", "rate_limited", "unavailable", "timeout"]),
    ],
)
def test_what_is_the_default_means_the_same_when_it_is_said(path: Path, value: Json) -> None:
    base = copy.deepcopy(GRAPH)
    if path[-1] == "on_item_error":
        del base["nodes"][1]["map"]["failures"]  # pyright: ignore
    assert digest_of(edited(base, path, value)) == digest_of(edited(base, path, ...))  # type: ignore[arg-type]


def test_to_name_the_end_of_a_used_up_loop_says_more_than_to_leave_it_out() -> None:
    path = ("edges", 6, "loop", "exhausted")
    assert digest_of(edited(GRAPH, path, "__end__")) != digest_of(edited(GRAPH, path, ...))  # type: ignore[arg-type]


def test_the_order_of_fields_of_progress_and_of_causes_of_a_retry_is_no_meaning() -> None:
    for path, value in (
        (("edges", 6, "loop", "progress"), ["level", "found"]),
        (("nodes", 1, "retry", "on"), ["error", "timeout"]),
    ):
        assert digest_of(edited(GRAPH, path, value)) == BASE


def test_toml_and_json_mean_the_same() -> None:
    toml = """
[state]
source = { type = "string", input = true }
lines = { type = "list[string]", default = [] }
found = { type = "list[string]", default = [], output = true }
lost = { type = "list[Failure]", default = [], output = true }
failure = "Failure | null"
level = { type = '"low" | "high"', default = "low" }
[[nodes]]
name = "split"
kind = "control.set"
reads.value = "[source]"
writes.result = "lines"
[[nodes]]
name = "look"
kind = "read_handbook"
map = { over = "lines", as = "line", max_items = 9, concurrency = 2, on_item_error = "collect", failures = "lost" }
reads.path = "line"
writes.text = "found"
retry = { max_attempts = 3, backoff_seconds = 2.0, max_backoff_seconds = 9, on = ["timeout", "error"] }
timeout_seconds = 30.0
[[nodes]]
name = "judge"
kind = "control.set"
reads.value = "'high'"
writes.result = "level"
[[nodes]]
name = "stop"
kind = "control.set"
reads.value = "'low'"
writes.result = "level"
[[edges]]
chain = ["__start__", "split", "look", "judge"]
[[edges]]
source = "look"
target = "stop"
on = "error"
into = "failure"
[[edges]]
source = "judge"
target = "__end__"
when = "size(found) > 5"
[[edges]]
source = "judge"
target = "stop"
when = "level == 'low'"
[[edges]]
source = "judge"
target = "split"
otherwise = true
loop = { max_rounds = 4, progress = ["found", "level"], patience = 2, exhausted = "stop" }
[[edges]]
chain = ["stop", "__end__"]
"""
    registry = link_json(GRAPH).registry.texts["registry.toml"].source.text
    found = linked({**SHELF, "registry.toml": registry, "graph.toml": toml})
    assert found.findings == ()
    assert digest(graph_meaning(found)) == BASE
