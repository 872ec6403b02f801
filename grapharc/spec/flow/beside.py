"""A copy of a graph and one of its nodes in; the nodes of the copy that may be running beside it, out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.flow.shared import Shared
from grapharc.spec.flow.unfolded import Copy


def beside(copy: Copy, node: int, among: Shared) -> Iterable[int]:
    """List those of some nodes that neither come before nor after a node, and can run in one run with it.

    Where the control flow makes no sense every unordered node counts.
    """
    control, layout = copy.flow.control, copy.layout
    unordered = among - layout.after[node]
    if not unordered:
        return
    sound = not (control.graph.dangling or control.graph.loose or control.order.stuck)
    together = control.together if sound else None
    if together is not None and not together.points.forks:
        return
    number = {name: index for index, name in enumerate(control.graph.names)}
    mine = -1 if together is None else together.points.of_node[number[layout.names[node]]]
    for other in unordered:
        if node in layout.after[other]:
            continue
        if together is not None:
            theirs = together.points.of_node[number[layout.names[other]]]
            if mine < 0 or theirs < 0 or not together.happen(mine, theirs):
                continue
        yield other
