"""A linked graph in; which nodes read and write which fields, and which fields have no value at first, out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import Field, LinkedGraph
from grapharc.spec.types import Missing


@frozen
class Access:
    """What each node, by number, does with fields, by their names.

    ``reads`` are read before it runs, ``writes`` written if it succeeds: also null, where its failure would go.
    ``looks`` are read once it has succeeded, by conditions and by loops that look for progress, which see its own
    writes. ``notes`` are written when it fails for good, and ``doubts`` read then, by a loop that its error edge goes
    back in. ``inert`` are nodes of which nobody knows what they do: they are taken to write all there is.
    """

    reads: Sequence[Collection[str]]
    writes: Sequence[Collection[str]]
    looks: Mapping[int, Collection[str]]
    notes: Mapping[int, Collection[str]]
    inert: frozenset[int]
    fields: Mapping[str, Field]
    empty: tuple[str, ...]
    """The fields without a value when a run begins, sorted."""
    doubts: Mapping[int, Collection[str]] = field(default_factory=dict[int, Collection[str]])

    def read_by(self, node: int) -> Collection[str]:
        """All fields that a node reads at some time."""
        if node not in self.looks and node not in self.doubts:
            return self.reads[node]
        return {*self.reads[node], *self.looks.get(node, ()), *self.doubts.get(node, ())}

    def written_by(self, node: int) -> Collection[str]:
        """All fields that a node writes in some outcome."""
        return {*self.writes[node], *self.notes[node]} if node in self.notes else self.writes[node]


def access(linked: LinkedGraph, graph: FlowGraph) -> Access:
    """Collect what nodes read and write."""
    reads: list[Collection[str]] = [()] * len(graph.names)
    writes: list[Collection[str]] = [()] * len(graph.names)
    inert: set[int] = set()
    looks, notes, doubts = _of_edges(linked, graph)
    for number in range(1, graph.end):
        name = graph.names[number]
        node = linked.nodes.get(name)
        if node is None or name in linked.unbound:
            inert.add(number)
        if node is not None:
            reads[number] = tuple([field for field in node.fields_read if field in linked.fields])
            mine = node.fields_written if number not in notes else sorted({*node.fields_written, *notes[number]})
            writes[number] = tuple([field for field in mine if field in linked.fields])
    empty = [name for name, field in linked.fields.items() if not field.input and isinstance(field.default, Missing)]
    return Access(reads, writes, looks, notes, frozenset(inert), linked.fields, tuple(sorted(empty)), doubts)


def _of_edges(
    linked: LinkedGraph, graph: FlowGraph
) -> tuple[Mapping[int, Collection[str]], Mapping[int, Collection[str]], Mapping[int, Collection[str]]]:
    """Collect what edges that are not simply taken read and write: looks, notes and doubts."""
    looks: dict[int, set[str]] = {}
    notes: dict[int, set[str]] = {}
    doubts: dict[int, set[str]] = {}
    special = [edge for edge in linked.edges if edge.form != "always" or edge.loop is not None]
    number = {name: index for index, name in enumerate(graph.names)} if special else dict[str, int]()
    for edge in special:
        source = number.get(edge.source)
        if source is None:
            continue
        if edge.into is not None and edge.into in linked.fields:
            notes.setdefault(source, set()).add(edge.into)
        read = [field for field in edge.fields_read if field in linked.fields]
        if read:
            (doubts if edge.form == "error" else looks).setdefault(source, set()).update(read)
    return looks, notes, doubts
