"""Wait trees and loops in; how many supersteps a run takes at most, out.

A node is one step. It starts after the last part of what it waits for, and one step later for each hidden merge: a
part of an all-of needs one unless it is an arc of a node that always takes it. A loop is (rounds - 1) times its longest
way back, plus its longest way out; to what lies outside it is one node.
"""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.flow.amounts import MOST
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.levels import Levels
from grapharc.spec.flow.waits import Wait, fold
from grapharc.spec.frozen import frozen


def decides(graph: FlowGraph, node: int) -> bool:
    """Tell whether a node has several outcomes: a branch, an error edge, an edge that goes back."""
    return len(graph.outcomes_of[node]) > 1


def steps(graph: FlowGraph, entries: Mapping[int, Wait], levels: Levels) -> int:
    """Count the supersteps of the longest run; beyond the largest integer of documents nobody counts."""
    ways_out = levels.ways_out()
    clock = _Clock(graph, entries, levels, [0] * len(graph.names), {}, {})
    for header in reversed(levels.inward[1:]):
        clock.run(header)
        loop = levels.loops.by_header[header]
        back = max(clock.finished(graph.arcs.source[arc], header) for arc in loop.back)
        out = max(clock.finished(graph.outcomes.node[outcome], header) for outcome, _ in ways_out[header])
        clock.length[header] = min((loop.rounds.max_rounds - 1) * back + out, MOST)
    clock.run(-1)
    return min(max(clock.finished(node, -1) for node in levels.nodes[-1]), MOST)


@frozen
class _Clock:
    """When nodes start, counted from the header of the loop around them, and how long loops take."""

    graph: FlowGraph
    entries: Mapping[int, Wait]
    levels: Levels
    start: list[int]
    entered: dict[int, int]
    length: dict[int, int]

    def run(self, level: int) -> None:
        """Set the clock for all nodes and loops that lie directly in one loop, or in none."""
        for node in self.levels.nodes[level]:
            if node == level or node not in self.entries:
                continue
            start = self.arrival(self.entries[node], level)
            if self.levels.loops.inside[node] == level:
                self.start[node] = start
            else:
                self.entered[node] = start

    def arrival(self, wait: Wait, level: int) -> int:
        """Say when all that is waited for has come; parts of an all-of that are no plain edges come one step later."""

        def leaf(arc: int) -> tuple[int, bool]:
            source = self.graph.arcs.source[arc]
            return self.finished(source, level), not decides(self.graph, source)

        return fold(wait, leaf, _every, _either)[0]

    def finished(self, node: int, level: int) -> int:
        """Say when a node, or the loop around it that lies in the given one, has ended."""
        header = self.levels.item(node, level)
        if header < 0:
            return self.start[node] + (node != 0)
        return self.entered[header] + self.length[header]


def _every(parts: list[tuple[int, bool]]) -> tuple[int, bool]:
    return max(time + (not plain) for time, plain in parts), False


def _either(parts: list[tuple[int, bool]]) -> tuple[int, bool]:
    return max(time for time, _ in parts), False
