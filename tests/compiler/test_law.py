"""The law of unconditional graphs: each one that is admitted compiles, runs every node once in its order, on the real
LangGraph, synchronously and asynchronously, within the steps that were predicted and not within fewer."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphRecursionError

from grapharc.compiler.compile import compile_graph
from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.project.files import DiskLoader
from grapharc.spec.json_value import Json
from grapharc.spec.link.link import link
from grapharc.spec.read import read_graph
from grapharc.spec.registry.open_registry import open_registry
from tests.pipeline import MEMO, TODAY

Edge = tuple[str, str]
LOADER = DiskLoader(".")
REGISTRY = open_registry(None, LOADER, MEMO)[0]


@st.composite
def dags(draw: st.DrawFn) -> tuple[list[str], list[Edge]]:
    """Draw an unconditional graph in which every node is reached and has a way on."""
    count = draw(st.integers(1, 9))
    names = draw(st.permutations([f"n{number}" for number in range(count)]))
    edges: set[Edge] = set()
    for place, name in enumerate(names):
        before = ["__start__", *names[:place]]
        edges.update((source, name) for source in draw(st.sets(st.sampled_from(before), min_size=1, max_size=3)))
    leading = {source for source, _ in edges}
    edges.update((name, "__end__") for name in names if name not in leading or draw(st.booleans()))
    return names, sorted(edges)


def document(names: list[str], edges: list[Edge]) -> Json:
    """Write a graph whose nodes each append their name to one list."""
    return {
        "state": {"ran": {"type": "list[string]", "reducer": "append", "default": [], "output": True}},
        "nodes": [
            {"name": name, "kind": "control.set", "reads": {"value": f"['{name}']"}, "writes": {"result": "ran"}}
            for name in names
        ],
        "edges": [{"source": source, "target": target} for source, target in edges],
    }


def admitted(names: list[str], edges: list[Edge]) -> Admission:
    """Admit a graph under the built-in policy."""
    data = json.dumps(document(names, edges)).encode()
    admission = admit(link(read_graph(data, "graph.json")[0], REGISTRY, LOADER, MEMO)[0], today=TODAY)
    assert admission.verdict == "admitted", admission.findings
    return admission


@given(dags(), st.randoms())
def test_the_law(drawn: tuple[list[str], list[Edge]], chance: random.Random) -> None:
    names, edges = drawn
    admission = admitted(names, edges)
    compiled = compile_graph(admission)
    events: list[Any] = []
    done = compiled.invoke(listeners=[events.append])
    ran = list(done.outputs["ran"])

    assert sorted(ran) == sorted(names), "each node ran once"
    started = [event["node"] for event in events if event["event"] == "start"]
    ended = {event["node"]: event["seq"] for event in events if event["event"] == "end"}
    begun = {event["node"]: event["seq"] for event in events if event["event"] == "start"}
    assert sorted(started) == sorted(names)
    assert all(ended[source] < begun[target] for source, target in edges if source in ended and target in begun)

    assert asyncio.run(compiled.ainvoke()).outputs == done.outputs

    others, paths = chance.sample(names, len(names)), chance.sample(edges, len(edges))
    again = admitted(others, paths)
    assert again.graph_digest == admission.graph_digest
    assert compile_graph(again).invoke().outputs == done.outputs, "the same meaning, the same result"


@given(dags())
def test_the_steps_are_as_predicted(drawn: tuple[list[str], list[Edge]]) -> None:
    admission = admitted(*drawn)
    compiled: Any = compile_graph(admission)
    opened = compiled.runs.open({}, None, None, None)
    assert opened.config["recursion_limit"] == admission.flow.steps + 1
    assert opened.config["recursion_limit"] == 1 + longest(*drawn)
    compiled.inner.invoke({}, opened.config)
    with pytest.raises(GraphRecursionError):
        compiled.inner.invoke({}, {**opened.config, "recursion_limit": admission.flow.steps})


def longest(names: list[str], edges: list[Edge]) -> int:
    """Count the nodes on the longest way, independently of the code under test."""
    into: dict[str, list[str]] = {}
    for source, target in edges:
        into.setdefault(target, []).append(source)
    known: dict[str, int] = {"__start__": 0}

    def far(name: str) -> int:
        if name not in known:
            known[name] = 1 + max(far(source) for source in into[name])
        return known[name]

    return max(far(name) for name in names)


def test_a_chain_is_as_long_as_it_is() -> None:
    names = [f"n{number}" for number in range(120)]
    edges = list(pairwise(["__start__", *names, "__end__"]))
    done = compile_graph(admitted(names, edges)).invoke()
    assert done.outputs["ran"] == names
