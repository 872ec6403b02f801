"""A way of control or of data goes in; the steps of its witness come out, each where it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grapharc.policy.places import kind_place, under
from grapharc.spec.finding import Place, Step
from grapharc.spec.flow.cells import Arrival, Cell, Come, Spread
from grapharc.spec.flow.layout import Taken
from grapharc.spec.flow.unfolded import Copy, Unfolded
from grapharc.spec.flow.ways import Ways
from grapharc.spec.linked import Node


def way_steps(graph: Unfolded, ways: Ways, target: int) -> tuple[Step, ...]:
    """Return each step from node to node, where the edge is written; into or out of a subgraph that around it."""
    found: list[Step] = []
    for hop in ways.hops(target):
        outermost = min(hop.by, key=lambda taken: _depth(graph, taken), default=None)
        how = ", ".join(said for taken in hop.by if (said := _how(taken)))
        text = f"{graph.name(hop.source)} -> {graph.name(hop.target)}"
        found.append(Step(f"{text} {how}".rstrip(), None if outermost is None else _edge_place(outermost)))
    return tuple(found)


def held_steps(graph: Unfolded, spot: int, kinds: tuple[str, str]) -> tuple[Step, ...]:
    """Say which kinds one node is or holds."""
    node = graph.nodes[spot]
    place = kind_place(graph.root.layout.graph, node)
    said = [f"{graph.name(spot)} {'is' if kind == node.offer.name else 'holds'} '{kind}'" for kind in kinds]
    return tuple(Step(text, place) for text in dict.fromkeys(said))


def data_steps(graph: Unfolded, found: Spread, arrival: Arrival) -> tuple[Step, ...]:
    """Return who writes what and who reads it, where they say so."""
    way = found.steps(arrival)
    return tuple(step for cell, come in way for step in _Teller(graph, cell, come).steps())


def _depth(graph: Unfolded, taken: Taken) -> int:
    document = "" if taken.edge is None else taken.edge.place.document
    copies = [copy for copy in graph.copies if copy.layout.graph.path == document]
    return min((copy.prefix.count("/") + bool(copy.prefix) for copy in copies), default=0)


def _how(taken: Taken) -> str:
    edge = taken.edge
    if edge is None or (edge.form == "always" and not taken.used_up):
        return ""
    how = "on error" if edge.form == "error" else "otherwise" if edge.form == "arm" else ""
    if edge.condition is not None:
        how = f"when {edge.condition.text}"
    return f"{how} (exhausted)".strip() if taken.used_up else how


def _edge_place(taken: Taken) -> Place | None:
    if taken.edge is None:
        return None
    used_up = taken.edge.used_up if taken.used_up else None
    return taken.edge.place if used_up is None else used_up.place


class _Teller:
    """Words one step of data: how it left the cell before, and how it came into this one."""

    def __init__(self, graph: Unfolded, cell: Cell, come: Come) -> None:
        self.graph, self.cell, self.come = graph, cell, come
        self.copy = graph.copy_of[cell.spot]

    def steps(self) -> Iterator[Step]:
        come, source = self.come, self.come.source
        match come.by:
            case "begins":
                yield from self._begins()
            case "field" if source is not None:
                yield from self._written(source)
                yield from self._read()
            case "files" if source is not None:
                yield Step(f"{self._name(source.spot)} may write files", self._kind_place(source.spot))
                yield Step(f"{self._name()} may read them", self._kind_place(self.cell.spot))
            case "store" if source is not None:
                yield Step(f"{self._name(source.spot)} may write to a store", self._kind_place(source.spot))
                yield Step(f"{self._name()} may read it", self._kind_place(self.cell.spot))
            case "decision":
                yield Step(f"that decides about {self._name()}", self._node_place(self.cell.spot))
            case "outcome":
                yield Step(f"{self._name()} may fail by it", self._node_place(self.cell.spot))
            case "inside":
                yield Step(f"{self._name()} runs for it", self._node_place(self.cell.spot))
            case _:
                pass  # that a node hands on what it is given goes without saying

    def _begins(self) -> Iterator[Step]:
        field, written = self.come.field, self.come.written
        if not field:
            return
        declared = self.copy.layout.graph.fields[field]
        what = "is an input" if written is None else f"has {_list(declared.labels)}"
        yield Step(f"{field} {what}", declared.place)

    def _written(self, source: Cell) -> Iterator[Step]:
        """Say who writes the field; of one that comes in from outside that was told."""
        written, field = self.come.written, self.come.field
        if written is None or written.reason == "enters":
            return
        copy, spot = self.graph.copy_of[source.spot], source.spot
        if (
            source.what == "leaves" and copy.around is not None
        ):  # what leaves a copy is written by the node that runs it
            copy, spot = copy.around, copy.around.base + copy.at
        number = spot - copy.base
        node, name, place = copy.layout.nodes[number], self._name(spot), self._node_place(spot)
        if written.reason == "port":
            writes = () if node is None else node.writes
            exact = (one.place for one in writes if one.field == field and not one.implicit)
            yield Step(f"{name} writes {field}", next(exact, place))
        elif written.reason == "failures":
            where = place if node is None or node.map is None else under(node.map.place, "failures")
            yield Step(f"{name} collects failures in {field}", where)
        else:
            edges = (one.edge for one in copy.layout.failure[number])
            exact = (edge.part("into") for edge in edges if edge is not None and edge.into == field)
            yield Step(f"{name} fails, and {field} says why", next(exact, place))

    def _read(self) -> Iterator[Step]:
        field, spot = self.come.field, self.cell.spot
        match self.cell.what:
            case "in" if spot == self.copy.start:
                yield Step(f"{self.graph.copy_of[spot].prefix} runs for each of {field}", self._over_place(spot))
            case "in":
                yield Step(f"{self._name()} reads {field}", self._read_place(spot, field))
            case "decide" | "decide_failed":
                yield Step(f"{self._name()} decides by {field}", self._decision_place(spot, field))
            case "enters":
                yield Step(f"{field} enters {self.copy.prefix} as {self.cell.field}", self._over_place(spot))
            case "leaves" if self.copy.around is None:
                yield Step(f"{field} is an output", self.copy.layout.graph.fields[field].place)
            case "leaves":
                yield Step(f"{field} leaves {self.copy.prefix}", self.copy.layout.graph.fields[field].place)
            case _:
                declared = self.graph.copy_of[spot].layout.graph.fields[field]
                yield Step(f"{field} has {_list(declared.labels)}", declared.place)

    def _name(self, spot: int | None = None) -> str:
        return self.graph.name(self.cell.spot if spot is None else spot)

    def _node(self, spot: int) -> Node | None:
        copy = self.graph.copy_of[spot]
        return copy.layout.nodes[spot - copy.base] if spot <= copy.end else None

    def _node_place(self, spot: int) -> Place | None:
        node = self._node(spot)
        return None if node is None else node.place

    def _kind_place(self, spot: int) -> Place | None:
        node = self._node(spot)
        return None if node is None else kind_place(self.graph.root.layout.graph, node)

    def _over_place(self, spot: int) -> Place | None:
        """The place of the node that runs a copy: of what it reads, as far as it says so."""
        copy = self.graph.copy_of[spot]
        if copy.around is None:
            return None
        return self._read_place(copy.around.base + copy.at, self.come.field)

    def _read_place(self, spot: int, field: str) -> Place | None:
        node = self._node(spot)
        if node is None:
            return None
        for read in node.reads:
            if field in read.fields and not read.implicit:
                return read.place
        if node.map is not None and field in node.map.over.reads:
            return under(node.map.place, "over")
        exact = (one.place for one in node.expressions if field in one.fields)
        implicit = (read.place for read in node.reads if field in read.fields)
        return next(exact, next(implicit, node.place))

    def _decision_place(self, spot: int, field: str) -> Place | None:
        copy: Copy = self.graph.copy_of[spot]
        failed = self.cell.what == "decide_failed"
        for edge in copy.traffic.deciding_edges(spot - copy.base, failed):
            if edge.condition is not None and field in edge.condition.reads:
                return edge.part("when")
            if edge.loop is not None and field in edge.loop.progress:
                return under(edge.loop.place, "progress")
        return self._node_place(spot)


def _list(labels: Sequence[str]) -> str:
    said = ", ".join(f"'{label}'" for label in labels)
    return f"label {said}" if len(labels) == 1 else f"labels {said}"
