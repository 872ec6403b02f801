"""One side of a graph goes in; which kinds the data of each kind, and with each label, comes to, and how, comes out.

This is asked of the same facts that rules over flows are proved by, so that gate and policy cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from grapharc.policy.diff.side import Side
from grapharc.policy.owner.ends import Ends
from grapharc.spec.flow.cells import Arrival, Cell, Come, Question, Spread
from grapharc.spec.flow.spread import spread
from grapharc.spec.flow.unfolded import Unfolded, unfold
from grapharc.spec.linked import END, START, Node

FILES, STORE = "<files>", "<store>"
"""What stands on a way between a node that leaves something there and one that finds it."""


class Source(NamedTuple):
    """Where data begins: a kind, the inputs of the run (``START``), or a label."""

    name: str
    is_label: bool = False


class Flows:
    """The flows of one side. Where ``implicit`` is asked for, data shows in what is decided by it as well."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._reached: dict[tuple[Source, bool], frozenset[str]] = {}
        self._last: tuple[Source, bool, Mapping[str, tuple[str, ...]]] | None = None

    @cached_property
    def sources(self) -> frozenset[Source]:
        """All that data may begin as."""
        kinds = {Source(kind) for node in self._nodes.values() for kind in _kinds(node)}
        fields = (label for field in self.side.fields.values() for label in field.labels)
        nodes = (label for node in self.side.nodes.values() for label in node.labels)
        return frozenset(kinds | {Source(START)} | {Source(label, is_label=True) for label in (*fields, *nodes)})

    def reached(self, source: Source, implicit: bool) -> frozenset[str]:
        """Return the kinds that data comes to, ``END`` for the outputs of the run among them."""
        if self.side.admission is None or source not in self.sources:
            return frozenset()
        key = source, implicit
        if key not in self._reached:
            self._reached[key] = frozenset(target for target, _ in self._arrivals(source, self._spread(*key)))
        return self._reached[key]

    def way(self, source: Source, target: str, implicit: bool) -> tuple[str, ...]:
        """Return the nodes, fields and other places on a shortest way to a kind that is reached."""
        if self._last is None or self._last[:2] != (source, implicit):
            self._last = source, implicit, self._ways(source, implicit)
        return self._last[2][target]

    def _ways(self, source: Source, implicit: bool) -> Mapping[str, tuple[str, ...]]:
        """Of equally short ways that one whose end comes first by its name."""
        found = self._spread(source, implicit)
        nearest: dict[str, tuple[int, str, Arrival | None]] = {}
        for target, (length, name, arrival) in self._arrivals(source, found):
            if target not in nearest or (length, name) < nearest[target][:2]:
                nearest[target] = length, name, arrival
        return {
            target: (name,) if arrival is None else tuple(_way(self._graph, found.steps(arrival)))
            for target, (_, name, arrival) in nearest.items()
        }

    def _spread(self, source: Source, implicit: bool) -> Spread:
        label = source.name if source.is_label else ""
        if label:
            sources, endorsing = self._ends.labelling(label), self._ends.endorsing(label)
        else:
            sources, endorsing = frozenset(self._by_kind.get(source.name, ())), frozenset[int]()
        inputs = source == Source(START)
        return spread(self._graph, Question(sources, frozenset(), endorsing, label, inputs, implicit))

    def _arrivals(self, source: Source, found: Spread) -> Iterator[tuple[str, tuple[int, str, Arrival | None]]]:
        """Yield the kinds that are reached: how far away, where, and how; a node that is both needs no way."""
        for spot, node in self._nodes.items():
            for kind in _both(source, node):
                yield kind, (0, self._graph.name(spot), None)
        for spot, arrival in found.into(self._nodes).items():
            for kind in _kinds(self._nodes[spot]):
                yield kind, (arrival.come.length, self._graph.name(spot), arrival)
        out = found.out()
        if out is not None:
            yield END, (out.come.length, "", out)

    @cached_property
    def _graph(self) -> Unfolded:
        assert self.side.admission is not None  # noqa: S101  who asks has looked
        return unfold(self.side.admission.flow)

    @cached_property
    def _nodes(self) -> Mapping[int, Node]:
        return {} if self.side.admission is None else self._graph.nodes

    @cached_property
    def _ends(self) -> Ends:
        return Ends(self._graph)

    @cached_property
    def _by_kind(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for spot, node in self._nodes.items():
            for kind in _kinds(node):
                found.setdefault(kind, []).append(spot)
        return found


def _kinds(node: Node) -> tuple[str, ...]:
    return tuple(dict.fromkeys(offer.name for offer in (node.offer, *node.held)))


def _both(source: Source, node: Node) -> Iterator[str]:
    """The kinds that data reaches within one node: what it holds it may use in any order and again."""
    for begins in (node.offer, *node.held):
        if source.name in (begins.labels if source.is_label else (begins.name,)):
            for ends in (node.offer, *node.held):
                if source.is_label or ends is not begins or begins is not node.offer:
                    yield ends.name


def _way(graph: Unfolded, steps: Sequence[tuple[Cell, Come]]) -> Iterator[str]:
    last = ""
    for cell, come in steps:
        for name in _named(graph, cell, come):
            if name and name != last:
                yield name
            last = name or last


def _named(graph: Unfolded, cell: Cell, come: Come) -> Iterator[str]:
    """What one step passes: the field or other place that it takes, and the node that it comes to."""
    copy, name = graph.copy_of[cell.spot], graph.name(cell.spot)
    if come.field:  # what comes into a copy from outside comes from a field of the graph around it
        outside = cell.spot == copy.start and cell.what in ("enters", "in") and copy.around is not None
        around = copy.around if outside else copy
        prefix = "" if around is None else around.prefix
        yield f"{prefix}/{come.field}" if prefix else come.field
    match come.by:
        case "files":
            yield FILES
        case "store":
            yield STORE
        case _:
            pass
    match cell.what:
        case "in" | "out" | "past" | "fail":
            yield name if cell.spot in graph.nodes else copy.prefix
        case "decide" | "decide_failed":
            yield f"<what follows {name}>"
        case "outcome":
            yield f"<whether {name} fails>"
        case "enters" | "leaves" | "field":
            pass
