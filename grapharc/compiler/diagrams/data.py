"""An admission goes in; a picture of how values move comes out: who reads and writes which field, in every graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grapharc.compiler.diagrams.picture import Group, Line, Picture, Shape, family_of
from grapharc.compiler.diagrams.sheet import Sheet, ordered
from grapharc.compiler.diagrams.unlinked import unlinked_nodes
from grapharc.compiler.diagrams.words import node_lines, wrapped
from grapharc.policy.admission import Admission
from grapharc.spec.flow.facts import Flow
from grapharc.spec.frozen import replace
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.nesting import within
from grapharc.spec.offers import Field as StateField
from grapharc.spec.types import show


def data(admission: Admission) -> Picture:
    """Draw nodes and fields, with an arrow for each port that is bound and for each field that decides a branch."""
    sheet = _Sheet(admission)
    sheet.draw(admission.graph, admission.flow, "")
    return replace(sheet.picture(), shapes=_as_it_runs(sheet.shapes, sheet.lines))


class _Sheet(Sheet):
    def draw(self, graph: LinkedGraph, flow: Flow, group: str) -> None:
        for name in sorted(graph.fields):
            lines = tuple(_field_lines(graph.fields[name]))
            self.shapes.append(Shape(_field(group, name), "field", name, lines, "field", group=group))
        for node in ordered(graph, flow):
            self._node(node, flow, group)
        self.shapes += unlinked_nodes(graph, group, self.said)
        for edge in graph.edges:
            self.said.of_edge(edge)  # edges are not drawn here, and what is said of them is no fault of the whole
            self.said.of_exhausted(edge)
            if edge.source in graph.nodes and edge.target in graph.nodes and edge.loop is None:
                self.lines.append(Line(within(group, edge.source), within(group, edge.target), "order"))
            deciding = edge.fields_read if edge.source in graph.nodes else ()
            for name in deciding:
                self._line(_field(group, name), within(group, edge.source), "decides")
            if edge.into is not None and edge.source in graph.nodes:
                self._line(within(group, edge.source), _field(group, edge.into), "on error")

    def _node(self, node: Node, flow: Flow, group: str) -> None:
        name = within(group, node.name)
        marks = self.said.of_node(node, name)
        if node.subgraph is not None:
            self.groups.append(Group(name, node.name, node_lines(node), group, marks))
            self.draw(node.subgraph, flow.inside[node.name], name)
        else:
            family, many = family_of(node.capabilities), node.map is not None
            self.shapes.append(Shape(name, "node", node.name, node_lines(node), family, many, group, marks))
        for source, target, text in _bound(node, group):
            self._line(source, target, text)

    def _line(self, source: str, target: str, text: str) -> None:
        line = Line(source, target, "data", wrapped(text))
        if line not in self.lines[-_NEAR:]:
            self.lines.append(line)


def _as_it_runs(shapes: Sequence[Shape], lines: Iterable[Line]) -> tuple[Shape, ...]:
    """Put each field before the first node that reads it or behind the first that writes it, whichever comes first."""
    fields = {shape.key: shape for shape in shapes if shape.form == "field"}
    read: dict[str, list[str]] = {}
    written: dict[str, list[str]] = {}
    for line in lines:
        if line.source in fields:
            read.setdefault(line.target, []).append(line.source)
        if line.target in fields:
            written.setdefault(line.source, []).append(line.target)
    placed: dict[str, Shape] = {}
    for shape in shapes:
        if shape.form != "field":
            placed |= {key: fields[key] for key in reversed(_through(shape.key, read)) if key not in placed}
            placed[shape.key] = shape
            placed |= {key: fields[key] for key in _through(shape.key, written) if key not in placed}
    return tuple((placed | {key: field for key, field in fields.items() if key not in placed}).values())


def _through(key: str, fields: Mapping[str, Sequence[str]]) -> list[str]:
    """The fields that are reached from a node, also through fields of the graphs around it or inside."""
    found: dict[str, None] = {}
    ahead = list(fields.get(key, ()))
    while ahead:
        field = ahead.pop(0)
        if field not in found:
            found[field] = None
            ahead += fields.get(field, ())
    return list(found)


_NEAR = 64
"""How far back the same line is looked for: one node's bindings stand together."""


def _bound(node: Node, group: str) -> Iterator[tuple[str, str, str]]:
    """From where to where, and by which port where that is called otherwise than the field."""
    name = within(group, node.name)
    for read in node.reads:
        inner = node.subgraph is not None and read.port in node.subgraph.fields
        target = _field(name, read.port) if inner else name
        for field in read.fields:
            yield _field(group, field), target, "" if read.port == field else read.port
    for argument in node.expressions:
        for field in argument.fields:
            yield _field(group, field), name, str(argument.path[-1]) if argument.path else ""
    if node.map is not None:
        items = tuple(sorted(node.map.over.reads))
        for target in (name, *_given_items(node, node.map.item, name)):
            yield from ((_field(group, field), target, f"for each {node.map.item}") for field in items)
        if node.map.failures is not None:
            yield name, _field(group, node.map.failures), "failures"
    for write in node.writes:
        inner = node.subgraph is not None and write.port in node.subgraph.fields
        source = _field(name, write.port) if inner else name
        yield source, _field(group, write.field), "" if write.port == write.field else write.port


def _given_items(node: Node, item: str, name: str) -> Iterator[str]:
    """The fields of a subgraph that begin with an item, or with something of it."""
    for read in node.reads:
        if node.subgraph is not None and read.port in node.subgraph.fields and item in read.expression.reads:
            yield _field(name, read.port)


def _field(group: str, name: str) -> str:
    return within(group, f"{name}:field")


def _field_lines(field: StateField) -> Iterator[str]:
    yield from wrapped(show(field.type))
    ends = [word for word, holds in (("input", field.input), ("output", field.output)) if holds]
    if ends:
        yield ", ".join(ends)
    if field.reducer != "last":
        yield f"reducer {field.reducer}"
    if field.labels:
        yield from wrapped(f"labels: {', '.join(field.labels)}")
