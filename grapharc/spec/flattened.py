"""A linked graph goes in; its edges come out as they are when every subgraph is unfolded: none begins or ends at one.

An edge into a subgraph reaches the first nodes inside, one out of it leaves the last ones, an error edge all of them:
any may be the one that fails. Where a subgraph can be passed without running a node, what leads to it leads on to what
comes after it. Nodes are called by the way to them, ``outer/inner``; a place is where the edge is written that leads
across. Of several nodes of one kind that an edge leaves, one stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import END, START, Edge, LinkedGraph
from grapharc.spec.nesting import within
from grapharc.spec.offers import Offer


@frozen
class End:
    """One end of an edge: a node that is no subgraph, or the start or the end of the whole."""

    name: str
    offer: Offer | None

    @property
    def kind(self) -> str:
        """The name of the kind in use, or the sentinel."""
        return self.name if self.offer is None else self.offer.name


@frozen
class FlatEdge:
    """An edge between two ends; ``edge`` has their names, and the place where it is written."""

    source: End
    target: End
    edge: Edge


IN = End(START, None)
OUT = End(END, None)


def flat_edges(graph: LinkedGraph) -> tuple[FlatEdge, ...]:
    """Unfold a graph."""
    if not graph.subgraphs:
        ends = {name: End(name, node.offer) for name, node in graph.nodes.items()} | {START: IN, END: OUT}
        known = (edge for edge in graph.every_edge if edge.source in ends and edge.target in ends)
        return tuple(FlatEdge(ends[edge.source], ends[edge.target], edge) for edge in known)
    return tuple(_unfold(graph, {}, whole=True).edges)


@frozen
class _Flat:
    """A graph unfolded: edges that stay inside, and those from its start, with IN, and to its end, with OUT."""

    edges: list[FlatEdge]
    all: list[End]

    @property
    def first(self) -> list[FlatEdge]:
        return [edge for edge in self.edges if edge.source == IN and edge.target != OUT]

    @property
    def last(self) -> list[FlatEdge]:
        return [edge for edge in self.edges if edge.target == OUT and edge.source != IN]

    @property
    def inner(self) -> list[FlatEdge]:
        return [edge for edge in self.edges if edge.source != IN and edge.target != OUT]

    @property
    def is_passed(self) -> bool:
        entering = [edge for edge in self.edges if edge.source == IN]
        return not entering or any(edge.target == OUT for edge in entering)


class _Unfolding:
    """One graph in the middle of being unfolded."""

    def __init__(self, graph: LinkedGraph, inside: dict[str, _Flat], *, whole: bool) -> None:
        self.graph = graph
        self.whole = whole
        self.inside = inside
        self.plain = {name: End(name, node.offer) for name, node in graph.nodes.items() if name not in inside}
        self.plain |= {START: IN, END: OUT}
        self.leaving: dict[str, list[Edge]] = {}
        for edge in graph.every_edge:
            self.leaving.setdefault(edge.source, []).append(edge)

    def sources(self, edge: Edge) -> Iterable[End]:
        flat = self.inside.get(edge.source)
        if flat is None:
            return [self.plain[edge.source]] if edge.source in self.plain else []
        return flat.all if edge.form == "error" else [last.source for last in flat.last]

    def targets(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[End]:
        """List what is reached by an edge to a node: itself, or the first nodes inside, or what comes after them."""
        flat = self.inside.get(name)
        if flat is None:
            yield from [self.plain[name]] if name in self.plain else []
            return
        yield from (first.target for first in flat.first)
        if flat.is_passed and name not in seen:
            onward = [edge for edge in self.leaving.get(name, ()) if edge.form != "error"]
            for edge in onward:
                yield from self.targets(edge.target, seen | {name})
            if not onward and not self.whole:
                yield OUT

    def implied(self) -> Iterator[Edge]:
        """Yield an edge to the end for each node that ends its way without one: what comes after follows it."""
        if self.whole:
            return
        for name, node in self.graph.nodes.items():
            leads_on = any(edge.form != "error" for edge in self.leaving.get(name, ()))
            if not leads_on and not node.offer.kind.always_fails:
                yield Edge(name, END, node.spot)


def _unfold(graph: LinkedGraph, known: dict[int, _Flat], *, whole: bool) -> _Flat:
    inside: dict[str, _Flat] = {}
    for name, inner in graph.subgraphs:
        if id(inner) not in known:
            known[id(inner)] = _unfold(inner, known, whole=False)
        inside[name] = _called(known[id(inner)], name)
    unfolding = _Unfolding(graph, inside, whole=whole)
    edges = [edge for flat in inside.values() for edge in flat.inner]
    for edge in (*graph.every_edge, *unfolding.implied()):
        edges.extend(_between(unfolding.sources(edge), unfolding.targets(edge.target), edge))
    own = [end for end in unfolding.plain.values() if end.offer is not None]
    return _Flat(edges, [*own, *(end for flat in inside.values() for end in flat.all)])


def _between(sources: Iterable[End], targets: Iterable[End], edge: Edge) -> Iterator[FlatEdge]:
    """Join all sources to all targets; of several sources of one kind the first stands for all."""
    one = {source.kind: source for source in reversed(list(sources))}
    other = {target.name: target for target in targets}
    for source in one.values():
        for target in other.values():
            yield FlatEdge(source, target, replace(edge, source=source.name, target=target.name))


def _called(flat: _Flat, node: str) -> _Flat:
    """Call all that is inside a node by its whole name."""
    return _Flat(
        [_renamed(edge, node) for edge in flat.edges],
        [End(within(node, end.name), end.offer) for end in flat.all],
    )


def _renamed(flat: FlatEdge, node: str) -> FlatEdge:
    source, target = (
        end if end.offer is None else End(within(node, end.name), end.offer) for end in (flat.source, flat.target)
    )
    return FlatEdge(source, target, replace(flat.edge, source=source.name, target=target.name))
