"""The words in which it is asked and told where data goes: what is asked for, the cells it is in, how it came there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.flow.traffic import Written
from grapharc.spec.flow.unfolded import Unfolded
from grapharc.spec.frozen import frozen

What: TypeAlias = Literal[
    "in", "out", "past", "fail", "decide", "decide_failed", "outcome", "enters", "leaves", "field"
]
"""Data is in what a node was given, in its outputs, in those of them that say nothing of what has passed it, in its
failures, in what is decided after its success or failure, in whether it fails, in an input or an output of a copy, or
in a field from the moment it is written."""

By: TypeAlias = Literal["begins", "field", "files", "store", "decision", "outcome", "inside", "handed on"]
"""Data begins somewhere, comes by a field, by files, by a store, by a decision, into whether a node fails, into all of
a copy that it is given to, or is handed on by the node that it was given to."""


class Cell(NamedTuple):
    """One place for data; ``spot`` is a node, or the start of a copy."""

    what: What
    spot: int
    field: str = ""


class Come(NamedTuple):
    """How data came to a cell: from which other one, by what, by which field, and who wrote that.

    ``held`` says which decision holds back what was in the source; 0 is none. ``origin`` is where the data began,
    None where it does so here, ``last`` the last node before the cell, -1 without one, and ``length`` counts the steps.
    """

    held: int
    source: Cell | None
    by: By
    field: str = ""
    written: Written | None = None
    origin: Cell | None = None
    last: int = -1
    length: int = 0


class Arrival(NamedTuple):
    """Data has come to a target: the cell it came to, and how."""

    cell: Cell
    come: Come


@frozen
class Question:
    """Where data begins: by spots, by a field's label, or as an input of the run.

    ``via`` are the spots that stop what passes them, ``endorsing`` those that stop only what they are given. A field
    with ``label`` of its own begins data at each write.
    """

    sources: frozenset[int]
    via: frozenset[int] = frozenset()
    endorsing: frozenset[int] = frozenset()
    label: str = ""
    inputs: bool = False
    implicit: bool = True


@frozen
class Spread:
    """What data comes to, by the shortest way. A node that data must pass is no target itself."""

    graph: Unfolded
    via: frozenset[int]
    came: Sequence[Mapping[Cell, Come]]
    shown: Mapping[int, Come]
    """By node, the first decision by which data shows in whether it runs."""
    landed: Mapping[tuple[str, int], Arrival]
    """By a label, and by the last node on the way, the first write to a field that has the label."""

    def into(self, targets: Iterable[int]) -> Mapping[int, Arrival]:
        """Find the nodes among some that data comes to."""
        found: dict[int, Arrival] = {}
        for spot in sorted(set(targets).difference(self.via)):
            cell = Cell("in", spot)
            ways = [come for come in (self.came[0].get(cell), self.shown.get(spot)) if come is not None]
            if ways:
                found[spot] = Arrival(cell, min(ways, key=lambda come: come.length))
        return found

    def into_label(self, label: str) -> Mapping[int, Arrival]:
        """Find the fields with a label that data is written to, by the last node on the way to each."""
        landed = {spot: arrival for (known, spot), arrival in self.landed.items() if known == label}
        return {spot: arrival for spot, arrival in landed.items() if spot not in self.via}

    def out(self) -> Arrival | None:
        """Find the nearest output of the run that data comes to."""
        root = self.graph.root
        cells = (Cell("leaves", root.start, name) for name in sorted(root.traffic.outputs))
        found = [Arrival(cell, self.came[0][cell]) for cell in cells if cell in self.came[0]]
        return min(found, key=lambda arrival: arrival.come.length, default=None)

    def steps(self, arrival: Arrival) -> tuple[tuple[Cell, Come], ...]:
        """Return each step from where data began, with the cell that it leads to."""
        cell, come = arrival
        found = [(cell, come)]
        while come.source is not None:
            cell, come = come.source, self.came[come.held][come.source]
            found.append((cell, come))
        return tuple(reversed(found))
