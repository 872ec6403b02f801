"""One side of a diff goes in, an admission or nothing; its nodes, edges and fields by their whole names come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from grapharc.policy.admission import Admission
from grapharc.policy.diff.ways import NO_WAYS, Ways, ways_of
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import Edge, LinkedGraph, Node
from grapharc.spec.nesting import every_node, within
from grapharc.spec.offers import Field


@frozen(slots=False)
class Side:
    """A graph as it was or is; without an admission it is the graph that has nothing and may do nothing.

    What stands in a subgraph is called by the way to it, ``outer/inner``, wherever that subgraph stands.
    """

    admission: Admission | None

    @property
    def graph(self) -> LinkedGraph | None:
        """The whole graph."""
        return None if self.admission is None else self.admission.graph

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """Every node."""
        return {} if self.graph is None else {node.name: node for node in every_node(self.graph)}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge, as it is written; those of used up loops are part of theirs."""
        return () if self.graph is None else tuple(_edges(self.graph, ""))

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Every field."""
        return {} if self.graph is None else dict(_fields(self.graph, ""))

    @cached_property
    def ways(self) -> Ways:
        """Where each node may lead."""
        return NO_WAYS if self.graph is None else ways_of(self.graph)


def _edges(graph: LinkedGraph, outer: str) -> Iterator[Edge]:
    for edge in graph.edges:
        loop = edge.loop and replace(edge.loop, exhausted=within(outer, edge.loop.exhausted))
        yield replace(edge, source=within(outer, edge.source), target=within(outer, edge.target), loop=loop)
    for name, inner in graph.subgraphs:
        yield from _edges(inner, within(outer, name))


def _fields(graph: LinkedGraph, outer: str) -> Iterator[tuple[str, Field]]:
    for name, field in graph.fields.items():
        yield within(outer, name), field
    for name, inner in graph.subgraphs:
        yield from _fields(inner, within(outer, name))
