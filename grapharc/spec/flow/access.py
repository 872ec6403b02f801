"""A linked graph in; which nodes read and write which fields, and which fields have no value at first, out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.linked import Field, LinkedGraph
from grapharc.spec.types import Missing


@dataclass(frozen=True, slots=True)
class Access:
    """What each node, by number, reads before it runs, and writes if it succeeds: names of fields, sorted.

    ``inert`` are nodes of which nobody knows what they read and write: they are taken to write all there is.
    """

    reads: Sequence[Collection[str]]
    writes: Sequence[Collection[str]]
    inert: frozenset[int]
    fields: Mapping[str, Field]
    empty: tuple[str, ...]
    """The fields without a value when a run begins, sorted."""


def access(linked: LinkedGraph, graph: FlowGraph) -> Access:
    """Collect what nodes read and write."""
    reads: list[Collection[str]] = [()] * len(graph.names)
    writes: list[Collection[str]] = [()] * len(graph.names)
    inert: set[int] = set()
    for number in range(1, graph.end):
        name = graph.names[number]
        node = linked.nodes.get(name)
        if node is None or name in linked.unbound:
            inert.add(number)
        if node is not None:
            reads[number] = [field for field in node.fields_read if field in linked.fields]
            writes[number] = [field for field in node.fields_written if field in linked.fields]
    empty = sorted(
        name for name, field in linked.fields.items() if not field.input and isinstance(field.default, Missing)
    )
    return Access(reads, writes, frozenset(inert), linked.fields, tuple(empty))
