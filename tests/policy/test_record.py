"""The record of an admission: what it says, and that it says it in the same bytes wherever the graph is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.policy.record import record, record_bytes
from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.spec.version import VERSION
from tests.policy.judging import GREETING, judged

ROOT = Path(__file__).parents[2]

REGISTRY = """
name = "models"
version = "2"
[[use]]
kind = "*"
[models]
writer = { spec = "openai/gpt-4o-mini", price = { input = 0.15, output = 0.60 } }
"""

POLICY = """
name = "production"
version = "2026-11-01"
default = "allow"
[limits]
max_usd = 1.0
[[rule]]
id = "files-are-shown"
effect = "ask"
resource = "node"
match = "capability:read_files"
reason = "what is read leaves the house"
approver_role = "dpo"
"""

GRAPH: dict[str, Json] = {
    "name": "digest",
    "version": "3",
    "state": {
        "path": {"type": "string", "input": True, "labels": ["untrusted"]},
        "notes": {"type": "string"},
        "answer": {"type": "string", "output": True},
    },
    "budget": {"max_tokens": 10000},
    "nodes": [
        {"name": "read", "kind": "tool.read_file", "writes": {"text": "notes"}},
        {
            "name": "sum_up",
            "kind": "model.call",
            "args": {"role": "writer", "prompt": "Sum up: {notes}", "max_tokens": 5000},
            "writes": {"text": "answer"},
        },
    ],
    "edges": [{"chain": ["__start__", "read", "sum_up"]}],
}


def bytes_of(graph: Json) -> bytes:
    """The record of a graph that is written as JSON."""
    return record_bytes(judged(json.dumps(graph), POLICY, path="graph.json", registry=REGISTRY))


def test_it_says_everything() -> None:
    # Digests and versions change with the shipped kinds and with every release; what they cover is tested elsewhere.
    said = json.dumps(json.loads(bytes_of(GRAPH)), indent=2) + "\n"
    said = re.sub(r"sha256:[0-9a-f]{64}", "sha256:...", said).replace(f'"{VERSION}"', '"..."')
    expected = Path(__file__).with_name("record.json")
    if os.environ.get("GRAPHARC_UPDATE"):
        expected.write_text(said, "utf-8")
    assert said == expected.read_text("utf-8")


def test_it_is_canonical() -> None:
    assert bytes_of(GRAPH).decode() == canonical(json.loads(bytes_of(GRAPH)))


@given(st.randoms(use_true_random=False))
def test_no_order_of_nodes_or_keys_changes_it(random: Random) -> None:
    def shuffled(value: Json, path: tuple[str, ...] = ()) -> Json:
        if isinstance(value, dict):
            keys = list(value)
            random.shuffle(keys)
            return {key: shuffled(value[key], (*path, key)) for key in keys}
        if isinstance(value, list):
            items = [shuffled(item, path) for item in value]
            if path in (("nodes",), ("edges",)):
                random.shuffle(items)
            return items
        return value

    assert bytes_of(shuffled(GRAPH)) == bytes_of(GRAPH)


def test_toml_says_the_same_as_json() -> None:
    toml = """
    # A comment.
    name = "digest"
    version = "3"
    description = "for people"
    state.path = { type = "string", input = true, labels = ["untrusted"] }
    state.notes = "string"
    state.answer = { type = "string", output = true, description = "for people" }
    budget.max_tokens = 10_000
    [[edges]]
    source = "__start__"
    target = "read"
    [[nodes]]
    name = "sum_up"
    kind = "model.call"
    rationale = "for people"
    suppress = [{ code = "implied_end", reason = "the end is plain" }]
    writes.text = "answer"
    args = { prompt = 'Sum up: {notes}', role = "writer", max_tokens = 5_000 }
    [[edges]]
    source = "read"
    target = "sum_up"
    [[nodes]]
    name = "read"
    kind = "tool.read_file"
    writes.text = "notes"
    """
    assert record_bytes(judged(toml, POLICY, registry=REGISTRY)) == bytes_of(GRAPH)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "4"},
        {"budget": {"max_tokens": 10001}},
        {"edges": [{"chain": ["__start__", "read", "sum_up", "__end__"]}]},
    ],
)
def test_what_changes_the_meaning_changes_the_digest(change: dict[str, Json]) -> None:
    digests = [json.loads(bytes_of(graph))["graph"]["digest"] for graph in (GRAPH, {**GRAPH, **change})]
    assert digests[0] != digests[1]


def test_policies_are_told_apart_by_what_they_mean() -> None:
    same = POLICY.replace('reason = "what', 'rationale = "for people"\nreason = "what').replace("# ", "")
    others = [
        POLICY.replace(a, b) for a, b in (('"ask"', '"deny"'), ("max_usd = 1.0", "max_usd = 2"), ('"dpo"', '"x"'))
    ]
    digests = [judged(GREETING, policy).policies[0].digest for policy in (POLICY, same, *others)]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


@pytest.mark.parametrize("seed", ["0", "1", "7"])
def test_no_hash_seed_and_no_folder_changes_it(seed: str, tmp_path: Path) -> None:
    script = (
        "import sys; from tests.policy.test_record import GRAPH, bytes_of; sys.stdout.buffer.write(bytes_of(GRAPH))"
    )
    environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environ, check=True, capture_output=True)
    assert done.stdout == bytes_of(GRAPH)


def test_json_stays_json() -> None:
    assert json.loads(json.dumps(record(judged(GREETING)))) == json.loads(record_bytes(judged(GREETING)))
