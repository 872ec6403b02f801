"""What a join waits for: trees of arcs, and what can be wrong in them. Trees in, larger trees out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from grapharc.spec.frozen import frozen


@frozen
class Arrival:
    """Wait for one arc, an index into the flow graph's arcs."""

    arc: int


@frozen
class AllOf:
    """Wait for all parts, two or more."""

    parts: tuple[Wait, ...]


@frozen
class AnyOf:
    """Wait for the one part that happens, of two or more."""

    parts: tuple[Wait, ...]


T = TypeVar("T")

Wait: TypeAlias = "Arrival | AllOf | AnyOf"


class Waits(Mapping[int, Wait]):
    """What each node waits for, by its number. Most wait for one arc: of them no tree is kept.

    ``nodes`` is the order in which they are listed, ``arcs`` has for each node the one arc, else -1.
    """

    def __init__(self, nodes: Sequence[int], arcs: Sequence[int], trees: Mapping[int, Wait]) -> None:
        self.nodes, self.arcs, self.trees = nodes, arcs, trees

    def __getitem__(self, node: int) -> Wait:
        arc = self.arcs[node]
        return Arrival(arc) if arc >= 0 else self.trees[node]

    def __contains__(self, node: object) -> bool:
        return isinstance(node, int) and (self.arcs[node] >= 0 or node in self.trees)

    def __iter__(self) -> Iterator[int]:
        return (node for node in self.nodes if node in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def changed(self, trees: Mapping[int, Wait]) -> Waits:
        """Return the same with other trees for some nodes."""
        if not trees:
            return self
        arcs = [-1 if node in trees else arc for node, arc in enumerate(self.arcs)]
        return Waits(self.nodes, arcs, {**self.trees, **trees})


class Coming(NamedTuple):
    """An arc into a join, the point that it leaves from, and that point's guard."""

    arc: int
    point: int
    guard: int


class Unequal(NamedTuple):
    """Two parts of an all-of whose guards differ."""

    one: Wait
    other: Wait


class Undecidable(NamedTuple):
    """Arcs that are neither alternatives nor companions."""

    arcs: tuple[int, ...]


def arrivals(wait: Wait) -> Iterable[int]:
    """List the arcs of a tree from left to right."""
    todo: list[Wait] = [wait]
    while todo:
        part = todo.pop()
        if isinstance(part, Arrival):
            yield part.arc
        else:
            todo.extend(reversed(part.parts))


def all_ofs(wait: Wait) -> Iterable[AllOf]:
    """List the all-ofs in a tree."""
    todo = [wait]
    while todo:
        part = todo.pop()
        if isinstance(part, AllOf):
            yield part
        if not isinstance(part, Arrival):
            todo.extend(part.parts)


def fold(wait: Wait, leaf: Callable[[int], T], every: Callable[[list[T]], T], either: Callable[[list[T]], T]) -> T:
    """Make one value of a tree from the values of its arcs."""
    if isinstance(wait, Arrival):
        return leaf(wait.arc)
    if all(isinstance(part, Arrival) for part in wait.parts):
        values = [leaf(part.arc) for part in wait.parts if isinstance(part, Arrival)]
        return every(values) if isinstance(wait, AllOf) else either(values)
    trail: list[tuple[AllOf | AnyOf, list[T]]] = [(wait, [])]
    while True:
        whole, values = trail[-1]
        if len(values) < len(whole.parts):
            part = whole.parts[len(values)]
            if isinstance(part, Arrival):
                values.append(leaf(part.arc))
            else:
                trail.append((part, []))
            continue
        trail.pop()
        value = every(values) if isinstance(whole, AllOf) else either(values)
        if not trail:
            return value
        trail[-1][1].append(value)
