"""What nodes wait for goes in; what LangGraph has to be told for that - edges, barriers, hidden merges, targets of
nodes that decide - comes out.

One of several is an edge from each: triggers are alternatives. All of several is one barrier, never more: from the
second round of a loop on, two would fire before all is there. What a node that decides leads to is told by the node
itself when it has run, so that it cannot stand in a barrier; neither can a part that is itself several. Both are
delivered to a hidden node first, at the price of a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from grapharc.compiler.names import hidden, step
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import END, START


@frozen
class Wiring:
    """What LangGraph is told, by its own names; ``goto`` are the nodes that an arc of a deciding node leads to."""

    edges: Sequence[tuple[str, str]]
    barriers: Sequence[tuple[Sequence[str], str]]
    merges: Sequence[str]
    goto: Mapping[int, Sequence[str]]


def wire(flow: Flow) -> Wiring:
    """Lower all wait trees of a graph."""
    draft = _Draft(flow)
    for name, wait in flow.waits.items():
        if name != END:
            draft.deliver(wait, step(name))
    return Wiring(draft.edges, draft.barriers, draft.merges, draft.goto)


@frozen
class _Draft:
    """A wiring while it grows."""

    flow: Flow
    edges: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    barriers: list[tuple[Sequence[str], str]] = field(default_factory=list[tuple[Sequence[str], str]])
    merges: list[str] = field(default_factory=list[str])
    goto: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    def deliver(self, whole: Wait, node: str) -> None:
        """Let a node run once what it waits for is there."""
        todo: list[tuple[Wait, str]] = [(whole, node)]
        for wait, target in todo:  # which grows on the way: a tree may be deeper than Python's stack
            match wait:
                case Arrival(arc):
                    self._arrive(arc, target)
                case AnyOf(parts):
                    todo += [(part, target) for part in parts]
                case AllOf(parts):
                    starts = [self._start(part, node, todo) for part in parts]
                    self._barrier(starts, target)
                case _:
                    assert_never(wait)

    def _arrive(self, arc: int, target: str) -> None:
        source = self.flow.source(arc)
        if source in self.flow.deciding:
            self.goto.setdefault(arc, []).append(target)
        else:
            self.edges.append((_step(source), target))

    def _start(self, part: Wait, node: str, todo: list[tuple[Wait, str]]) -> str:
        """Name what stands in a barrier for a part of what is waited for."""
        if isinstance(part, Arrival) and (source := self.flow.source(part.arc)) not in self.flow.deciding:
            return _step(source)
        merge = hidden("merge", node, str(len(self.merges)))
        self.merges.append(merge)
        todo.append((part, merge))
        return merge

    def _barrier(self, starts: Sequence[str], target: str) -> None:
        """The start of the run comes before all else, and cannot stand in a barrier."""
        awaited = [start for start in starts if start != START]
        if len(awaited) > 1:
            self.barriers.append((awaited, target))
        else:
            self.edges.append(((awaited or [START])[0], target))


def _step(node: str) -> str:
    return START if node == START else step(node)
