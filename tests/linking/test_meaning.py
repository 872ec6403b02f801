"""What digests notice and what they do not: the same meaning has one digest, and every edit of it another."""

from __future__ import annotations

import copy
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.canonical import digest
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.meaning import graph_meaning, registry_meaning
from tests.linking.documents import GRAPH, MANIFEST, PROMPT, SELECTION, edited, edits
from tests.linking.graphs import REGISTRY
from tests.linking.project import linked, opened
from tests.linking.shelf import SHELF


def link_json(graph: Json, prompt: str = PROMPT) -> LinkedGraph:
    texts = {**SHELF, "registry.toml": REGISTRY, "sum.md": prompt, "graph.json": json.dumps(graph)}
    return linked(texts, "graph.json")


def digest_of(graph: Json, prompt: str = PROMPT) -> str:
    return digest(graph_meaning(link_json(graph, prompt)))


BASE = digest_of(GRAPH)


def test_the_graph_of_these_tests_is_whole() -> None:
    assert link_json(GRAPH).findings == ()


def shuffled(value: Json, random: Random) -> Json:
    if isinstance(value, dict):
        keys = random.sample(list(value), len(value))
        return {key: shuffled(value[key], random) for key in keys}
    return [shuffled(item, random) for item in value] if isinstance(value, list) else value


@given(st.integers())
def test_the_order_of_keys_nodes_and_edges_is_no_meaning(seed: int) -> None:
    random = Random(seed)
    graph = copy.deepcopy(GRAPH)
    for key in ("nodes", "edges"):
        items = graph[key]
        assert isinstance(items, list)
        random.shuffle(items)
    assert digest_of(shuffled(graph, random)) == BASE


@pytest.mark.parametrize("remark", ["description", "rationale"])
def test_remarks_are_no_meaning(remark: str) -> None:
    graph = copy.deepcopy(GRAPH)
    for rows in (graph["nodes"], graph["edges"]):
        assert isinstance(rows, list)
        for row in rows:
            assert isinstance(row, dict)
            row[remark] = "said to people"
            row["suppress"] = [{"code": "implied_end", "reason": "as it should be"}]
    graph |= {"description": "a graph", "$schema": "https://example.org/graph.json", "format": "1"}
    found = link_json(graph)
    assert found.findings == ()
    assert digest(graph_meaning(found)) == BASE


def test_a_chain_is_its_edges() -> None:
    graph: dict[str, Json] = {
        **GRAPH,
        "edges": [{"chain": ["__start__", "sum", "look"]}, {"chain": ["look", "deep", "__end__"]}],
    }
    assert digest_of(graph) == BASE


def test_what_is_left_out_and_what_is_written_out_means_the_same() -> None:
    graph = copy.deepcopy(GRAPH)
    nodes, state = graph["nodes"], graph["state"]
    assert isinstance(nodes, list)
    assert isinstance(state, dict)
    nodes[0]["reads"] = {"source": "source"}
    nodes[2]["args"]["max_tokens"] = 1000
    state["maybe"] = {"type": "integer | null", "default": None, "input": False, "reducer": "last", "labels": []}
    state["boxes"]["default"] = [{"count": 1, "level": "low"}]
    assert digest_of(graph) == BASE


def test_a_prompt_means_the_same_in_its_place_and_in_a_file() -> None:
    graph = copy.deepcopy(GRAPH)
    assert isinstance(graph["nodes"], list)
    graph["nodes"][0]["args"]["prompt"] = PROMPT
    assert digest_of(graph) == BASE


