"""What a flow graph is: numbered nodes, the outcomes of each, and the arcs that each outcome takes.

A node's run has one outcome: an arm, or all its unconditional edges together, or its error edge. An outcome with an
edge that goes back is two: *again* takes that edge, *exhausted* takes an arc to where the used up loop leads.

Outcomes and arcs are kept as columns, since a graph may have very many: ``arcs.target[arc]`` is a number in a list,
``arcs[arc]`` a value that is made for whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.frozen import field, frozen
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
class Outcomes:
    """All outcomes as columns."""

    node: list[int] = field(default_factory=list[int])
    form: list[Form] = field(default_factory=list[Form])
    edge: list[int] = field(default_factory=list[int])
    turn: list[Turn] = field(default_factory=list[Turn])

    def __len__(self) -> int:
        return len(self.node)

    def __getitem__(self, outcome: int) -> Outcome:
        return Outcome(self.node[outcome], self.form[outcome], self.edge[outcome], self.turn[outcome])

    def __iter__(self) -> Iterator[Outcome]:
        return map(Outcome, self.node, self.form, self.edge, self.turn)


@frozen
class Arcs:
    """All arcs as columns; ``back`` and ``exhausted`` are those that are so, since few are."""

    source: list[int] = field(default_factory=list[int])
    target: list[int] = field(default_factory=list[int])
    outcome: list[int] = field(default_factory=list[int])
    edge: list[int] = field(default_factory=list[int])
    back: set[int] = field(default_factory=set[int])
    exhausted: set[int] = field(default_factory=set[int])

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, arc: int) -> Arc:
        found = self.source[arc], self.target[arc], self.outcome[arc]
        return Arc(*found, arc in self.back, arc in self.exhausted, self.edge[arc])

    def __iter__(self) -> Iterator[Arc]:
        return (self[arc] for arc in range(len(self)))


@frozen
class Adjacency:
    """Some numbers for each number from 0 on. Most have one, which stands in ``one`` without a list of its own.

    Of none and of several -1 stands there; several are in ``more``, in their order.
    """

    one: list[int]
    more: dict[int, Sequence[int]] = field(default_factory=dict[int, Sequence[int]])

    def __getitem__(self, item: int) -> Sequence[int]:
        only = self.one[item]
        return (only,) if only >= 0 else self.more.get(item, ())

    def put(self, item: int, members: Sequence[int]) -> None:
        """Say which ones belong to a number."""
        self.one[item] = members[0] if len(members) == 1 else -1
        if len(members) > 1:
            self.more[item] = members


@frozen
class FlowGraph:
    """Nodes are numbers: 0 is the start, the last is the end, between them the names in their order.

    ``leaving`` and ``entering`` hold the arcs of each node without those of *again* outcomes; the edges that go back
    are in ``returning``, by their target.
    """

    names: tuple[str, ...]
    outcomes: Outcomes
    arcs: Arcs
    outcomes_of: Adjacency
    arcs_of: Adjacency
    leaving: Adjacency
    entering: Adjacency
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
