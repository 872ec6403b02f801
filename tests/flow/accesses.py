"""A flow graph and a seed go in; what its nodes read and write comes out."""

from __future__ import annotations

from random import Random

from grapharc.spec.finding import Place
from grapharc.spec.flow.access import Access, Deciding
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.offers import Field, Reducer
from grapharc.spec.types import INTEGER, MISSING


def draw_access(graph: FlowGraph, seed: int, names: str = "xyz") -> Access:
    """Let some nodes read and some write a few fields, of which the first has a value from the start."""
    random = Random(seed)
    reads: list[tuple[str, ...]] = []
    writes: list[tuple[str, ...]] = []
    for node in range(len(graph.names)):
        inner = 0 < node < graph.end
        reads.append(tuple(name for name in names if inner and random.random() < 0.2))
        writes.append(tuple(name for name in names if inner and random.random() < 0.4))
    reducers: tuple[Reducer, ...] = ("last", "append")
    fields = {name: field(name, random.choice(reducers), index == 0) for index, name in enumerate(names)}
    deciding = [node for node in range(1, graph.end) if len(graph.outcomes_of[node]) > 1]
    looks = {
        node: Deciding([random.choice(names)], [random.choice(names)]) for node in deciding if random.random() < 0.3
    }
    failing = [node for node in deciding if any(graph.outcomes[one].form == "error" for one in graph.outcomes_of[node])]
    notes = {node: [random.choice(names)] for node in failing if random.random() < 0.5}
    return Access(reads, writes, notes, looks, frozenset(), fields, tuple(names[1:]))


def field(name: str, reducer: Reducer, has_value: bool) -> Field:
    return Field(name, INTEGER, 0 if has_value else MISSING, False, True, (), reducer, Place("graph.toml"))
