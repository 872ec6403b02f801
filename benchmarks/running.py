"""A run of trivial nodes beside the same graph on LangGraph alone: without and with a trace, and with a large state."""

from __future__ import annotations

import gc
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from grapharc.compiler.compile import compile_graph
from grapharc.compiler.compiled import CompiledGraph
from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.project.files import DiskLoader
from grapharc.spec.json_value import Json
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph, read_registry
from grapharc.spec.registry.open_registry import open_registry

TODAY = date(2027, 1, 1)
NODES, ROUNDS = 50, 40
BARS = {"without": "1.15", "with": "1.40", "large": "within 5 %"}

MANIFEST = """
[[kind]]
name = "count"
version = "1"
summary = "Count one further."
entry = "count.py:count"
capabilities = []
reads = { n = "integer" }
writes = { n = "integer" }
"""
FUNCTION = "def count(*, n):\n    return {'n': n + 1}\n"
REGISTRY = '[[use]]\nfrom = "kinds.toml"\nkind = "count"\n'


class State(TypedDict, total=False):
    """The state of the graph on LangGraph alone."""

    n: int
    question: str
    notes: list[str]
    ballast: list[dict[str, str]]


ITEMS: list[Json] = [{"name": f"item {number}", "text": "some text"} for number in range(1_000)]


def document(nodes: int, ballast: Sequence[Json] = ()) -> bytes:
    """Return a chain of nodes that count, over a state of a few fields, one of which nobody reads."""
    names = [f"n{number}" for number in range(nodes)]
    return json.dumps(
        {
            "types": {"Item": {"name": "string", "text": "string"}},
            "state": {
                "n": {"type": "integer", "input": True, "output": True},
                "question": {"type": "string", "input": True, "default": ""},
                "notes": {"type": "list[string]", "input": True, "default": []},
                "ballast": {"type": "list[Item]", "input": True, "default": list(ballast)},
            },
            "nodes": [{"name": name, "kind": "count", "writes": {"n": "n"}} for name in names],
            "edges": [{"chain": ["__start__", *names, "__end__"]}],
        }
    ).encode()


def admitted(document: bytes, folder: Path) -> tuple[Admission, DiskLoader]:
    """Read, link and admit a graph, with the owner's kind that a folder holds."""
    for name, text in {"kinds.toml": MANIFEST, "count.py": FUNCTION, "registry.toml": REGISTRY}.items():
        (folder / name).write_text(text, "utf-8")
    loader, memo = DiskLoader(str(folder)), Memo()
    selection, _ = read_registry(REGISTRY.encode(), "registry.toml")
    registry, _ = open_registry(selection, loader, memo)
    graph, _ = read_graph(document, "graph.json")
    admission = admit(link(graph, registry, loader, memo)[0], today=TODAY)
    if admission.verdict != "admitted":
        raise RuntimeError(f"{admission.findings[0]}")
    return admission, loader


def compiled(document: bytes) -> CompiledGraph:
    """Compile a graph."""
    with tempfile.TemporaryDirectory() as folder:
        admission, loader = admitted(document, Path(folder))
        return compile_graph(admission, loader=loader)


def raw(nodes: int) -> Any:
    """Build and compile the same chain on LangGraph alone."""
    builder: Any = StateGraph(State)
    names = [START, *(f"n{number}" for number in range(nodes)), END]
    for name in names[1:-1]:
        builder.add_node(name, lambda state: {"n": state["n"] + 1})
    for source, target in pairwise(names):
        builder.add_edge(source, target)
    return builder.compile()


def microseconds(runs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the processor time a node of each run, the least of several rounds, in turns; nothing is collected."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            gc.collect()
            gc.disable()
            start = process_time()
            run()
            best[name] = min(best[name], process_time() - start)
            gc.enable()
    return {name: seconds / NODES * 1e6 for name, seconds in best.items()}


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    ours, heavy, theirs = compiled(document(NODES)), compiled(document(NODES, ITEMS)), raw(NODES)
    small = {"n": 0, "question": "why?", "notes": ["a", "b"]}
    limit = {"recursion_limit": NODES + 1}
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.jsonl"
        took = microseconds(
            {
                "raw": lambda: theirs.invoke(small, limit),
                "ours": lambda: ours.invoke(small),
                "traced": lambda: ours.invoke(small, trace=trace),
                "heavy": lambda: heavy.invoke(small),
                "given": lambda: ours.invoke({**small, "ballast": ITEMS}),
            }
        )
    what = f"a run of {NODES} trivial nodes, per node"
    checking = (took["given"] - took["ours"]) * NODES
    return [
        (f"{what}, beside LangGraph", f"{took['ours'] / took['raw']:.2f} ({took['ours']:.0f} us)", BARS["without"]),
        (f"{what}, with a trace", f"{took['traced'] / took['raw']:.2f} ({took['traced']:.0f} us)", BARS["with"]),
        (f"{what}, with 1000 dicts nobody reads", f"{(took['heavy'] / took['ours'] - 1) * 100:+.1f} %", BARS["large"]),
        ("the same dicts as an input, checked and copied once", f"{checking:.0f} us a run", ""),
    ]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
