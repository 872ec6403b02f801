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
    for model, path, source, target in _links(scene):
        found = ends.are_known(*source) & ends.are_known(*target)
        edge: Edge | None = Edge(source[0], target[0], scene.faults.place(target[1]))
        if isinstance(model, EdgeModel):
            if model.loop is not None:
                found &= ends.are_known(model.loop.exhausted, (*path, "loop", "exhausted"))
            # Without what could not be read it would seem to be taken otherwise than it is.
            found &= not any(scene.document.has_hole((*path, key)) for key in DECIDING)
            edge = link_form(model, path, edge, scene)
        if not found or edge is None:
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


_End = tuple[str, Path]


def _links(scene: Scene) -> Iterator[tuple[EdgeModel | ChainModel, Path, _End, _End]]:
    for index, model in scene.document.model.edges.items():
        path: Path = ("edges", index)
        match model:
            case EdgeModel(source=source, target=target):
                yield model, path, (source, (*path, "source")), (target, (*path, "target"))
            case ChainModel(chain=chain):
                ends = [(name, (*path, "chain", number)) for number, name in enumerate(chain)]
                yield from ((model, path, one, other) for one, other in pairwise(ends))
