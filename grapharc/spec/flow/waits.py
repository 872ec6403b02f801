"""What a join waits for: trees of arcs, and what can be wrong in them. Trees in, larger trees out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from grapharc.spec.flow.guards import PRIME
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


@dataclass(slots=True)
class Tree:
    """A tree that still grows: the parts of its root, what its guard is, and what is wrong in it."""

    form: Literal["arc", "all", "any"]
    parts: list[tuple[int, Wait]]
    """Each with its lowest arc, by which they are sorted in the end."""
    guard: int
    comings: list[Coming]
    faults: list[Unequal | Undecidable] = field(default_factory=list[Unequal | Undecidable])

    def finish(self) -> Wait:
        """Return the tree as a value."""
        if self.form == "arc":
            return self.parts[0][1]
        parts = tuple(part for _, part in sorted(self.parts, key=_lowest))
        return AllOf(parts) if self.form == "all" else AnyOf(parts)


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


def leaf(coming: Coming) -> Tree:
    """Make the tree of one arc."""
    return Tree("arc", [(coming.arc, Arrival(coming.arc))], coming.guard, [coming])


def all_of(trees: Sequence[Tree]) -> Tree:
    """Wait for all of some trees, whose guards must be equal."""
    first = trees[0]
    faults: list[Unequal | Undecidable] = []
    if not any(tree.faults for tree in trees):
        unequal = next((tree for tree in trees if tree.guard != first.guard), None)
        if unequal is not None:
            faults.append(Unequal(first.finish(), unequal.finish()))
    return _join("all", trees, first.guard, faults)


def any_of(trees: Sequence[Tree]) -> Tree:
    """Wait for the one of some trees that happens."""
    return _join("any", trees, sum(tree.guard for tree in trees) % PRIME, [])


def _join(form: Literal["all", "any"], trees: Sequence[Tree], guard: int, faults: list[Unequal | Undecidable]) -> Tree:
    # The largest list is kept and the others are put into it, so that a long chain of small joins stays linear.
    largest = max(trees, key=_size)
    comings = largest.comings
    parts = largest.parts if largest.form == form else [_part(largest)]
    for tree in trees:
        faults.extend(tree.faults)
        if tree is not largest:
            comings.extend(tree.comings)
            parts.extend(tree.parts if tree.form == form else [_part(tree)])
    return Tree(form, parts, guard, comings, faults)


def _size(tree: Tree) -> int:
    return len(tree.comings)


def _part(tree: Tree) -> tuple[int, Wait]:
    return min(coming.arc for coming in tree.comings), tree.finish()


def _lowest(part: tuple[int, Wait]) -> int:
    return part[0]
