"""Nodes in order in; points, of which a run takes all ways on or chooses one, out.

A point is a node, or one outcome of a node that has several. After a point that chooses, one of the next points
happens; after any other, all of them. Which point happens is then a question of reachability along what was chosen, as
long as every join gets all that it waits for. Edges that go back are left out: a round that goes back ends where one
that is used up ends, so that the outcomes left over say all there is to say of one round, and of what follows a loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.dominators import Dominators, dominators
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.reach import bit_set
from grapharc.spec.frozen import frozen


@frozen
class Points:
    """Points are numbered so that all that lead to one have lower numbers, and all that one dominates follow it without
    a gap; 0 is the start.

    ``of_outcome`` is the point from which an outcome's arcs leave; of *again* outcomes it is -1.
    """

    node: Sequence[int]
    outcome: Sequence[int]
    """The outcome that the point stands for; -1 for a point that chooses, or that nothing follows."""
    chooses: bytearray
    before: Sequence[Sequence[int]]
    after: Sequence[Sequence[int]]
    of_node: Sequence[int]
    of_outcome: Sequence[int]
    forks: int
    """The points that take two arcs or more together, as a bit set."""
    branches: bool
    """Whether any point chooses."""


def points(graph: FlowGraph, order: Order) -> tuple[Points, Dominators]:
    """Number the points, find what comes before and after each, and who dominates whom."""
    outcomes, arcs = graph.outcomes, graph.arcs
    draft = _Draft(len(graph.names), len(outcomes))
    for node in order.nodes:
        mine = [outcome for outcome in graph.outcomes_of[node] if outcomes[outcome].turn != "again"]
        # Sources that cannot be reached were left out of the order, and have no point.
        before = [draft.of_outcome[arcs[arc].outcome] for arc in graph.entering[node]]
        draft.add(node, mine, tuple([point for point in before if point >= 0]))
    tree = dominators(draft.before)
    if draft.renumber(tree.ranks()):
        tree = dominators(draft.before)
    after: list[list[int]] = [[] for _ in draft.node]
    for point, near in enumerate(draft.before):
        for other in near:
            after[other].append(point)
    taken = [len(graph.arcs_of[outcome]) if outcome >= 0 else 0 for outcome in draft.outcome]
    found = Points(
        node=draft.node,
        outcome=draft.outcome,
        chooses=draft.chooses,
        before=draft.before,
        after=after,
        of_node=draft.of_node,
        of_outcome=draft.of_outcome,
        forks=bit_set(point for point, arcs in enumerate(taken) if arcs > 1),
        branches=any(draft.chooses),
    )
    return found, tree


class _Draft:
    """The lists of points while they grow."""

    def __init__(self, nodes: int, outcomes: int) -> None:
        self.node: list[int] = []
        self.outcome: list[int] = []
        self.chooses = bytearray()
        self.before: list[tuple[int, ...]] = []
        self.of_node = [-1] * nodes
        self.of_outcome = [-1] * outcomes

    def add(self, node: int, outcomes: Sequence[int], before: tuple[int, ...]) -> None:
        point = len(self.node)
        self.of_node[node] = point
        single = outcomes[0] if len(outcomes) == 1 else -1
        self._append(node, single, len(outcomes) > 1, before)
        if single >= 0:
            self.of_outcome[single] = point
            return
        for outcome in outcomes:
            self.of_outcome[outcome] = len(self.node)
            self._append(node, outcome, False, (point,))

    def _append(self, node: int, outcome: int, chooses: bool, before: tuple[int, ...]) -> None:
        self.node.append(node)
        self.outcome.append(outcome)
        self.chooses.append(chooses)
        self.before.append(before)

    def renumber(self, ranks: Sequence[int]) -> bool:
        """Put the points into another order, in which too all that leads to one comes first; False if it is theirs."""
        if list(ranks) == list(range(len(ranks))):
            return False
        olds = sorted(range(len(ranks)), key=ranks.__getitem__)
        self.node = [self.node[old] for old in olds]
        self.outcome = [self.outcome[old] for old in olds]
        self.chooses = bytearray(self.chooses[old] for old in olds)
        self.before = [tuple([ranks[other] for other in self.before[old]]) for old in olds]
        self.of_node = [ranks[point] if point >= 0 else -1 for point in self.of_node]
        self.of_outcome = [ranks[point] if point >= 0 else -1 for point in self.of_outcome]
        return True
