"""A linked graph goes in; for each node that reviews claims, the roles whose words may stand in them come out.

Followed is data: what a node writes into a field flows to whoever reads the field, through any number of nodes, loops,
maps and subgraphs, by what an error edge writes, and through the workspace and the stores. What is written after
it was read for the last time flows nowhere, unless it is kept in a store, which the next run reads. A node mixes all
that it reads into all that it writes; only a review hands on the claims that it was given and nothing else. What
reviewers write, reasons included, makes no one an author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import LinkedGraph, Node, Write
from grapharc.spec.nesting import within
from grapharc.spec.offers import REVIEW_ENTRY, Capability

Point: TypeAlias = tuple[str, str]
"""A field, by the way to its graph and its name; a channel beside the state, by "" and what it is."""


_KEPT = "store "
"""How a channel begins that lasts from run to run."""


@frozen
class Trail:
    """A node whose words go on to other nodes, one after the other, the last of which reviews them."""

    node: Node
    onward: Trail | None = None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All of it."""
        found: list[Node] = []
        at: Trail | None = self
        while at is not None:
            found.append(at.node)
            at = at.onward
        return tuple(found)


@frozen
class Review:
    """A node that reviews, by its whole name, and for each node with a role that wrote what it reviews the trail."""

    node: Node
    authors: tuple[Trail, ...]


def reviews(graph: LinkedGraph) -> Iterator[Review]:
    """Yield the reviews of a graph and of all in it, in the order of the document."""
    if any(_reviews(node) for node in _every_plain(graph)):
        flow = _Flow(graph)
        for node, way in flow.nodes:
            if _reviews(node):
                yield Review(_named(node, way), tuple(flow.authors(node, way)))


def _every_plain(graph: LinkedGraph) -> Iterator[Node]:
    yield from graph.nodes.values()
    for _, inner in graph.subgraphs:
        yield from _every_plain(inner)


def _reviews(node: Node) -> bool:
    return node.offer.kind.entry == REVIEW_ENTRY


class _Flow:
    """Who writes into each point, from which points."""

    def __init__(self, graph: LinkedGraph) -> None:
        self.nodes: list[tuple[Node, str]] = []
        self._writers: dict[Point, list[tuple[Node, str, tuple[Point, ...]]]] = {}
        self._copies: dict[Point, list[Point]] = {}
        self._graphs: dict[str, LinkedGraph] = {}
        self._later: dict[str, _Later] = {}
        self._unfold(graph, "")

    def _unfold(self, graph: LinkedGraph, way: str) -> None:
        self._graphs[way] = graph
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

    def authors(self, node: Node, way: str) -> Iterator[Trail]:
        """Go back from the claims that a node reviews, nearest first, and yield each node with a role once."""
        here = Trail(_named(node, way))
        todo = [(point, here) for point in _claims(node, way)]
        seen = {(point, here.node.name) for point, _ in todo}
        told: set[str] = set()
        for point, onward in todo:
            for writer, its_way, read in self._writers.get(point, ()):
                named = _named(writer, its_way)
                if not (point[1].startswith(_KEPT) or self._runs_before(named.name, onward.node.name)):
                    continue
                trail = Trail(named, onward)
                if writer.roles and not _reviews(writer) and named.name not in told:
                    told.add(named.name)
                    yield trail
                todo.extend(_new(read, seen, trail))
            todo.extend(_new(self._copies.get(point, ()), seen, onward))

    def _runs_before(self, one: str, other: str) -> bool:
        """Tell whether a node may run before another one, by their whole names: in the graph that holds both."""
        ones, others = one.split("/"), other.split("/")
        shared = next((n for n, (a, b) in enumerate(zip(ones, others, strict=False)) if a != b), len(ones) - 1)
        way = "".join(f"{name}/" for name in ones[:shared])
        if way not in self._later:
            self._later[way] = _Later(self._graphs[way])
        return self._later[way].leads(ones[shared], others[shared])


class _Later:
    """What may run after each node of a graph, as bit sets; a node after itself only in a loop."""

    def __init__(self, graph: LinkedGraph) -> None:
        self._number = {name: number for number, name in enumerate(graph.nodes)}
        self._after = [0] * len(self._number)
        leaving: list[list[int]] = [[] for _ in self._after]
        for edge in graph.every_edge:
            if edge.source in self._number and edge.target in self._number:
                leaving[self._number[edge.source]].append(self._number[edge.target])
        order = list(_last_first(leaving))
        changed = True
        while changed:  # once, and again for each loop within a loop
            changed = False
            for node in order:
                mine = self._after[node]
                for target in leaving[node]:
                    mine |= self._after[target] | 1 << target
                changed = changed or mine != self._after[node]
                self._after[node] = mine

    def leads(self, one: str, other: str) -> bool:
        """Tell whether a way leads from one node to another."""
        return bool(self._after[self._number[one]] >> self._number[other] & 1)


def _last_first(leaving: list[list[int]]) -> Iterator[int]:
    """Yield the nodes of a graph, each after those that it leads to, loops aside."""
    begun = bytearray(len(leaving))
    for start in range(len(leaving)):
        todo = [] if begun[start] else [(start, iter(leaving[start]))]
        begun[start] = 1
        while todo:
            node, targets = todo[-1]
            target = next((one for one in targets if not begun[one]), None)
            if target is None:
                yield node
                todo.pop()
            else:
                begun[target] = 1
                todo.append((target, iter(leaving[target])))


def _new(points: Iterable[Point], seen: set[tuple[Point, str]], onward: Trail) -> Iterator[tuple[Point, Trail]]:
    for point in points:
        if (point, onward.node.name) not in seen:
            seen.add((point, onward.node.name))
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
        yield "", f"{_KEPT}{node.args.get('store')}"