def test_toml_and_json_mean_the_same() -> None:
    toml = """
# a comment
name = "demo"
version = "3"
[types]
Boxes = "list[Box]"
[types.Box]
level = { type = '"low" | "high"', default = "low" }
count = { type = "integer", minimum = 0, maximum = 9 }
[state]
source = { type = "string", input = true, labels = ["untrusted"], maxLength = 400, pattern = "." }
boxes = { type = "Boxes", default = [{ count = 1 }], reducer = "append", maxItems = 5 }
maybe = "integer | null"
level = { type = '"low" | "high"', default = "low" }
ticket = { type = "Ticket", input = true }
result = { type = "string", output = true, minLength = 1 }
[budget]
max_tokens = 9_000
max_iterations = 7
max_seconds = 60.0
max_usd = 0.5
max_concurrency = 2
[[nodes]]
name = "sum"
kind = "model.call"
writes.text = "result"
args = { role = "writer", prompt = { file = "sum.md" }, max_tokens = 500 }
[[nodes]]
name = "look"
kind = "read_handbook"
reads.path = "source + '.md'"
writes.text = "result"
[[nodes]]
name = "deep"
kind = "triage.deep"
reads.tickets = "[ticket]"
writes = {}
args = { role = "writer", style = "In the style of {source}", tools = ["tool.grep"] }
[[edges]]
chain = ["__start__", "sum", "look", "deep", "__end__"]
"""
    found = linked({**SHELF, "registry.toml": REGISTRY, "sum.md": PROMPT, "graph.toml": toml})
    assert found.findings == ()
    assert digest(graph_meaning(found)) == BASE


EDITS = [(path, value) for path, value in edits(GRAPH)]


@pytest.mark.parametrize(("path", "value"), EDITS, ids=[f"{path}={value}" for path, value in EDITS])
def test_every_edit_of_a_graph_changes_its_digest(path: Path, value: Json) -> None:
    assert digest_of(edited(GRAPH, path, value)) != BASE


def test_an_edit_of_a_named_file_changes_the_digest() -> None:
    assert digest_of(GRAPH, PROMPT + ".") != BASE


def test_what_the_registry_says_is_no_meaning_of_the_graph() -> None:
    pins = REGISTRY.replace('root = "handbook"', 'root = "elsewhere"').replace("gpt-4o-mini", "gpt-4o")
    texts = {**SHELF, "registry.toml": pins, "sum.md": PROMPT, "graph.json": json.dumps(GRAPH)}
    found = linked(texts, "graph.json")
    assert found.findings == ()
    assert digest(graph_meaning(found)) == BASE
    assert digest(registry_meaning(found.registry)) != digest(registry_meaning(link_json(GRAPH).registry))


def registry_digest(selection: Json, manifest: Json) -> str:
    texts = {**SHELF, "registry.json": json.dumps(selection), "kinds.json": json.dumps(manifest)}
    return digest(registry_meaning(opened(texts)))


def test_the_registry_of_these_tests_is_whole() -> None:
    texts = {**SHELF, "registry.json": json.dumps(SELECTION), "kinds.json": json.dumps(MANIFEST)}
    assert opened(texts).findings == ()


SAME = {
    # A version pin says which version is meant and changes nothing where it is the one that is there; that the
    # document of a kind has another name changes nothing either, but then there is none.
    ("use", 1, "version"),
}
REGISTRY_EDITS = [(path, value) for path, value in edits(SELECTION) if path not in SAME]
MANIFEST_EDITS = [(path, value) for path, value in edits(MANIFEST)]


@pytest.mark.parametrize(("path", "value"), REGISTRY_EDITS, ids=[f"{path}={value}" for path, value in REGISTRY_EDITS])
def test_every_edit_of_a_selection_changes_its_digest(path: Path, value: Json) -> None:
    assert registry_digest(edited(SELECTION, path, value), MANIFEST) != registry_digest(SELECTION, MANIFEST)


@pytest.mark.parametrize(("path", "value"), MANIFEST_EDITS, ids=[f"{path}={value}" for path, value in MANIFEST_EDITS])
def test_every_edit_of_a_manifest_changes_the_digest(path: Path, value: Json) -> None:
    assert registry_digest(SELECTION, edited(MANIFEST, path, value)) != registry_digest(SELECTION, MANIFEST)
