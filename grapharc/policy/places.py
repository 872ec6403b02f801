"""A node goes in; the places of its parts in the document come out, for findings about one of them."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.finding import Place
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import LinkedGraph, Node


def kind_place(graph: LinkedGraph, node: Node) -> Place:
    """Return where a node's kind is written: its ``kind``, else the name that stands for it."""
    path = node.place.path
    has_kind = "kind" in _table(graph.document.value, path)
    return Place(node.place.document, (*path, "kind" if has_kind else "name"))


def _table(value: Json, path: Path) -> Mapping[str, Json]:
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value if isinstance(value, Mapping) else {}
