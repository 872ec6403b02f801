"""The words in which it is asked and told where data goes: what is asked for, the cells it is in, how it came there."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.flow.traffic import Written
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
