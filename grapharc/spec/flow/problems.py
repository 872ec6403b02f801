"""What is wrong with the flow of a graph, as data: each problem names its nodes and edges, and what proves it.

Edges are indexes into the graph's edges. A way is the names of nodes, one after the other. Choices are outcomes that
together show the problem: a run in which these nodes end so.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from grapharc.spec.flow.arcs import Turn
from grapharc.spec.linked import Form


class Choice(NamedTuple):
    """A node's outcome; ``edge`` is that of an arm or an error edge, else -1."""

    node: str
    form: Form
    edge: int
    turn: Turn


class NoEntry(NamedTuple):
    """No edge leaves the start."""


class Unreachable(NamedTuple):
    """No way leads from the start to a node."""

    node: str


class ImpliedEnd(NamedTuple):
    """A node that can succeed has no edge to take then, so its path ends without saying so."""

    node: str


class SelfLoop(NamedTuple):
    """An edge leads from a node to itself and is no loop."""

    node: str
    edge: int


class Cycle(NamedTuple):
    """Edges that are no loops lead round in a circle; ``way`` begins and ends with the same node.

    If ``closes``, every way to the circle leads to that node first, so that the last edge could go back in a loop.
    """

    way: tuple[str, ...]
    edges: tuple[int, ...]
    closes: bool


class ExhaustedIntoBody(NamedTuple):
    """When its rounds are used up, the loop of ``edge`` leads to a node that lies in it."""

    header: str
    target: str
    edge: int


class LoopOnForwardEdge(NamedTuple):
    """An edge with a loop leads to a node from which no way leads to its source, so that it goes back to nothing."""

    source: str
    target: str
    edge: int


class IrreducibleLoop(NamedTuple):
    """An edge with a loop leads to a node that does not dominate its source: ``way`` reaches the source without it."""

    header: str
    source: str
    edge: int
    way: tuple[str, ...]


class UnorderedWriters(NamedTuple):
    """Two nodes that can run in one run, neither after the other, write one field of which only the last value stays.

    ``fork`` is where their ways part.
    """

    field: str
    first: str
    second: str
    fork: str


class UnorderedAccess(NamedTuple):
    """A node writes what another reads, neither after the other; ``fork`` is where their ways part."""

    field: str
    writer: str
    reader: str
    fork: str


class ReadBeforeWrite(NamedTuple):
    """On ``way`` to a node nobody has written a field that it reads and that has no value from the start.

    Of a long way only the last nodes are told.
    """

    field: str
    node: str
    way: tuple[str, ...]


class OutputNotWritten(NamedTuple):
    """On ``way`` to an end nobody has written an output that has no value from the start.

    Of very many outputs some have no way.
    """

    field: str
    way: tuple[str, ...]


class JoinMayNeverFire(NamedTuple):
    """A node waits for edges that do not all happen: with ``choices``, ``arrives`` does and ``missing`` does not."""

    node: str
    arrives: int
    missing: int
    choices: tuple[Choice, ...]


class JoinUndecidable(NamedTuple):
    """Some edges into a node exclude each other and some do not, in no order of alternatives and companions.

    With ``choices`` the first two of ``edges`` happen.
    """

    node: str
    edges: tuple[int, ...]
    choices: tuple[Choice, ...]


class LoopLeaks(NamedTuple):
    """A round of the loop takes both edges, each of which goes back or leaves, with ``choices``.

    ``sources`` are the nodes that they leave; where a path just ends there is no edge, and -1.
    """

    header: str
    first: int
    second: int
    sources: tuple[str, str]
    choices: tuple[Choice, ...]


Problem: TypeAlias = (
    NoEntry
    | Unreachable
    | ImpliedEnd
    | SelfLoop
    | Cycle
    | ExhaustedIntoBody
    | LoopOnForwardEdge
    | IrreducibleLoop
    | UnorderedWriters
    | UnorderedAccess
    | ReadBeforeWrite
    | OutputNotWritten
    | JoinMayNeverFire
    | JoinUndecidable
    | LoopLeaks
)
