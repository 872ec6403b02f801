"""A linked graph in; which nodes read and write which fields, and which fields have no value at first, out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Field, LinkedGraph
from grapharc.spec.types import Missing


@frozen
class Access:
    """What each node, by number, does with fields, by their names.

    ``reads`` are read before it runs, ``writes`` written if it succeeds. ``looks`` are read when its outcome is
    decided, by conditions that see its own writes, and ``notes`` written when it fails for good. ``inert`` are nodes
    of which nobody knows what they do: they are taken to write all there is.
    """

    reads: Sequence[Collection[str]]
    writes: Sequence[Collection[str]]
    looks: Mapping[int, Collection[str]]
    notes: Mapping[int, Collection[str]]
    inert: frozenset[int]
    fields: Mapping[str, Field]
    empty: tuple[str, ...]
    """The fields without a value when a run begins, sorted."""

    def read_by(self, node: int) -> Collection[str]:
        """All fields that a node reads at some time."""
        return {*self.reads[node], *self.looks[node]} if node in self.looks else self.reads[node]

    def written_by(self, node: int) -> Collection[str]:
        """All fields that a node writes in some outcome."""
        return {*self.writes[node], *self.notes[node]} if node in self.notes else self.writes[node]


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
            reads[number] = tuple([field for field in node.fields_read if field in linked.fields])
            writes[number] = tuple([write.field for write in node.writes if write.field in linked.fields])
    empty = [name for name, field in linked.fields.items() if not field.input and isinstance(field.default, Missing)]
    return Access(reads, writes, {}, {}, frozenset(inert), linked.fields, tuple(sorted(empty)))
