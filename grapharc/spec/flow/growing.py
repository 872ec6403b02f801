"""Arcs into one node in; trees of them that still grow, with their guards and what is wrong in them, out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from grapharc.spec.flow.guards import PRIME
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Coming, Undecidable, Unequal, Wait
from grapharc.spec.frozen import field, record


@record
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
