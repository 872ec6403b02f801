"""Numbers beneath a size in; sets of them, of which those that have much in common keep it in one place, out.

What comes after a node and what comes after the next one differ in little. As one row of bits each they would take
memory with the square of a graph; here a set is a tree whose leaves are short rows of bits, and a set that is made of
others takes over all branches that are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from grapharc.spec.flow.reach import bits

LEAF, FAN = 12, 3
"""A leaf holds as many bits, and a branch as many parts, as two to the power of these."""

Tree: TypeAlias = "int | tuple[Tree, ...]"
"""A row of bits; above, one part for each range of numbers. What is empty is 0 at any height."""


class Shared:
    """A set that never changes. Sets that meet or are compared with each other are made for the same size."""

    __slots__ = ("height", "tree")

    def __init__(self, tree: Tree, height: int) -> None:
        self.tree, self.height = tree, height

    def __bool__(self) -> bool:
        return bool(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shared) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.tree)

    def __contains__(self, number: int) -> bool:
        tree, height = self.tree, self.height
        if number >> LEAF + FAN * height:
            return False  # who asks may know numbers of other sets, and those beside all nodes
        while not isinstance(tree, int):
            height -= 1
            step = LEAF + FAN * height
            tree, number = tree[number >> step], number & (1 << step) - 1
        return bool(tree >> number & 1) if tree else False

    def __iter__(self) -> Iterator[int]:
        return _members(self.tree, self.height, 0)

    def __or__(self, other: Shared) -> Shared:
        return Shared(_either(self.tree, other.tree), self.height)

    def __and__(self, other: Shared) -> Shared:
        return Shared(_both(self.tree, other.tree), self.height)

    def __sub__(self, other: Shared) -> Shared:
        return Shared(_without(self.tree, other.tree), self.height)

    def plus(self, number: int) -> Shared:
        """Return the set with one number more."""
        return Shared(_with(self.tree, number, self.height), self.height)


def nothing(size: int) -> Shared:
    """Return the empty set of numbers beneath a size."""
    height = 0
    while size > 1 << LEAF + FAN * height:
        height += 1
    return Shared(0, height)


def everything(size: int) -> Shared:
    """Return the set of all numbers beneath a size."""
    return shared(range(size), size)


def shared(numbers: Iterable[int], size: int) -> Shared:
    """Return the set of some numbers beneath a size."""
    rows: dict[int, int] = {}
    for number in numbers:
        rows[number >> LEAF] = rows.get(number >> LEAF, 0) | 1 << (number & (1 << LEAF) - 1)
    empty = nothing(size)
    parts: dict[int, Tree] = {**rows}
    for _ in range(empty.height):
        parts = _gathered(parts)
    return Shared(parts.get(0, 0), empty.height)


def _gathered(parts: dict[int, Tree]) -> dict[int, Tree]:
    """Put the parts of each branch together."""
    found: dict[int, list[Tree]] = {}
    for place, part in parts.items():
        found.setdefault(place >> FAN, [0] * (1 << FAN))[place & (1 << FAN) - 1] = part
    return {place: tuple(branch) for place, branch in found.items()}


def _with(tree: Tree, number: int, height: int) -> Tree:
    if not height:
        return _either(tree, 1 << number)
    step = LEAF + FAN * (height - 1)
    branch = tree if isinstance(tree, tuple) else (0,) * (1 << FAN)
    index = number >> step
    part = _with(branch[index], number & (1 << step) - 1, height - 1)
    return tree if part is branch[index] else (*branch[:index], part, *branch[index + 1 :])


def _either(one: Tree, other: Tree) -> Tree:
    if one is other or not other:
        return one
    if not one:
        return other
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=True)
        return _kept(tuple([mine if mine is theirs else _either(mine, theirs) for mine, theirs in pairs]), one, other)
    return _kept(_bits(one) | _bits(other), one, other)


def _both(one: Tree, other: Tree) -> Tree:
    if one is other:
        return one
    if not one or not other:
        return 0
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=True)
        return _kept(_branch([_both(mine, theirs) if mine and theirs else 0 for mine, theirs in pairs]), one, other)
    return _kept(_bits(one) & _bits(other), one, other)


def _without(one: Tree, other: Tree) -> Tree:
    if one is other or not one:
        return 0
    if not other:
        return one
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=True)
        return _kept(_branch([_without(mine, theirs) if theirs else mine for mine, theirs in pairs]), one)
    return _kept(_bits(one) & ~_bits(other), one)


def _kept(made: Tree, *known: Tree) -> Tree:
    """Return the tree of those it was made from that says the same, if one does, so that they share it."""
    return next((tree for tree in known if tree == made), made)


def _branch(parts: Sequence[Tree]) -> Tree:
    return tuple(parts) if any(parts) else 0


def _bits(leaf: Tree) -> int:
    """Return a leaf; only leaves, or what is empty, stand beside one."""
    if not isinstance(leaf, int):
        raise TypeError("sets that meet each other are made for the same size")
    return leaf


def _members(tree: Tree, height: int, first: int) -> Iterator[int]:
    if isinstance(tree, int):
        yield from (first + number for number in bits(tree))
        return
    step = LEAF + FAN * (height - 1)
    for index, part in enumerate(tree):
        if part:
            yield from _members(part, height - 1, first + (index << step))
