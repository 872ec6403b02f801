"""What is wrong with the flow of a graph, as data: each problem names its nodes and edges, and what proves it.

Edges are indexes into the graph's edges. A way is the names of nodes, one after the other. Choices are outcomes that
together show the problem: a run in which these nodes end so.
"""

from __future__ import annotations

from typing import TypeAlias

from grapharc.spec.flow.arcs import Turn
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Form


@frozen
class Choice:
    """A node's outcome; ``edge`` is that of an arm or an error edge, else -1."""

    node: str
    form: Form
    edge: int
    turn: Turn


@frozen
class NoEntry:
    """No edge leaves the start."""


@frozen
class Unreachable:
    """No way leads from the start to a node."""

    node: str


@frozen
class ImpliedEnd:
    """A node that can succeed has no edge to take then, so its path ends without saying so."""

    node: str


@frozen
class SelfLoop:
    """An edge leads from a node to itself and is no loop."""

    node: str
    edge: int


@frozen
class Cycle:
    """Edges that are no loops lead round in a circle; ``way`` begins and ends with the same node.

    If ``closes``, every way to the circle leads to that node first, so that the last edge could go back in a loop.
    """

    way: tuple[str, ...]
    edges: tuple[int, ...]
    closes: bool


@frozen
class ExhaustedIntoBody:
    """When its rounds are used up, the loop of ``edge`` leads to a node that lies in it."""

    header: str
    target: str
    edge: int


@frozen
class LoopOnForwardEdge:
    """An edge with a loop leads to a node from which no way leads to its source, so that it goes back to nothing."""

    source: str
    target: str
    edge: int


@frozen
class IrreducibleLoop:
    """An edge with a loop leads to a node that does not dominate its source: ``way`` reaches the source without it."""

    header: str
    source: str
    edge: int
    way: tuple[str, ...]


@frozen
class UnorderedWriters:
    """Two nodes that can run in one run, neither after the other, write one field of which only the last value stays.

    ``fork`` is where their ways part.
    """

    field: str
    first: str
    second: str
    fork: str


@frozen
class UnorderedAccess:
    """A node writes what another reads, neither after the other; ``fork`` is where their ways part."""

    field: str
    writer: str
    reader: str
    fork: str


@frozen
class ReadBeforeWrite:
    """On ``way`` to a node nobody has written a field that it reads and that has no value from the start.

    Of a long way only the last nodes are told.
    """

    field: str
    node: str
    way: tuple[str, ...]


@frozen
class OutputNotWritten:
    """On ``way`` to an end nobody has written an output that has no value from the start.

    Of very many outputs some have no way.
    """

    field: str
    way: tuple[str, ...]


@frozen
class JoinMayNeverFire:
    """A node waits for edges that do not all happen: with ``choices``, ``arrives`` does and ``missing`` does not."""

    node: str
    arrives: int
    missing: int
    choices: tuple[Choice, ...]


@frozen
class JoinUndecidable:
    """Some edges into a node exclude each other and some do not, in no order of alternatives and companions.

    With ``choices`` the first two of ``edges`` happen.
    """

    node: str
    edges: tuple[int, ...]
    choices: tuple[Choice, ...]


@frozen
class LoopLeaks:
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
