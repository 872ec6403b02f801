"""The edges of a graph document go in; those whose ends are there come out, chains taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from grapharc.spec.documents.graph import ChainModel, EdgeModel
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.link.forms import Forms, link_form
from grapharc.spec.link.nodes import Nodes
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import END, START, Edge
from grapharc.spec.suggest import Vocabulary
from grapharc.spec.type_names import ANY

DECIDING = ("when", "otherwise", "on", "loop")
"""Keys that tell how an edge is taken."""


@frozen
class Edges:
    """The edges in the order of the document; ``missing`` tells whether one is written down and not among them."""

    edges: tuple[Edge, ...]
    missing: bool


def link_edges(scene: Scene, nodes: Nodes) -> Edges:
    """Find both ends of every edge, and what it says besides."""
    ends = _Ends({*nodes.nodes, *nodes.unlinked, START, END}, scene)
    forms = Forms(scene) if any(map(_decides, scene.document.model.edges.values())) else None
    edges: list[Edge] = []
    missing = scene.document.is_damaged(("edges",))
    for index, model in scene.document.model.edges.items():
        path: Path = ("edges", index)
        found = _of_chain(model, path, ends) if isinstance(model, ChainModel) else [_of_edge(model, path, ends, scene)]
        for edge in found:
            if edge is None:
                missing = True
                continue
            edges.append(edge)
            if forms is not None:
                forms.add(edge, path)
    return Edges(tuple(edges), missing)


def _decides(model: EdgeModel | ChainModel) -> bool:
    """Tell whether an edge is not just taken always: only beside such ones edges can be at odds."""
    return isinstance(model, EdgeModel) and bool(model.when or model.otherwise or model.on or model.loop)


class _Ends:
    """The names that an edge may lead from and to; one that is not there is told once for each place."""

    def __init__(self, known: set[str], scene: Scene) -> None:
        self.document = scene.faults.document
        self._known = known
        self._scene = scene
        self._told: set[Path] = set()

    @cached_property
    def names(self) -> Vocabulary:
        return Vocabulary(self._known - {ANY})

    def are_known(self, name: str, path: Path) -> bool:
        if name in self._known:
            return True
        if path not in self._told and ANY not in self._known:
            values = {"node": name, "suggestion": self.names.nearest(name)}
            self._scene.faults.add("unknown_edge_endpoint", path, values, subject=name)
        self._told.add(path)
        return False


def _of_chain(model: ChainModel, path: Path, ends: _Ends) -> Iterator[Edge | None]:
    """Yield the links of a chain; None for each one of which an end is not there."""
    document, before, is_whole = ends.document, "", False
    for number, name in enumerate(model.chain if len(model.chain) > 1 else ()):
        here = (*path, "chain", number)
        is_known = ends.are_known(name, here)
        if number:
            yield Edge(before, name, Place(document, here)) if is_whole and is_known else None
        before, is_whole = name, is_known


def _of_edge(model: EdgeModel, path: Path, ends: _Ends, scene: Scene) -> Edge | None:
    """Return an edge that is written by itself, None where an end or how it is taken is not known."""
    target = (*path, "target")
    found = ends.are_known(model.source, (*path, "source")) & ends.are_known(model.target, target)
    if model.loop is not None:
        found &= ends.are_known(model.loop.exhausted, (*path, "loop", "exhausted"))
    # Without what could not be read it would seem to be taken otherwise than it is.
    found &= not any(scene.document.has_hole((*path, key)) for key in DECIDING)
    edge = link_form(model, path, Edge(model.source, model.target, scene.faults.place(target)), scene)
    return edge if found else None
