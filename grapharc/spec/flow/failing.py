"""Points in; which of them can only fail, and the joins that would not work if the run did not fail, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Unequal, Wait, Waits, all_ofs
from grapharc.spec.flow.witness import one_differs


def doomed(graph: FlowGraph, points: Points, unsure: Collection[int] = ()) -> bytearray:
    """Mark the points after which the run fails whatever is chosen then: no join waits for them, they owe no output.

    ``unsure`` are points that need not happen when something that leads to them does.
    """
    marks = bytearray(len(points.node))
    if not graph.failing:
        return marks
    for point in range(len(points.node) - 1, -1, -1):
        after = points.after[point]
        if points.chooses[point]:
            marks[point] = all(marks[near] for near in after)
        else:
            fails = points.outcome[point] < 0 and points.node[point] in graph.failing
            marks[point] = fails or any(marks[near] for near in after)
        if point in unsure:
            marks[point] = 0
    return marks


def doubtful_joins(points: Points, entries: Waits, dooms: bytearray) -> Mapping[int, int]:
    """Give the doomed joins of which all that they wait for need not come, by their points."""
    if not any(dooms):
        return {}
    joins = {points.of_node[node]: node for node, wait in entries.trees.items() if any(True for _ in all_ofs(wait))}
    return {point: node for point, node in joins.items() if dooms[point]}


def failing_joins(
    graph: FlowGraph, together: Together, entries: Mapping[int, Wait], firm: bytearray
) -> Iterable[tuple[int, Unequal]]:
    """Check joins after which the run fails: no run without a failure gets to them, so that their guards are all alike.

    That they fail themselves is no reason why their arcs need not all come, so ``firm`` leaves that out of account.
    """
    for node, wait in entries.items():
        for one, other in (pair for part in all_ofs(wait) for pair in pairwise(part.parts)):
            if one_differs(graph, together, together.points.of_node[node], one, other, firm) is not None:
                yield node, Unequal(one, other)
                break
