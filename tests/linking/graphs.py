"""Graphs against one registry: what linking makes of them, and what it says of them."""

from __future__ import annotations

from grapharc.spec.linked import LinkedGraph, Node
from tests.linking.project import linked, said
from tests.linking.shelf import SHELF

REGISTRY = """
[[use]]
kind = "*"
[[use]]
kind = "tool.read_file"
as = "read_handbook"
args = { root = "handbook" }
[[use]]
from = "kinds/triage.toml"
kind = "*"
[models]
writer = "openai/gpt-4o-mini"
[state]
goal = { type = "string", input = true }
"""


def graph(text: str, **others: str) -> LinkedGraph:
    files = {path.replace("__", "/") + ".md": content for path, content in others.items()}
    return linked({**SHELF, "registry.toml": REGISTRY, "graph.toml": text, **files})


def faults(text: str, **others: str) -> list[str]:
    found = graph(text, **others)
    return [line.removeprefix("graph.toml:") for line in said(found.findings, found.texts)]


def node(text: str) -> Node:
    found = graph(f'[state]\nsource = "string"\nticket = "Ticket"\nclaims = "list[Claim]"\n{text}')
    assert said(found.findings, found.texts) == []
    return next(iter(found.nodes.values()))
