"""The edges of a graph document go in; those whose ends are there come out, chains taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from grapharc.spec.documents.graph import ChainModel, EdgeModel
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
        is_chain = isinstance(model, ChainModel)
        for edge in _chain(model, path, ends, scene) if is_chain else _edge(model, path, ends, scene):
            if edge is None:
                missing = True
                continue
            edges.append(edge)
            if forms is not None:
                forms.add(edge, path)
    return Edges(tuple(edges), missing)


def _chain(model: ChainModel, path: Path, ends: _Ends, scene: Scene) -> Iterator[Edge | None]:
    """Yield the edges between neighbours of a chain, None for one of which an end is not there."""
    known, document = ends.known, scene.faults.document
    for number, (source, target) in enumerate(pairwise(model.chain)):
        if source in known and target in known:
            yield Edge(source, target, (document, *path, "chain", number + 1))
        else:
            ends.are_known(source, (*path, "chain", number))
            ends.are_known(target, (*path, "chain", number + 1))
            yield None


def _edge(model: EdgeModel, path: Path, ends: _Ends, scene: Scene) -> Iterator[Edge | None]:
    """Yield one edge, None if an end of it is not there, or it is not known how it is taken."""
    target = (*path, "target")
    found = ends.are_known(model.source, (*path, "source")) & ends.are_known(model.target, target)
    if model.loop is not None:
        found &= ends.are_known(model.loop.exhausted, (*path, "loop", "exhausted"))
    # Without what could not be read it would seem to be taken otherwise than it is.
    found &= not any(scene.document.has_hole((*path, key)) for key in DECIDING)
    edge = link_form(model, path, Edge(model.source, model.target, (scene.faults.document, *target)), scene)
    yield edge if found else None


def _decides(model: EdgeModel | ChainModel) -> bool:
    """Tell whether an edge is not just taken always: only beside such ones edges can be at odds."""
    return isinstance(model, EdgeModel) and bool(model.when or model.otherwise or model.on or model.loop)


class _Ends:
    """The names that an edge may lead from and to; one that is not there is told once for each place."""

    def __init__(self, known: set[str], scene: Scene) -> None:
        self.known = known
        self._scene = scene
        self._told: set[Path] = set()

    @cached_property
    def names(self) -> Vocabulary:
        return Vocabulary(self.known - {ANY})

    def are_known(self, name: str, path: Path) -> bool:
        if name in self.known:
            return True
        if path not in self._told and ANY not in self.known:
            values = {"node": name, "suggestion": self.names.nearest(name)}
            self._scene.faults.add("unknown_edge_endpoint", path, values, subject=name)
        self._told.add(path)
        return False
