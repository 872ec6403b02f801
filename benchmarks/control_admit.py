"""Judging ten thousand nodes with a branch or a loop in every ten: time, its growth from a thousand, and memory."""

from __future__ import annotations

from itertools import pairwise
from math import log10

from benchmarks.admit import LARGE, SMALL, linked, megabytes, seconds
from grapharc.spec.json_value import Json

BLOCK = 10
BARS = {"seconds": "2 s", "memory": "150 MB", "exponent": "1.1"}


def blocks(nodes: int) -> Json:
    """Return a chain of blocks of ten nodes: by turns one that branches and merges, and one that is a loop.

    Each node reads the field of the one before it, each condition another field, and each loop looks for progress.
    """
    names = [[f"b{block}n{number}" for number in range(BLOCK)] for block in range(nodes // BLOCK)]
    edges: list[Json] = [{"source": "__start__", "target": names[0][0]}, {"source": names[-1][-1], "target": "__end__"}]
    edges += [{"source": one[-1], "target": other[0]} for one, other in pairwise(names)]
    for number, block in enumerate(names):
        edges += _loop(block) if number % 2 else _branch(block)
    fields: dict[str, Json] = {name: {"type": "list[string]", "default": []} for block in names for name in block}
    fields[names[-1][-1]] = {"type": "list[string]", "output": True}
    return {
        "state": {"source": {"type": "string", "input": True}, **fields},
        "nodes": [_node(name, before) for block in names for before, name in pairwise(["", *block])],
        "edges": edges,
    }


def _node(name: str, before: str) -> Json:
    return {
        "name": name,
        "kind": "control.set",
        "reads": {"value": before or "[source]"},
        "writes": {"result": name},
    }


def _branch(block: list[str]) -> list[Json]:
    first, *rest = block
    return [
        {"source": first, "target": rest[0], "when": f"size({first}) > 1"},
        {"source": first, "target": rest[4], "otherwise": True},
        {"chain": [*rest[:4], block[-1]]},
        {"chain": rest[4:]},
    ]


def _loop(block: list[str]) -> list[Json]:
    latch, last = block[-2:]
    loop: Json = {"max_rounds": 3, "progress": [latch], "exhausted": last}
    return [
        {"chain": block[:-1]},
        {"source": latch, "target": last, "when": f"size({latch}) > 1 && size({block[0]}) < 9"},
        {"source": latch, "target": block[0], "otherwise": True, "loop": loop},
    ]


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    small, large = linked(blocks(SMALL)), linked(blocks(LARGE))
    less, more = seconds(small), seconds(large)
    what = f"admit of {LARGE} nodes with a branch or a loop in every ten"
    return [
        (what, f"{more:.2f} s", BARS["seconds"]),
        (f"{what}, memory", f"{megabytes(large):.0f} MB", BARS["memory"]),
        (f"{what}, exponent from {SMALL}", f"{log10(more / less):.2f}", BARS["exponent"]),
    ]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
