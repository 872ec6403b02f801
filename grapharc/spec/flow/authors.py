"""A linked graph goes in; for each node that reviews claims, the roles whose words may stand in them come out.

Followed is data: what a node writes into a field flows to whoever reads the field, through any number of nodes, loops,
maps and subgraphs, by what an error edge writes, and through the workspace and the stores. A node mixes all that it
reads into all that it writes; only a review hands on the claims that it was given and nothing else. What reviewers
write, reasons included, makes no one an author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import LinkedGraph, Node, Write
from grapharc.spec.nesting import subgraphs, within
from grapharc.spec.offers import REVIEW_ENTRY, Capability

Point: TypeAlias = tuple[str, str]
"""A field, by the way to its graph and its name; a channel beside the state, by "" and what it is."""


@frozen
class Review:
    """A node that reviews, by its whole name, and the nodes that wrote what it reviews, each with the way from there.

    A way begins with the author and ends with the reviewing node.
    """

    node: Node
    authors: tuple[tuple[Node, tuple[Node, ...]], ...]


def reviews(graph: LinkedGraph) -> Iterator[Review]:
    """Yield the reviews of a graph and of all in it, in the order of the document."""
    if any(_reviews(node) for node in _every_plain(graph)):
        flow = _Flow(graph)
        for node, way in flow.nodes:
            if _reviews(node):
                yield Review(_named(node, way), tuple(flow.authors(node, way)))


def _every_plain(graph: LinkedGraph) -> Iterator[Node]:
    yield from graph.nodes.values()
    for _, inner in subgraphs(graph):
        yield from _every_plain(inner)


def _reviews(node: Node) -> bool:
    return node.offer.kind.entry == REVIEW_ENTRY


class _Flow:
    """Who writes into each point, from which points."""

    def __init__(self, graph: LinkedGraph) -> None:
        self.nodes: list[tuple[Node, str]] = []
        self._writers: dict[Point, list[tuple[Node, str, tuple[Point, ...]]]] = {}
        self._copies: dict[Point, list[Point]] = {}
        self._unfold(graph, "")

    def _unfold(self, graph: LinkedGraph, way: str) -> None:
        failing = [(edge.source, edge.into) for edge in graph.edges if edge.into is not None]
        for node in graph.nodes.values():
            if node.subgraph is None:
                self._add(node, way)
            else:
                self._enter(node, node.subgraph, way)
            for source, into in failing:
                if source == node.name:
                    self._write((way, into), node, way, _read(node, way))

    def _enter(self, node: Node, inner: LinkedGraph, way: str) -> None:
        inside = f"{way}{node.name}/"
        for read in node.reads:
            self._copies.setdefault((inside, read.port), []).extend(
                (way, field) for field in _fields(node, read.fields)
            )
        for write in node.writes:
            self._copies.setdefault((way, write.field), []).append((inside, write.port))
        self._unfold(inner, inside)

    def _add(self, node: Node, way: str) -> None:
        self.nodes.append((node, way))
        read = (*_read(node, way), *_taken(node))
        for write in node.writes:
            handed = _claims(node, way) if _reviews(node) and _hands_on(write) else read
            self._write((way, write.field), node, way, handed)
        if node.map is not None and node.map.failures is not None:
            self._write((way, node.map.failures), node, way, read)
        for channel in _given(node):
            self._write(channel, node, way, read)

    def _write(self, point: Point, node: Node, way: str, read: tuple[Point, ...]) -> None:
        self._writers.setdefault(point, []).append((node, way, read))

    def authors(self, node: Node, way: str) -> Iterator[tuple[Node, tuple[Node, ...]]]:
        """Go back from the claims that a node reviews, nearest first, and yield each node with a role once."""
        here = _named(node, way)
        todo: list[tuple[Point, tuple[Node, ...]]] = [(point, (here,)) for point in _claims(node, way)]
        seen = {point for point, _ in todo}
        told: set[str] = set()
        for point, onward in todo:
            for writer, its_way, read in self._writers.get(point, ()):
                named = _named(writer, its_way)
                if writer.roles and not _reviews(writer) and named.name not in told:
                    told.add(named.name)
                    yield named, (named, *onward)
                todo.extend(_new(read, seen, (named, *onward)))
            todo.extend(_new(self._copies.get(point, ()), seen, onward))


def _new(
    points: Iterable[Point], seen: set[Point], onward: tuple[Node, ...]
) -> Iterator[tuple[Point, tuple[Node, ...]]]:
    for point in points:
        if point not in seen:
            seen.add(point)
            yield point, onward


def _named(node: Node, way: str) -> Node:
    return replace(node, name=within(way.removesuffix("/"), node.name)) if way else node


def _read(node: Node, way: str) -> tuple[Point, ...]:
    return tuple((way, field) for field in node.fields_read)


def _claims(node: Node, way: str) -> tuple[Point, ...]:
    found = (field for read in node.reads if read.port == "claims" for field in _fields(node, read.fields))
    return tuple((way, field) for field in found)


def _fields(node: Node, fields: tuple[str, ...]) -> tuple[str, ...]:
    """What a binding reads: in a map the list, too, that its items come from."""
    return fields if node.map is None else (*fields, *node.map.over.reads)


def _hands_on(write: Write) -> bool:
    return write.port in ("accepted", "rejected")


def _taken(node: Node) -> Iterator[Point]:
    return _channels(node, ("read_files", "run_command"), "memory_read")


def _given(node: Node) -> Iterator[Point]:
    return _channels(node, ("write_files", "run_command"), "memory_write")


def _channels(node: Node, files: tuple[Capability, Capability], memory: Capability) -> Iterator[Point]:
    if not set(files).isdisjoint(node.capabilities):
        yield "", "workspace"
    if memory in node.capabilities:
        yield "", f"store {node.args.get('store')}"
