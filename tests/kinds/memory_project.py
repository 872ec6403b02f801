"""A project in a folder: graphs that verify, record, correct and look up, with one store that the registry pins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import grapharc
from grapharc.spec.json_value import Json

REGISTRY = """
[[use]]
kind = "verify.*"
[[use]]
kind = "memory.*"
args = { store = "held/facts.sqlite" }
[[use]]
kind = "control.*"
[models]
reviewer = "mock/replies.json"
"""
TYPES = """
[types.Said]
text = "string"
subject = "string"
predicate = "string"
object = "string"
citation = "string"
"""
RECORD = (
    TYPES
    + """
[state]
said = { type = "list[Said]", input = true }
source_text = { type = "string", input = true }
origin = { type = "string", input = true, default = "arch.md" }
accepted = "list[Said]"
ids = { type = "list[string]", output = true }
conflicts = { type = "list[string]", output = true }
refused = { type = "list[Refusal]", output = true }
BEFORE_STATE
[[nodes]]
name = "check"
kind = "VERIFIER"
reads = { claims = "said" }
writes = { accepted = "accepted" }
args = { ARGS }
[[nodes]]
name = "record"
kind = "memory.record"
reads = { claims = "CLAIMS", source = "origin" }
args = { REQUIRES }
BEFORE_NODE
[[edges]]
chain = ["__start__", BEFORE "check", "record", "__end__"]
"""
)
CORRECT = """
[state]
old_id = { type = "string", input = true }
fact = { type = "Fact", input = true }
id = { type = "string", output = true }
[[nodes]]
name = "correct"
kind = "memory.correct"
[[edges]]
chain = ["__start__", "correct", "__end__"]
"""


class Project:
    """The folder of a project, and runs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "registry.toml").write_text(REGISTRY)
        (folder / "policy.toml").write_text('name = "p"\ndefault = "allow"\n')
        (folder / "replies.json").write_text(json.dumps([json.dumps({"supported": True})] * 9))
        (folder / "grapharc.toml").write_text('[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\n')

    @property
    def store(self) -> Path:
        """The file that the registry pins."""
        return self.folder / "held" / "facts.sqlite"

    def run(self, graph: str, inputs: Mapping[str, Json], **flags: str) -> dict[str, Any]:
        """Run a graph and return its outputs."""
        (self.folder / "graph.toml").write_text(graph)
        config = grapharc.Flags(config=str(self.folder / "grapharc.toml"), **flags)
        return dict(grapharc.run(str(self.folder / "graph.toml"), dict(inputs), flags=config).outputs)

    def record(
        self,
        said: Sequence[Mapping[str, Json]],
        source: str,
        *,
        claims: str = "accepted",
        verifier: str = "verify.anchor",
        requires: str = "verified",
        before: tuple[str, str, str] = ("", "", ""),
    ) -> dict[str, Any]:
        """Verify what is said against a source, and record it. ``before`` is a node: its name, table and fields."""
        name, node, state = before
        graph = RECORD.replace("VERIFIER", verifier).replace("CLAIMS", claims)
        graph = graph.replace("REQUIRES", f'requires = "{requires}"' if requires else "")
        graph = graph.replace("ARGS", 'reviewer = "reviewer"' if verifier == "verify.claims" else "")
        graph = graph.replace("BEFORE_STATE", state).replace("BEFORE_NODE", node)
        graph = graph.replace("BEFORE", f'"{name}",' if name else "")
        return self.run(graph, {"said": [dict(one) for one in said], "source_text": source})


def said(subject: str, predicate: str, object_: str, citation: str, text: str = "") -> dict[str, Json]:
    """Say a fact as a claim with its citation."""
    words = text or f"{subject} {predicate} {object_}."
    return {"text": words, "subject": subject, "predicate": predicate, "object": object_, "citation": citation}
