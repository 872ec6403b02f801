"""Arcs into one node in; the tree of what the node waits for out.

Arcs that exclude each other are alternatives, all others are waited for, nested to any depth: several components of the
exclusion relation are an all-of, else several components of its complement are an any-of (FORMATS: one-of), else nobody
can tell what to wait for. Where the ways to the arcs part for good, the relation is that of the parting for all pairs,
so that the tree follows the tree of dominators; only where ways meet again behind a choice are pairs looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from grapharc.spec.flow.forks import NONE
from grapharc.spec.flow.growing import Tree, all_of, any_of, leaf
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Coming, Undecidable

_Part: TypeAlias = "tuple[Tree, int, frozenset[int] | None]"
"""A tree, all points that lead to its arcs as a bit set, and the forks that are open at one of them."""

LIMIT = 200
"""Of more arcs that meet without structure nobody computes all pairs: they are undecidable."""


def wait_tree(comings: Sequence[Coming], together: Together) -> Tree:
    """Build the tree of one arc or more."""
    leaves = [leaf(coming) for coming in comings]
    if not together.points.branches:
        return all_of(leaves)
    if not together.points.forks:
        return any_of(leaves)
    return _by_partings(leaves, together)


def _by_partings(leaves: Sequence[Tree], together: Together) -> Tree:
    """Go through the arcs from left to right in the tree of dominators, and close each parting once it is passed."""
    tree = together.tree
    ordered = sorted(leaves, key=lambda one: (one.comings[0].point, one.comings[0].arc))
    open_groups: list[tuple[int, list[_Part]]] = []
    for begun in ordered:
        point = begun.comings[0].point
        while open_groups and not tree.dominates(open_groups[-1][0], point):
            last, parts = open_groups.pop()
            closed = _close(last, parts, together)
            parting = tree.common(last, point)
            if open_groups and tree.dominates(parting, open_groups[-1][0]):
                open_groups[-1][1].append(closed)
            else:
                open_groups.append((parting, [closed]))
        part = begun, together.above[point], together.forks.open[point]
        if open_groups and open_groups[-1][0] == point:
            open_groups[-1][1].append(part)
        else:
            open_groups.append((point, [part]))
    while len(open_groups) > 1:
        last, parts = open_groups.pop()
        open_groups[-1][1].append(_close(last, parts, together))
    return _close(*open_groups[0], together)[0]


def _close(parting: int, parts: list[_Part], together: Together) -> _Part:
    if len(parts) == 1:
        return parts[0]
    trees = [tree for tree, _, _ in parts]
    above = 0
    opened: frozenset[int] | None = NONE
    for _, mine, forks in parts:
        above |= mine
        opened = None if opened is None or forks is None else opened | forks
    if not together.points.chooses[parting]:
        return all_of(trees), above, opened
    if together.forks.may_lead_apart(parting, [mine for _, mine, _ in parts], opened):
        groups = [[coming.point for coming in tree.comings] for tree in trees]
        if together.forks.leads_apart(parting, groups):
            comings = [coming for tree in trees for coming in tree.comings]
            return _by_pairs(comings, together), above, opened
    return any_of(trees), above, opened


def _by_pairs(comings: Sequence[Coming], together: Together) -> Tree:
    if len(comings) > LIMIT:
        return _undecidable(comings)
    excluded = {
        (one.arc, other.arc)
        for index, one in enumerate(comings)
        for other in comings[:index]
        if not together.happen(one.point, other.point)
    }

    def excludes(one: Coming, other: Coming) -> bool:
        return (one.arc, other.arc) in excluded or (other.arc, one.arc) in excluded

    return _cotree(sorted(comings), excludes)


def _cotree(comings: Sequence[Coming], excludes: Callable[[Coming, Coming], bool]) -> Tree:
    """Take the relation apart; it is never deeper than LIMIT."""
    if len(comings) == 1:
        return leaf(comings[0])
    companions = _components(comings, excludes)
    if len(companions) > 1:
        return all_of([_cotree(part, excludes) for part in companions])
    alternatives = _components(comings, lambda one, other: not excludes(one, other))
    if len(alternatives) > 1:
        return any_of([_cotree(part, excludes) for part in alternatives])
    return _undecidable(comings)


def _undecidable(comings: Sequence[Coming]) -> Tree:
    tree = all_of([leaf(coming) for coming in comings])
    tree.faults = [Undecidable(tuple(sorted(coming.arc for coming in comings)))]
    return tree


def _components(comings: Sequence[Coming], related: Callable[[Coming, Coming], bool]) -> list[list[Coming]]:
    rest = list(comings)
    found: list[list[Coming]] = []
    while rest:
        part = [rest.pop(0)]
        for member in part:
            near = [other for other in rest if related(member, other)]
            rest = [other for other in rest if other not in near]
            part.extend(near)
        found.append(sorted(part))
    return found
