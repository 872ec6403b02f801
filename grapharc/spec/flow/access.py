"""A linked graph in; which nodes read and write which fields, and which fields have no value at first, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Edge, LinkedGraph
from grapharc.spec.offers import Field
from grapharc.spec.types import Missing


@frozen
class Access:
    """What each node, by number, does with fields, by their names.

    ``reads`` are read before it runs, ``writes`` written if it succeeds. ``failing`` is written if it fails for good:
    where its error edge puts the failure, which a success sets to null. ``deciding`` is read once the outcome is
    known, after what the node itself wrote then: by conditions, and by loops that look for progress. ``inert`` are
    nodes of which nobody knows what they do: they are taken to write all there is.
    """

    reads: Sequence[Collection[str]]
    writes: Sequence[Collection[str]]
    failing: Mapping[int, Collection[str]]
    deciding: Mapping[int, Deciding]
    inert: frozenset[int]
    fields: Mapping[str, Field]
    empty: tuple[str, ...]
    """The fields without a value when a run begins, sorted."""

    def read_by(self, node: int) -> Collection[str]:
        """List all fields that a node reads at some time."""
        later = self.deciding.get(node)
        return self.reads[node] if later is None else {*self.reads[node], *later.success, *later.failure}

    def written_by(self, node: int) -> Collection[str]:
        """List all fields that a node writes, however it ends."""
        return {*self.writes[node], *self.failing[node]} if node in self.failing else self.writes[node]

    def readers(self, nodes: Iterable[int]) -> Sequence[int]:
        """List those of some nodes that read a field at some time."""
        reads, deciding = self.reads, self.deciding
        return [node for node in nodes if reads[node] or node in deciding]

    def writers(self, nodes: Iterable[int]) -> Sequence[int]:
        """List those of some nodes that write a field, however they end."""
        writes, failing = self.writes, self.failing
        return [node for node in nodes if writes[node] or node in failing]


@frozen
class Deciding:
    """What is read after a success, and after a failure."""

    success: Collection[str] = ()
    failure: Collection[str] = ()


def access(linked: LinkedGraph, graph: FlowGraph) -> Access:
    """Collect what nodes read and write."""
    reads: list[Collection[str]] = [()] * len(graph.names)
    writes: list[Collection[str]] = [()] * len(graph.names)
    inert: set[int] = set()
    failing, deciding = _by_outcome(linked, graph)
    for number in range(1, graph.end):
        name = graph.names[number]
        node = linked.nodes.get(name)
        if node is None or name in linked.unbound:
            inert.add(number)
        if node is None:
            continue
        if (node.reads or node.expressions or node.map is not None) and (read := node.fields_read):
            reads[number] = _there(read, linked)
        written = node.fields_written
        if number in failing:
            written = tuple(sorted({*written, *failing[number]}))
        if written:
            writes[number] = _there(written, linked)
    empty = [name for name, field in linked.fields.items() if not field.input and isinstance(field.default, Missing)]
    return Access(reads, writes, failing, deciding, frozenset(inert), linked.fields, tuple(sorted(empty)))


def _there(fields: tuple[str, ...], linked: LinkedGraph) -> tuple[str, ...]:
    """Leave out the fields that could not be linked; where all are there, nothing new is made."""
    known = [field for field in fields if field in linked.fields]
    return fields if len(known) == len(fields) else tuple(known)


def _by_outcome(linked: LinkedGraph, graph: FlowGraph) -> tuple[Mapping[int, list[str]], Mapping[int, Deciding]]:
    special = [edge for edge in linked.edges if edge.form != "always" or edge.loop is not None]
    if not special:
        return {}, {}
    number = {name: index for index, name in enumerate(graph.names)}
    failing: dict[int, list[str]] = {}
    edges_of: dict[int, list[Edge]] = {}
    for edge in special:
        if (source := number.get(edge.source)) is not None:
            edges_of.setdefault(source, []).append(edge)
            if edge.into is not None and edge.into in linked.fields:
                failing.setdefault(source, []).append(edge.into)
    deciding = {
        source: Deciding(
            _read(linked, (edge for edge in edges if edge.form != "error")),
            _read(linked, (edge for edge in edges if edge.form == "error")),
        )
        for source, edges in edges_of.items()
        if any(edge.fields_read for edge in edges)
    }
    return failing, deciding


def _read(linked: LinkedGraph, edges: Iterable[Edge]) -> Collection[str]:
    return sorted({field for edge in edges for field in edge.fields_read if field in linked.fields})
