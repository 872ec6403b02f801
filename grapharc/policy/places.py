"""A node goes in; the places of its parts in the document come out, for findings about one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapharc.policy.case import Case
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.syntax import Name, walk
from grapharc.spec.finding import Place, Related, Step
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Path, value_at
from grapharc.spec.linked import END, START, LinkedGraph, Node

LONGEST = 8
"""A way of more nodes is shortened in a message; its witness is whole."""


def kind_place(graph: LinkedGraph, node: Node) -> Place:
    """Return where a node's kind is written: its ``kind``, else the name that stands for it."""
    row = row_of(node)
    text = graph.texts.get(node.place.document, graph.document)  # it may be a node of a subgraph
    table = value_at(text.value, row)
    is_written = isinstance(table, Mapping) and "kind" in table
    return Place(node.place.document, (*row, "kind")) if is_written else node.place


def row_of(node: Node) -> Path:
    """Return the way to a node's own table; its place is that of its name."""
    return node.place.path[:-1]


def name_place(graph: LinkedGraph, name: str) -> Place:
    """Return where a node's name is written; a node that could not be linked is looked for by it."""
    node = graph.nodes.get(name)
    if node is not None:
        return node.place
    rows = value_at(graph.document.value, ("nodes",))
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if isinstance(row, Mapping) and row.get("name") == name:
            return Place(graph.path, ("nodes", index, "name"))
    return Place(graph.path, ("nodes",))


def read_place(case: Case, name: str, field: str) -> Place:
    """Return where a node says that it reads a field; by its name alone it says so with its name.

    What decides how the node goes on, a condition or a loop that looks for progress, is part of it.
    """
    node = case.graph.nodes.get(name)
    for read in () if node is None else node.reads:
        if field in read.fields and not read.implicit:
            return read.place
    if node is not None and node.map is not None and field in node.map.over.reads:
        return _inside(under(node.map.place, "over"), node.map.over, field)
    if node is None or field not in node.fields_read:
        for edge in case.edges_from.get(name, ()):
            if edge.condition is not None and field in edge.condition.reads:
                return _inside(edge.part("when"), edge.condition, field)
            if edge.loop is not None and field in edge.loop.progress:
                return under(edge.loop.place, "progress")
    return name_place(case.graph, name)


def write_place(case: Case, name: str, field: str) -> Place:
    """Return where a node says that it writes a field; by its name alone it says so with its name."""
    node = case.graph.nodes[name]
    for write in node.writes:
        if write.field == field and not write.implicit:
            return write.place
    if node.map is not None and node.map.failures == field:
        return under(node.map.place, "failures")
    if field not in node.fields_written:
        for edge in case.edges_from.get(name, ()):
            if edge.into == field:
                return edge.part("into")
    return name_place(case.graph, name)


def other_writer(case: Case, name: str, field: str) -> Related:
    """Return the note that another node writes a field, where it says so."""
    return Related("other_writer_here", write_place(case, name, field), {"node": name})


def under(place: Place, key: str) -> Place:
    """Return the place of a key of the table at a place."""
    return Place(place.document, (*place.path, key))


def steps(graph: LinkedGraph, way: Sequence[str]) -> tuple[Step, ...]:
    """Return a way as the steps of a witness, each node where it is written."""
    return tuple(Step(name, None if name in (START, END) else name_place(graph, name)) for name in way)


def arrows(way: Sequence[str]) -> str:
    """Return a way in one line; of a long one the beginning and the end."""
    return " -> ".join(short(way))


def short(way: Sequence[str]) -> Sequence[str]:
    """Return a way, or both ends of a long one."""
    return way if len(way) <= LONGEST else (*way[: LONGEST // 2], "...", *way[-LONGEST // 2 :])


def _inside(place: Place, expression: Checked, field: str) -> Place:
    """Narrow the place of an expression to where it names a field."""
    names = (node for node, _ in walk(expression.tree) if isinstance(node, Name) and node.name == field)
    found = next(names, None)
    return place if found is None else replace(place, within=found.span)
