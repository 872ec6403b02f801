"""Who reads and writes what in; pairs of which neither comes after the other, though both can run in one run, out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from grapharc.spec.flow.access import Access
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.problems import UnorderedAccess, UnorderedWriters
from grapharc.spec.flow.reach import bits
from grapharc.spec.flow.together import Together
from grapharc.spec.frozen import frozen


def unordered(
    graph: FlowGraph, together: Together, access: Access, unsound: int
) -> Iterable[UnorderedWriters | UnorderedAccess]:
    """Find, for each field, each node's first rival; ``unsound`` are points where other faults begin."""
    nodes = range(len(graph.names))
    writers = _by_field(access.writers(nodes), access.written_by, together)
    readers = _by_field(access.readers(nodes), access.read_by, together)
    for field in sorted(writers):
        mine, others = writers[field], readers.get(field, ())
        if len(mine) == 1 and all(together.one_after_other(mine[0], point) for point in others):
            continue
        if together.in_a_row(sorted({*mine, *others})):
            continue
        pairs = _Pairs(graph, together, unsound, field, access.fields[field].reducer == "last")
        yield from pairs.find(set(writers[field]), set(readers.get(field, ())))


@frozen
class _Pairs:
    """One field; whether only its last value stays."""

    graph: FlowGraph
    together: Together
    unsound: int
    field: str
    last: bool

    def find(self, writers: Collection[int], readers: Collection[int]) -> Iterable[UnorderedWriters | UnorderedAccess]:
        """Compare each node with those before it in the order; of pairs that both write, say only that."""
        written = read = 0
        for point in sorted({*writers, *readers}):
            not_above = ~self.together.above[point]
            if point in writers:
                if self.last and (other := self.rival(point, written & not_above)) >= 0:
                    yield UnorderedWriters(self.field, self.name(other), self.name(point), self.fork(other, point))
                others = read & ~written if self.last else read
                if (other := self.rival(point, others & not_above)) >= 0:
                    yield UnorderedAccess(self.field, self.name(point), self.name(other), self.fork(other, point))
            if point in readers and not (self.last and point in writers):
                other = self.rival(point, written & not_above)
                if other >= 0:
                    yield UnorderedAccess(self.field, self.name(other), self.name(point), self.fork(other, point))
            written |= (point in writers) << point
            read |= (point in readers) << point

    def rival(self, point: int, others: int) -> int:
        """Find the first of some points, none of which leads to this one or comes after it, that can happen with it."""
        together, tree = self.together, self.together.tree
        chooses, forks = together.points.chooses, together.points.forks
        while others:
            other = (others & -others).bit_length() - 1
            parting = tree.common(point, other)
            if not chooses[parting]:
                if self.sound(point, other, parting):
                    return other
                others ^= 1 << other
                continue
            apart = others & _span(parting, tree.sizes[parting]) & ~self.side(parting, point)
            if forks & together.above[point] & ~together.above[parting]:
                for one in bits(apart):
                    if together.happen(one, point) and self.sound(point, one, parting):
                        return one
            others &= ~apart
        return -1

    def sound(self, one: int, other: int, parting: int) -> bool:
        """Tell whether no other fault begins where the ways of two points have parted."""
        between = (self.together.above[one] | self.together.above[other]) & ~self.together.above[parting]
        return not between & self.unsound

    def side(self, parting: int, point: int) -> int:
        """The points on one side of a parting: those that the next dominator of one of them dominates."""
        tree = self.together.tree
        nearest = tree.towards(point, tree.depth[parting] + 1)
        return _span(nearest, tree.sizes[nearest])

    def name(self, point: int) -> str:
        return self.graph.names[self.together.points.node[point]]

    def fork(self, one: int, other: int) -> str:
        return self.name(self.together.tree.common(one, other))


def _span(first: int, size: int) -> int:
    return (1 << size) - 1 << first


def _by_field(
    nodes: Iterable[int], used_by: Callable[[int], Collection[str]], together: Together
) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for node in nodes:
        point = together.points.of_node[node]
        for field in used_by(node) if point >= 0 else ():
            found.setdefault(field, []).append(point)
    return found
