"""A flow graph in; its order, points, loops, wait trees and steps, and what is wrong with them, out.

This is what the edges alone say, whatever the nodes do. Everything is computed once, when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.cycles import cycles
from grapharc.spec.flow.joins import Joins, joins
from grapharc.spec.flow.levels import Levels
from grapharc.spec.flow.loops import Loops, loops, no_loops, reentries
from grapharc.spec.flow.order import Order, order
from grapharc.spec.flow.points import points
from grapharc.spec.flow.problems import (
    ExhaustedIntoBody,
    ImpliedEnd,
    JoinMayNeverFire,
    JoinUndecidable,
    LoopLeaks,
    NoEntry,
    Problem,
    SelfLoop,
    Unreachable,
)
from grapharc.spec.flow.steps import steps
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Undecidable, Unequal, arrivals
from grapharc.spec.flow.witness import both, one_differs
from grapharc.spec.frozen import frozen


@frozen(slots=False)
class Control:
    """What is known of the control flow of a graph."""

    graph: FlowGraph

    @cached_property
    def order(self) -> Order:
        """The nodes that can run, each after all that lead to it."""
        return order(self.graph)

    @cached_property
    def together(self) -> Together:
        """Which points can happen in one run."""
        return Together(*points(self.graph, self.order))

    @cached_property
    def loops(self) -> Loops:
        """The loops, and how they nest."""
        return self._loops[0]

    @cached_property
    def levels(self) -> Levels:
        """The graph outside its loops, and each loop by itself."""
        return Levels(self.graph, self.order, self.loops)

    @cached_property
    def joins(self) -> Joins:
        """What each node waits for."""
        return joins(self.graph, self.order, self.together, self.levels, self.tainted)

    @cached_property
    def steps(self) -> int:
        """The supersteps of the longest run, hidden ones included; of what has an order, where some has none."""
        return steps(self.graph, self.joins.entries, self.levels)

    @cached_property
    def tainted(self) -> bytearray:
        """Marks the points about which nothing follows: some way to them comes from where nothing is known."""
        found = self.together.points
        marks = bytearray(len(found.node))
        wrong = {self.graph.arcs.target[arc] for arc in self._loops[1]}
        wrong |= {self.graph.names.index(problem.header) for problem in self._reentries}
        if not wrong and not self.order.orphans:
            return marks
        for point, before in enumerate(found.before):
            marks[point] = found.node[point] in self.order.orphans or found.node[point] in wrong
            marks[point] |= any(marks[near] for near in before)
        return marks

    @cached_property
    def _loops(self) -> tuple[Loops, tuple[int, ...]]:
        return loops(self.graph, self.order, self.together.points, self.together.tree)

    @cached_property
    def _reentries(self) -> tuple[ExhaustedIntoBody, ...]:
        return tuple(reentries(self.graph, self.loops))

    def problems(self) -> Iterable[Problem]:
        """Yield what is wrong, and nothing that merely follows from something else that is."""
        names = self.graph.names
        yield from self._unreached()
        yield from (SelfLoop(arrow.source, arrow.edge) for arrow in self.graph.circular)
        yield from (ImpliedEnd(names[node]) for node in self._implied_ends())
        yield from cycles(self.graph, self.order.stuck)
        yield from no_loops(self.graph, self._loops[1], self.together)
        yield from self._reentries
        if self.graph.dangling or self.graph.loose:
            return
        for node, fault in self.joins.broken.items():
            yield self._join(node, fault)
        for header, (one, other) in self.joins.leaking.items():
            since = self.together.points.of_node[header]
            found = both(self.graph, self.together, since, self._point(one), self._point(other))
            sources = names[self._source(one)], names[self._source(other)]
            yield LoopLeaks(names[header], self._edge(one), self._edge(other), sources, found)

    def _unreached(self) -> Iterable[NoEntry | Unreachable]:
        graph = self.graph
        if graph.dangling or graph.end == 1:
            return
        if not graph.leaving[0] and not graph.loose:
            yield NoEntry()
            return
        for node in range(1, graph.end):
            if not self.order.reachable[node]:
                yield Unreachable(graph.names[node])

    def _implied_ends(self) -> Iterable[int]:
        graph = self.graph
        circular = {arrow.source for arrow in graph.circular}
        if graph.dangling:
            return
        arcs, turn = graph.arcs_of, graph.outcomes.turn
        ending = [outcome for outcome, arc in enumerate(arcs.one) if arc < 0 and outcome not in arcs.more]
        nodes = {graph.outcomes.node[outcome] for outcome in ending if turn[outcome] != "exhausted"}
        for node in sorted(nodes - {0}):
            if self.order.reachable[node] and graph.names[node] not in circular:
                yield node

    def _join(self, node: int, fault: Unequal | Undecidable) -> Problem:
        graph, together = self.graph, self.together
        if isinstance(fault, Undecidable):
            return self._undecidable(node, fault.arcs)
        point = together.points.of_node[node]
        found = one_differs(graph, together, point, fault.one, fault.other, self.joins.doomed)
        found = found or one_differs(graph, together, point, fault.one, fault.other, self.joins.firm)
        assert found is not None, "guards that differ do so under some outcomes"  # noqa: S101
        arriving, missing = (fault.one, fault.other) if found.first_comes else (fault.other, fault.one)
        arrives = next(arc for arc in arrivals(arriving) if self._point(arc) == found.point)
        lacks = next(iter(arrivals(missing)))
        return JoinMayNeverFire(graph.names[node], self._edge(arrives), self._edge(lacks), found.choices)

    def _undecidable(self, node: int, arcs: Sequence[int]) -> Problem:
        """Name the edges, two that happen together first."""
        together = self.together
        pairs = ((one, other) for index, other in enumerate(arcs) for one in arcs[:index])
        pair = next(pair for pair in pairs if together.happen(self._point(pair[0]), self._point(pair[1])))
        edges = tuple(dict.fromkeys(self._edge(arc) for arc in (*pair, *arcs)))
        since = together.tree.parent[together.points.of_node[node]]
        found = both(self.graph, together, since, self._point(pair[0]), self._point(pair[1]))
        return JoinUndecidable(self.graph.names[node], edges, found)

    def _point(self, arc: int) -> int:
        outcome = self.graph.arcs.outcome[arc] if arc >= 0 else ~arc
        return self.together.points.of_outcome[outcome]

    def _edge(self, arc: int) -> int:
        return self.graph.arcs.edge[arc] if arc >= 0 else -1

    def _source(self, arc: int) -> int:
        return self.graph.arcs.source[arc] if arc >= 0 else self.graph.outcomes.node[~arc]
