"""A layout in; who reads and who decides by each field, and which fields each node writes when, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.flow.layout import Layout
from grapharc.spec.flow.shared import Shared, shared
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Edge, Node
from grapharc.spec.types import Missing

Reason: TypeAlias = Literal["port", "failures", "into", "enters"]
"""Why a field is written: an output, items that failed, a failure, or a value with which a graph begins."""


class Written(NamedTuple):
    """A field that a node writes: the value of a ``port``, where it has one."""

    field: str
    reason: Reason
    port: str = ""


@frozen(slots=False)
class Traffic:
    """What passes between the fields and the nodes of one graph."""

    layout: Layout

    @cached_property
    def readers(self) -> Mapping[str, Shared]:
        """By field, the nodes that read it before they run."""
        found: dict[str, list[int]] = {}
        for number, node in enumerate(self.layout.nodes):
            for field in () if node is None else node.fields_read:
                found.setdefault(field, []).append(number)
        return self._shared(found)

    @cached_property
    def deciders(self) -> tuple[Mapping[str, Shared], Mapping[str, Shared]]:
        """By field, the nodes after whose success it is decided by it how the run goes on; and after whose failure."""
        after_success: dict[str, list[int]] = {}
        after_failure: dict[str, list[int]] = {}
        for edge in self.layout.graph.edges:
            source = self.layout.number.get(edge.source)
            if source is not None:
                found = after_failure if edge.form == "error" else after_success
                for field in edge.fields_read:
                    found.setdefault(field, []).append(source)
        return self._shared(after_success), self._shared(after_failure)

    def _shared(self, found: Mapping[str, Iterable[int]]) -> Mapping[str, Shared]:
        return {field: shared(numbers, len(self.layout.names)) for field, numbers in found.items()}

    @cached_property
    def writes(self) -> Sequence[Sequence[Written]]:
        """By node, the fields that it writes."""
        fields = self.layout.graph.fields
        found: list[list[Written]] = [[] for _ in self.layout.names]
        for number, node in enumerate(self.layout.nodes):
            if node is not None:
                found[number] += [one for one in _written(node) if one.field in fields]
        for edge in self.layout.graph.edges:
            source = self.layout.number.get(edge.source)
            if source is not None and edge.into is not None and edge.into in fields:
                found[source].append(Written(edge.into, "into"))
        found[self.layout.start] = [Written(name, "enters") for name in sorted(fields) if self.begins_with(name)]
        return [sorted(set(one)) for one in found]

    @cached_property
    def tells_failures(self) -> Sequence[bool]:
        """By node, whether what its failures say is written anywhere."""
        return [any(one.reason in ("failures", "into") for one in written) for written in self.writes]

    def begins_with(self, name: str) -> bool:
        """Tell whether a field says something when its graph begins: an input, or one with a default that does."""
        field = self.layout.graph.fields[name]
        return field.input or not (isinstance(field.default, Missing) or field.default in (None, "", [], {}))

    @cached_property
    def outputs(self) -> frozenset[str]:
        """The fields that a run, or the node that runs the graph, hands on."""
        return frozenset(name for name, field in self.layout.graph.fields.items() if field.output)

    def labelled(self, label: str) -> Iterable[tuple[int, Written]]:
        """List the writes to fields that have a label themselves."""
        fields = self.layout.graph.fields
        for number, written in enumerate(self.writes):
            yield from ((number, one) for one in written if label in fields[one.field].labels)

    def ports(self, node: Node, field: str) -> Iterable[str]:
        """List the ports of a node into which a field goes, by way of the items that it runs over too."""
        over = () if node.map is None else node.map.over.reads
        for read in node.reads:
            by_item = node.map is not None and node.map.item in read.expression.reads and field in over
            if field in read.fields or by_item:
                yield read.port

    def deciding_edges(self, node: int, failed: bool) -> Iterable[Edge]:
        """List the edges of which it is decided by fields whether they are taken."""
        taken = self.layout.failure[node] if failed else self.layout.success[node]
        return (one.edge for one in taken if one.edge is not None and not one.used_up and one.edge.fields_read)


def _written(node: Node) -> Iterable[Written]:
    for write in node.writes:
        yield Written(write.field, "port", write.port)
    if node.map is not None and node.map.failures is not None:
        yield Written(node.map.failures, "failures")
