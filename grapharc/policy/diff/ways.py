"""A linked graph goes in; where control may lead from each of its nodes, subgraphs unfolded, comes out.

A subgraph is where one comes in, where one goes out and where one leaves it on an error, each a point without a kind;
its nodes stand between them. A node that holds other kinds stands for each of them, and may lead from any to any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import END, START, Form, LinkedGraph, Node
from grapharc.spec.nesting import within

Pair = tuple[str, str]


@frozen
class Ways:
    """Points by number: their names ("" where one only passes), the kinds at each, and where each leads."""

    names: tuple[str, ...]
    own: tuple[str, ...]
    """The kind of the node itself, "" for none."""
    kinds: tuple[tuple[str, ...], ...]
    """That kind and those that the node holds."""
    after: tuple[tuple[int, ...], ...]

    def pairs(self, without: str = "") -> frozenset[Pair]:
        """Return each kind with each that it can reach in one step or more, on ways on which no node is of a kind.

        A node that merely holds the kind is no obstacle: it may do without it.
        """
        bit = {kind: 1 << number for number, kind in enumerate(self._every_kind())}
        own = [
            0 if without and kind == without else _sum(bit, at) for kind, at in zip(self.own, self.kinds, strict=True)
        ]
        reached = self._masks(own, without)
        found: dict[str, int] = {}
        for point, at in enumerate(self.kinds):
            if without and self.own[point] == without:
                continue
            # What one node holds, it may use after each other.
            arriving = reached[point] | (_sum(bit, at) if len(at) > 1 else 0)
            for kind in at:
                found[kind] = found.get(kind, 0) | arriving
        return frozenset((source, kind) for kind, mask in found.items() for source in bit if mask & bit[source])

    def way(self, source: str, target: str, without: str = "") -> tuple[str, ...]:
        """Return the names along a shortest way from a kind to another, "" as the source for the start of the graph."""
        starts = [point for point, at in enumerate(self.kinds) if (source in at if source else point == 0)]
        starts = [point for point in starts if not without or self.own[point] != without]
        both = [self.names[point] for point in starts if source != target and target in self.kinds[point]]
        if both:
            return (min(both),)
        came: dict[int, int] = {}
        todo = deque(sorted(starts, key=lambda point: self.names[point]))
        first = set(todo)
        while todo:
            here = todo.popleft()
            for near in self.after[here]:
                if near in came or (without and self.own[near] == without):
                    continue
                came[near] = here
                if target in self.kinds[near]:
                    return self._back(near, came, first)
                todo.append(near)
        return ()

    def _back(self, end: int, came: Mapping[int, int], first: set[int]) -> tuple[str, ...]:
        way = [end]
        while len(way) == 1 or way[-1] not in first:
            way.append(came[way[-1]])
        return tuple(self.names[point] for point in reversed(way) if self.names[point])

    def _masks(self, own: list[int], without: str) -> list[int]:
        """For each point the kinds that reach it."""
        reached = [0] * len(self.names)
        todo = deque(range(len(self.names)))
        waiting = [True] * len(self.names)
        while todo:
            here = todo.popleft()
            waiting[here] = False
            if without and self.own[here] == without:
                continue
            leaving = reached[here] | own[here]
            for near in self.after[here]:
                if leaving | reached[near] != reached[near]:
                    reached[near] |= leaving
                    if not waiting[near]:
                        waiting[near] = True
                        todo.append(near)
        return reached

    def _every_kind(self) -> list[str]:
        return sorted({kind for at in self.kinds for kind in at})


NO_WAYS = Ways((), (), (), ())


def _sum(bit: Mapping[str, int], kinds: tuple[str, ...]) -> int:
    total = 0
    for kind in kinds:
        total |= bit[kind]
    return total


def ways_of(graph: LinkedGraph) -> Ways:
    """Unfold a graph into its points."""
    drawing = _Drawing()
    start, end = drawing.point(START), drawing.point(END)
    drawing.draw(graph, "", start, end, None)
    after = tuple(tuple(dict.fromkeys(near)) for near in drawing.after)
    return Ways(tuple(drawing.names), tuple(drawing.own), tuple(drawing.kinds), after)


@frozen
class _Drawing:
    names: list[str] = field(default_factory=list[str])
    own: list[str] = field(default_factory=list[str])
    kinds: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    after: list[list[int]] = field(default_factory=list[list[int]])

    def point(self, name: str, node: Node | None = None) -> int:
        offers = () if node is None else (node.offer, *node.held)
        self.names.append(name)
        self.own.append(node.offer.name if node else "")
        self.kinds.append(tuple(dict.fromkeys(offer.name for offer in offers)))
        self.after.append([])
        return len(self.names) - 1

    def draw(self, graph: LinkedGraph, outer: str, start: int, end: int, failing: int | None) -> None:
        """Draw a graph between the points where one comes in, goes out and, of a subgraph, fails."""
        enter, leave, fail = {END: end}, {START: [start]}, dict[str, list[int]]()
        for name, node in graph.nodes.items():
            called = within(outer, name)
            if node.subgraph is None:
                here = self.point(called, node)
                enter[name], leave[name], fail[name] = here, [here], [here]
            else:
                into, out, lost = self.point(""), self.point(""), self.point("")
                self.draw(node.subgraph, called, into, out, lost)
                enter[name], leave[name], fail[name] = into, [out], [lost]
        if failing is not None:
            for points in fail.values():
                for point in points:
                    self.after[point].append(failing)
        arrows = [(edge.source, edge.target, edge.form) for edge in graph.every_edge]
        for source, target, form in (*arrows, *_implied(graph, outer)):
            for point in (fail if form == "error" else leave).get(source, ()):
                if target in enter:
                    self.after[point].append(enter[target])


def _implied(graph: LinkedGraph, outer: str) -> Iterator[tuple[str, str, Form]]:
    """Of a subgraph the edges that nobody need write: from what leads nowhere to what follows it, and past nothing."""
    leading = {edge.source for edge in graph.edges if edge.form != "error"}
    if outer and START not in leading:
        yield START, END, "always"
    for name, node in graph.nodes.items() if outer else ():
        if name not in leading and node.offer.kind.name != "control.fail":
            yield name, END, "always"
