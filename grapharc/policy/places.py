"""A node goes in; the places of its parts in the document come out, for findings about one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapharc.spec.finding import Place, Step
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import LinkedGraph, Node

LONGEST = 8
"""A way of more nodes is shortened in a message; its witness is whole."""


def kind_place(graph: LinkedGraph, node: Node) -> Place:
    """Return where a node's kind is written: its ``kind``, else the name that stands for it."""
    has_kind = "kind" in _table(graph.document.value, node.place.path)
    return Place(node.place.document, (*node.place.path, "kind" if has_kind else "name"))


def name_place(node: Node) -> Place:
    """Return where a node's name is written."""
    return Place(node.place.document, (*node.place.path, "name"))


def read_place(node: Node, field: str) -> Place:
    """Return where a node says that it reads a field; by its name alone it says so with its name."""
    for read in node.reads:
        if field in read.fields and not read.implicit:
            return read.place
    return name_place(node)


def write_place(node: Node, field: str) -> Place:
    """Return where a node says that it writes a field; by its name alone it says so with its name."""
    for write in node.writes:
        if write.field == field and not write.implicit:
            return write.place
    return name_place(node)


def steps(graph: LinkedGraph, way: Sequence[str]) -> tuple[Step, ...]:
    """Return a way as the steps of a witness, each node where it is written."""
    return tuple(Step(name, name_place(graph.nodes[name]) if name in graph.nodes else None) for name in way)


def arrows(way: Sequence[str]) -> str:
    """Return a way in one line; of a long one the beginning and the end."""
    shown = way if len(way) <= LONGEST else (*way[: LONGEST // 2], "...", *way[-LONGEST // 2 :])
    return " -> ".join(shown)


def _table(value: Json, path: Path) -> Mapping[str, Json]:
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value if isinstance(value, Mapping) else {}
