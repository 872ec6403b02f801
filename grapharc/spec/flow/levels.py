"""Loops in; the graph taken apart into levels, in each of which the loops inside are single items, out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.dominators import Dominators, dominators
from grapharc.spec.flow.loops import Loops
from grapharc.spec.flow.order import Order
from grapharc.spec.frozen import frozen


@frozen(slots=False)
class Levels:
    """A level is named by its loop's header, the outermost by -1. Edges that go back belong to none."""

    graph: FlowGraph
    order: Order
    loops: Loops

    @cached_property
    def inward(self) -> tuple[int, ...]:
        """All levels, the outermost first, each before those inside it."""
        return (-1, *self.loops.by_header)

    @cached_property
    def nodes(self) -> Mapping[int, Sequence[int]]:
        """For each level its nodes, in their order; a loop inside it stands where its header does, by its header."""
        found: dict[int, list[int]] = {level: [] for level in self.inward}
        for node in self.order.nodes:
            header = self.loops.inside[node]
            found[header].append(node)
            if header == node:
                found[self.loops.by_header[header].parent].append(node)
        return found

    def of_target(self, target: int) -> int:
        """Give the level in which an arc arrives: to a header, that of the loop around its own."""
        header = self.loops.inside[target]
        return self.loops.by_header[header].parent if header == target else header

    def item(self, node: int, level: int) -> int:
        """Give the header of the loop of a level that a node lies in, or -1 if the node itself is of that level."""
        header = self.loops.inside[node]
        if header == level:
            return -1
        depth = 0 if level < 0 else self.loops.by_header[level].depth
        return self.inward[self._tree.towards(self._number[header], depth + 1)]

    def ways_out(self, dooms: Callable[[int], bool] | None = None) -> Mapping[int, Sequence[tuple[int, int]]]:
        """For each loop the outcomes and arcs that leave it; a path that just ends leaves by arc -1.

        Of a loop inside that leaves both, one way stands for all: outside they exclude each other, and last as long.
        Outcomes that are doomed may be left out.
        """
        found: dict[int, list[tuple[int, int]]] = {header: [] for header in self.loops.by_header}
        outmost: dict[int, tuple[int, int, int]] = {}
        for node in self.order.nodes if found else ():
            header = self.loops.inside[node]
            for outcome, arc in self._taken(node) if header >= 0 else ():
                depth = self._kept(node, arc)
                if depth < self.loops.by_header[header].depth and not (dooms and dooms(outcome)):
                    found[header].append((outcome, arc))
                    outmost[header] = min(outmost.get(header, (depth, outcome, arc)), (depth, outcome, arc))
        for header in reversed(tuple(found)):
            loop = self.loops.by_header[header]
            if header in outmost and outmost[header][0] < loop.depth - 1:
                found[loop.parent].append(outmost[header][1:])
                outmost[loop.parent] = min(outmost.get(loop.parent, outmost[header]), outmost[header])
        return found

    @cached_property
    def onward(self) -> Mapping[int, Sequence[int]]:
        """For each loop the arcs that lead from it, or from a loop in it, to the level around it."""
        found: dict[int, list[int]] = {header: [] for header in self.loops.by_header}
        for node in self.order.nodes if found else ():
            for _, arc in self._taken(node) if self.loops.inside[node] >= 0 else ():
                target = self.graph.arcs.target[arc]
                if arc < 0 or self.order.place[target] < 0:
                    continue
                level = self.of_target(target)
                item = self.item(node, level)
                if item >= 0 and self.loops.inside[node] != level:
                    found[item].append(arc)
        return found

    def _taken(self, node: int) -> Iterable[tuple[int, int]]:
        for outcome in self.graph.outcomes_of[node]:
            if self.graph.outcomes.turn[outcome] != "again":
                yield from ((outcome, arc) for arc in self.graph.arcs_of[outcome] or (-1,))

    def _kept(self, node: int, arc: int) -> int:
        """How many of the loops around a node an arc does not leave."""
        target = self.loops.inside[self.graph.arcs.target[arc]] if arc >= 0 else -1
        return self._tree.depth[self._tree.common(self._number[self.loops.inside[node]], self._number[target])]

    @cached_property
    def _number(self) -> Mapping[int, int]:
        return {level: number for number, level in enumerate(self.inward)}

    @cached_property
    def _tree(self) -> Dominators:
        parents = (self._number[loop.parent] for loop in self.loops.by_header.values())
        return dominators([[], *([parent] for parent in parents)])
