"""Judging a chain and a layered graph of ten thousand nodes: time, its growth from a thousand, and memory."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Container, Iterable
from datetime import date
from math import log10
from time import process_time

from grapharc.policy.admit import admit
from grapharc.project.files import DiskLoader
from grapharc.spec.json_value import Json
from grapharc.spec.link.link import link
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph
from grapharc.spec.registry.open_registry import open_registry

TODAY = date(2027, 1, 1)
SMALL, LARGE, WIDTH, ROUNDS = 1_000, 10_000, 100, 5
BARS = {"seconds": "1 s", "memory": "150 MB", "exponent": "1.1"}


def chain(nodes: int) -> Json:
    """Return a graph in which each node reads what the one before it wrote."""
    names = [f"n{number}" for number in range(nodes)]
    return _graph(nodes, [-1, *range(nodes - 1)], [{"chain": ["__start__", *names, "__end__"]}], {nodes - 1})


def layers(nodes: int) -> Json:
    """Return a graph of layers, in which each node leads to two of the next layer."""
    last = nodes - WIDTH
    edges = [["__start__", f"n{node}"] for node in range(WIDTH)]
    for node in range(last):
        below = node // WIDTH * WIDTH + WIDTH
        edges += [[f"n{node}", f"n{below + (node + step) % WIDTH}"] for step in (0, 1)]
    edges += [[f"n{node}", "__end__"] for node in range(last, nodes)]
    return _graph(nodes, range(-WIDTH, last), [{"chain": edge} for edge in edges], range(last, nodes))


def _graph(nodes: int, sources: Iterable[int], edges: list[Json], outputs: Container[int]) -> Json:
    """Each node reads the field of its source, or the input, and writes its own."""
    reads = [f"f{source}" if source >= 0 else "seed" for source in sources]
    fields = {f"f{node}": {"type": "string", "output": node in outputs} for node in range(nodes)}
    return {
        "state": {"seed": {"type": "string", "input": True}, **fields},
        "nodes": [
            {
                "name": f"n{node}",
                "kind": "control.set",
                "reads": {"value": reads[node]},
                "writes": {"result": f"f{node}"},
            }
            for node in range(nodes)
        ],
        "edges": edges,
    }


def linked(graph: Json) -> LinkedGraph:
    """Read and link a graph that has no fault."""
    loader, memo = DiskLoader("."), Memo()
    document, _ = read_graph(json.dumps(graph).encode(), "graph.json")
    found, _ = link(document, open_registry(None, loader, memo)[0], loader, memo)
    if found.findings:
        raise RuntimeError(f"{found.findings[0]}")
    return found


def seconds(graph: LinkedGraph) -> float:
    """Return the processor time of judging a graph, the least of several; as in timeit, nothing is collected."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        start = process_time()
        admission = admit(graph, today=TODAY)
        best = min(best, process_time() - start)
        gc.enable()
        if admission.verdict != "admitted":
            raise RuntimeError(f"{admission.findings[0]}")
    return best


def megabytes(graph: LinkedGraph) -> float:
    """Return the most memory that judging a graph takes beside the graph itself."""
    tracemalloc.start()
    admit(graph, today=TODAY)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    table: list[tuple[str, str, str]] = []
    for name, make in (("a chain", chain), ("layers", layers)):
        small, large = linked(make(SMALL)), linked(make(LARGE))
        less, more = seconds(small), seconds(large)
        what = f"admit of {name} of {LARGE} nodes"
        table.append((what, f"{more:.2f} s", BARS["seconds"]))
        table.append((f"{what}, memory", f"{megabytes(large):.0f} MB", BARS["memory"]))
        table.append((f"{what}, exponent from {SMALL}", f"{log10(more / less):.2f}", BARS["exponent"]))
    return table


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
