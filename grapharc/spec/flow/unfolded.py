"""The flow of a graph in; all its nodes and those of every copy of a graph within it, with the arcs between them, out.

A subgraph is a way through: what leads to it leads to the start of its copy, and the end of the copy to what comes
after it. Where it stands in several places, each has a copy of its own. Any node inside may be running when the whole
fails, so that the subgraph's error edge leads from each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from grapharc.spec.flow.channels import NONE, Channels, channels
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.layout import Layout, Taken, layout
from grapharc.spec.flow.shared import Shared, shared
from grapharc.spec.flow.traffic import Traffic
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import Node
from grapharc.spec.nesting import within

ASTRAY = Taken(-1)
"""What leads into and out of a copy, beside the edges that are written."""


@frozen(slots=False)
class Copy:
    """One copy of a graph. ``base`` is the number of its first node among all; ``around`` is the copy it stands in.

    ``at`` is the number, in that copy's layout, of the node that runs it.
    """

    flow: Flow
    layout: Layout
    traffic: Traffic
    prefix: str
    base: int
    around: Copy | None = None
    at: int = -1
    inside: dict[int, Copy] = field(default_factory=dict["int", "Copy"])

    @property
    def start(self) -> int:
        """The spot of its start."""
        return self.base + self.layout.start

    @property
    def end(self) -> int:
        """The spot of its end."""
        return self.base + self.layout.end

    @property
    def broken_off(self) -> int:
        """The spot that is reached when the whole copy fails."""
        return self.end + 1

    @property
    def spots(self) -> range:
        """The spots of its nodes, without its start and its end."""
        return range(self.base, self.start)

    def everything(self) -> Iterator[Copy]:
        """Yield the copy and all inside it."""
        yield self
        for inner in self.inside.values():
            yield from inner.everything()


@frozen(slots=False)
class Unfolded:
    """All copies. A spot is a node, a start, an end or a breaking off, by number; ``copy_of`` is its copy."""

    copies: tuple[Copy, ...]
    copy_of: Sequence[Copy]
    onward: Sequence[Sequence[tuple[int, Taken]]]
    """What follows each spot after a success, with the edge that leads there."""
    failing: Sequence[Sequence[tuple[int, Taken]]]
    """What follows it after a failure."""

    @property
    def root(self) -> Copy:
        """The whole graph."""
        return self.copies[0]

    @cached_property
    def nodes(self) -> Mapping[int, Node]:
        """The nodes that are no subgraphs, by spot."""
        return {
            copy.base + number: node
            for copy in self.copies
            for number, node in enumerate(copy.layout.nodes)
            if node is not None and number not in copy.inside
        }

    def name(self, spot: int) -> str:
        """Return the whole name of what stands at a spot."""
        return self._names[spot]

    @cached_property
    def _names(self) -> Sequence[str]:
        found: list[str] = []
        for copy in self.copies:
            names = copy.layout.names
            found += [within(copy.prefix, name) for name in names]
            found.append(copy.prefix)
        return found

    def passing(self, spot: int) -> frozenset[str] | None:
        """Return the ports by which alone a node hands on what has passed it; None is all of them."""
        node = self.nodes.get(spot)
        return None if node is None else node.offer.kind.passing

    def tells_failure(self, spot: int) -> bool:
        """Tell whether what a node's failure says goes anywhere."""
        copy = self.copy_of[spot]
        return copy.around is not None or copy.traffic.tells_failures[spot - copy.base]

    @cached_property
    def channels(self) -> Mapping[int, Channels]:
        """What nodes do with files and stores, by spot; of those that do anything."""
        found = {spot: channels(node) for spot, node in self.nodes.items()}
        return {spot: one for spot, one in found.items() if one != NONE}

    @cached_property
    def file_readers(self) -> Mapping[int, Shared]:
        """By the base of a copy, those of its nodes that read files, themselves or inside."""
        return self._holding(spot for spot, one in self.channels.items() if one.reads_files)

    @cached_property
    def store_readers(self) -> Mapping[int, Shared]:
        """By the base of a copy, those of its nodes that read from a store, themselves or inside."""
        return self._holding(spot for spot, one in self.channels.items() if one.reads_stores)

    def _holding(self, spots: Iterable[int]) -> Mapping[int, Shared]:
        found: dict[int, set[int]] = {copy.base: set() for copy in self.copies}
        for spot in spots:
            copy: Copy | None = self.copy_of[spot]
            while copy is not None:
                found[copy.base].add(spot - copy.base)
                spot, copy = (0, None) if copy.around is None else (copy.around.base + copy.at, copy.around)
        return {copy.base: shared(found[copy.base], len(copy.layout.names)) for copy in self.copies}


def unfold(flow: Flow) -> Unfolded:
    """Unfold a graph."""
    copies = tuple(_copies(flow))
    size = copies[-1].broken_off + 1
    copy_of = [copies[0]] * size
    onward: list[list[tuple[int, Taken]]] = [[] for _ in range(size)]
    failing: list[list[tuple[int, Taken]]] = [[] for _ in range(size)]
    for copy in copies:
        copy_of[copy.base : copy.broken_off + 1] = [copy] * (len(copy.layout.names) + 1)
        _join(copy, onward, failing)
    return Unfolded(copies, copy_of, onward, failing)


def _copies(flow: Flow) -> Iterator[Copy]:
    """Yield the copies, each before those inside it; one layout serves all copies of a graph."""
    known: dict[int, Traffic] = {}
    base = 0
    todo: list[tuple[Flow, str, Copy | None, int]] = [(flow, "", None, -1)]
    while todo:
        one, prefix, around, at = todo.pop()
        traffic = known.get(id(one.graph))
        if traffic is None:
            traffic = known[id(one.graph)] = Traffic(layout(one.graph))
        copy = Copy(one, traffic.layout, traffic, prefix, base, around, at)
        base = copy.broken_off + 1
        if around is not None:
            around.inside[at] = copy
        yield copy
        for name in sorted(one.inside, reverse=True):
            whole = within(prefix, name)
            todo.append((one.inside[name], whole, copy, traffic.layout.number[name]))


def _join(copy: Copy, onward: list[list[tuple[int, Taken]]], failing: list[list[tuple[int, Taken]]]) -> None:
    base = copy.base
    upward = () if copy.around is None else ((copy.broken_off, ASTRAY),)
    for number in range(copy.layout.end):
        success = [(base + taken.target, taken) for taken in copy.layout.success[number]]
        failure = [(base + taken.target, taken) for taken in copy.layout.failure[number]]
        spot, inner = base + number, copy.inside.get(number)
        if inner is None:
            onward[spot] = success
        else:
            onward[spot] = [(inner.start, ASTRAY)]
            onward[inner.end] = success
            onward[inner.broken_off] = [*failure, *upward]
        node = copy.layout.nodes[number]
        if inner is None or (node is not None and node.map is not None):  # a list may be too long before anything runs
            failing[spot] = [*failure, *upward] if number != copy.layout.start else []
