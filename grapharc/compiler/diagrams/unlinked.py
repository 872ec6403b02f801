"""A linked graph goes in; what its document names and nobody could link comes out, so that it is drawn all the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from grapharc.compiler.diagrams.picture import Line, Marks, Shape
from grapharc.compiler.diagrams.said import Said
from grapharc.compiler.diagrams.words import wrapped
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.nesting import within


def unlinked_nodes(graph: LinkedGraph, group: str, said: Said) -> Iterator[Shape]:
    """Yield the nodes that are written down and could not be linked, each once, with what refuses them."""
    drawn: set[str] = set()
    for number, row in _rows(graph, "nodes"):
        name = row.get("name")
        if isinstance(name, str) and name in graph.unlinked - drawn:
            drawn.add(name)
            kind = row.get("kind", name)
            lines = wrapped(kind) if isinstance(kind, str) and kind != name else ()
            marks = said.at(Place(graph.path, ("nodes", number)))
            yield Shape(within(group, name), "node", name, (*lines, "not linked"), group=group, marks=marks)


def loose_edges(graph: LinkedGraph, known: Collection[str], group: str, said: Said) -> Iterator[Shape | Line]:
    """Yield the edges of which an end is not ``known``, each after a shape for what is not there."""
    drawn: set[str] = set()
    for source, target, places in _pairs(graph):
        missing = [name for name in (source, target) if name not in known]
        for name in dict.fromkeys(missing):
            if name not in drawn:
                drawn.add(name)
                marks = Marks(refusals=("no such node",))
                yield Shape(within(group, name), "node", name, group=group, marks=marks)
        if missing:
            refusals = dict.fromkeys(text for place in places for text in said.at(place).refusals)
            marks = Marks(refusals=tuple(refusals) or ("an end is nowhere",))
            yield Line(within(group, source), within(group, target), marks=marks)


def _pairs(graph: LinkedGraph) -> Iterator[tuple[str, str, tuple[Place, ...]]]:
    """Each edge from one name to another, as it is written, with the places of both names."""
    for number, row in _rows(graph, "edges"):
        at, chain = ("edges", number), row.get("chain")
        if isinstance(chain, list):
            for place, (source, target) in enumerate(pairwise(chain)):
                if isinstance(source, str) and isinstance(target, str):
                    ends = tuple(Place(graph.path, (*at, "chain", end)) for end in (place, place + 1))
                    yield source, target, ends
            continue
        source, target = row.get("source"), row.get("target")
        if isinstance(source, str) and isinstance(target, str):
            yield source, target, (Place(graph.path, at),)


def _rows(graph: LinkedGraph, key: str) -> Iterator[tuple[int, Mapping[str, Json]]]:
    value = graph.document.value
    rows = value.get(key) if isinstance(value, Mapping) else None
    for number, row in enumerate(rows) if isinstance(rows, list) else ():
        if isinstance(row, Mapping):
            yield number, row
