"""What a flow graph is: numbered nodes, the outcomes of each, and the arcs that each outcome takes.

A node's run has one outcome: an arm, or all its unconditional edges together, or its error edge. An outcome with an
edge that goes back is two: *again* takes that edge, *exhausted* takes an arc to where the used up loop leads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END, Form

Turn: TypeAlias = Literal["", "again", "exhausted"]


class Rounds(NamedTuple):
    """What an edge that goes back says of its loop."""

    max_rounds: int
    exhausted: str = END
    progress: tuple[str, ...] = ()


class Arrow(NamedTuple):
    """One edge as it is written; ``edge`` is its index in the document's order."""

    source: str
    target: str
    form: Form = "always"
    rounds: Rounds | None = None
    edge: int = -1


class Outcome(NamedTuple):
    """One way in which a node's run may end; ``edge`` is that of an arm or an error edge, else -1."""

    node: int
    form: Form
    edge: int
    turn: Turn


class Arc(NamedTuple):
    """One edge as one outcome takes it. ``back`` arcs go to a header, ``exhausted`` ones stand in no document."""

    source: int
    target: int
    outcome: int
    back: bool
    exhausted: bool
    edge: int


@frozen
class FlowGraph:
    """Nodes are numbers: 0 is the start, the last is the end, between them the names in their order.

    ``leaving`` and ``entering`` hold the arcs of each node without those of *again* outcomes; the edges that go back
    are in ``returning``, by their target.
    """

    names: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    arcs: tuple[Arc, ...]
    outcomes_of: Sequence[Sequence[int]]
    arcs_of: Sequence[Sequence[int]]
    leaving: Sequence[Sequence[int]]
    entering: Sequence[Sequence[int]]
    returning: Mapping[int, tuple[int, ...]]
    rounds: Mapping[int, Rounds]
    failing: frozenset[int]
    """Nodes that cannot succeed: an error edge is their only outcome, and without one they have none. A map is none of
    them: it succeeds without items, or when its failures are collected."""
    circular: tuple[Arrow, ...]
    """Edges from a node to itself that are no loops; they are no arcs."""
    loose: frozenset[int]
    """Nodes into which an edge leads whose source nobody knows."""
    dangling: bool
    """An edge leads to where nobody knows."""

    @property
    def end(self) -> int:
        """The number of the end."""
        return len(self.names) - 1
