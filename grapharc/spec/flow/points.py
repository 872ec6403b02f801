"""Nodes in order in; points, of which a run takes all ways on or chooses one, out.

A point is a node, or one outcome of a node that has several. After a point that chooses, one of the next points
happens; after any other, all of them. Which point happens is then a question of reachability along what was chosen, as
long as every join gets all that it waits for. Edges that go back are left out: a round that goes back ends where one
that is used up ends, so that the outcomes left over say all there is to say of one round, and of what follows a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import count
from operator import ne

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.dominators import Dominators, dominators
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.reach import bit_set
from grapharc.spec.frozen import frozen


@frozen(slots=False)
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
    of_node: Sequence[int]
    of_outcome: Sequence[int]
    forks: int
    """The points that take two arcs or more together, as a bit set."""
    branches: bool
    """Whether any point chooses."""

    @cached_property
    def after(self) -> Sequence[Sequence[int]]:
        """The points that come next after each."""
        after: list[list[int]] = [[] for _ in self.node]
        for point, near in enumerate(self.before):
            for other in near:
                after[other].append(point)
        return after


def points(graph: FlowGraph, order: Order) -> tuple[Points, Dominators]:
    """Number the points, find what comes before each, and who dominates whom."""
    draft = _Draft(graph)
    for node in order.nodes:
        draft.add(node)
    tree = dominators(draft.before)
    ranks = tree.ranks()
    if any(map(ne, ranks, count())):
        tree = draft.renumber(ranks, tree)
    forking = (draft.of_outcome[outcome] for outcome in graph.arcs_of.more)
    chooses = bytearray(len(draft.node))
    for point in draft.choosing:
        chooses[point] = 1
    found = Points(
        node=draft.node,
        outcome=draft.outcome,
        chooses=chooses,
        before=draft.before,
        of_node=draft.of_node,
        of_outcome=draft.of_outcome,
        forks=bit_set(point for point in forking if point >= 0),
        branches=bool(draft.choosing),
    )
    return found, tree


class _Draft:
    """The lists of points while they grow."""

    def __init__(self, graph: FlowGraph) -> None:
        self.graph = graph
        self.node: list[int] = []
        self.outcome: list[int] = []
        self.choosing: list[int] = []
        self.before: list[tuple[int, ...]] = []
        self.of_node = [-1] * len(graph.names)
        self.of_outcome = [-1] * len(graph.outcomes)

    def add(self, node: int) -> None:
        """Add the point of a node, and one for each outcome if it has several; all that leads to it was added before.

        Sources that cannot be reached were left out of the order, and have no point.
        """
        graph, of_outcome = self.graph, self.of_outcome
        arc, outcome = graph.entering.one[node], graph.outcomes_of.one[node]
        point = self.of_node[node] = len(self.node)
        self.node.append(node)
        self.outcome.append(outcome)
        if arc >= 0:
            source = of_outcome[graph.arcs.outcome[arc]]
            self.before.append((source,) if source >= 0 else ())
        else:
            sources = [of_outcome[graph.arcs.outcome[one]] for one in graph.entering.more.get(node, ())]
            self.before.append(tuple([source for source in sources if source >= 0]))
        if outcome >= 0:
            of_outcome[outcome] = point
        elif node in graph.outcomes_of.more:
            self._part(node, point)

    def _part(self, node: int, point: int) -> None:
        """Add a point for each outcome that is not to go round again; where one is left, it is the node's own."""
        mine = [one for one in self.graph.outcomes_of[node] if self.graph.outcomes.turn[one] != "again"]
        if len(mine) == 1:
            self.outcome[point], self.of_outcome[mine[0]] = mine[0], point
            return
        self.choosing.append(point)
        for outcome in mine:
            self.of_outcome[outcome] = len(self.node)
            self.node.append(node)
            self.outcome.append(outcome)
            self.before.append((point,))

    def renumber(self, ranks: Sequence[int], tree: Dominators) -> Dominators:
        """Put the points into another order, in which too all that leads to one comes first, and the tree with them."""
        olds = [0] * len(ranks)
        for old, rank in enumerate(ranks):
            olds[rank] = old
        self.node = [self.node[old] for old in olds]
        self.outcome = [self.outcome[old] for old in olds]
        self.choosing = [ranks[point] for point in self.choosing]
        self.before = [tuple([ranks[other] for other in self.before[old]]) for old in olds]
        self.of_node = [ranks[point] if point >= 0 else -1 for point in self.of_node]
        self.of_outcome = [ranks[point] if point >= 0 else -1 for point in self.of_outcome]
        return tree.renumbered(ranks, olds)
