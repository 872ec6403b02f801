"""The edges of a graph document go in; those whose ends are there come out, chains taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grapharc.spec.documents.graph import ChainModel, EdgeModel
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.link.nodes import Nodes
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import END, START, Edge
from grapharc.spec.suggest import Vocabulary
from grapharc.spec.type_names import ANY


@frozen
class Edges:
    """The edges in the order of the document; ``missing`` tells whether one is written down and not among them."""

    edges: tuple[Edge, ...]
    missing: bool


def link_edges(scene: Scene, nodes: Nodes) -> Edges:
    """Find both ends of every edge."""
    known = {*nodes.nodes, *nodes.unlinked, START, END}
    names = Vocabulary(known - {ANY})
    edges: list[Edge] = []
    missing = scene.document.is_damaged(("edges",))
    told: set[Path] = set()
    for source, target in _links(scene):
        unknown = [(name, path) for name, path in (source, target) if name not in known]
        for name, path in unknown:
            if path not in told and ANY not in nodes.unlinked:
                values = {"node": name, "suggestion": names.nearest(name)}
                scene.faults.add("unknown_edge_endpoint", path, values, subject=name)
            told.add(path)
        if unknown:
            missing = True
        else:
            edges.append(Edge(source[0], target[0], scene.faults.place(target[1])))
    return Edges(tuple(edges), missing)


_End = tuple[str, Path]


def _links(scene: Scene) -> Iterator[tuple[_End, _End]]:
    for index, model in scene.document.model.edges.items():
        path = ("edges", index)
        match model:
            case EdgeModel(source=source, target=target):
                yield (source, (*path, "source")), (target, (*path, "target"))
            case ChainModel(chain=chain):
                ends = [(name, (*path, "chain", number)) for number, name in enumerate(chain)]
                yield from pairwise(ends)
