"""What a node waits for goes in; LangGraph's edges for that are added.

One of several is an edge from each: triggers are alternatives. All of several is one barrier, never more: from the
second round of a loop on, two would fire before all is there. A part of a barrier that is itself several is delivered
to a hidden node first, at the price of a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from langchain_core.runnables import RunnableLambda

from grapharc.compiler.engine import Builder
from grapharc.compiler.names import hidden, step
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from grapharc.spec.linked import START


class Joins:
    """Adds the edges of one graph."""

    def __init__(self, builder: Builder, flow: Flow) -> None:
        self._builder = builder
        self._flow = flow

    def deliver(self, wait: Wait, target: str) -> None:
        """Let a LangGraph node run once what it waits for is there."""
        match wait:
            case Arrival(arc):
                self._builder.add_edge(self._source(arc), target)
            case AnyOf(parts):
                for part in parts:
                    self.deliver(part, target)
            case AllOf(parts):
                self._barrier([self._start(part, f"{target}.{index}") for index, part in enumerate(parts)], target)
            case _:
                assert_never(wait)

    def _barrier(self, starts: Sequence[str], target: str) -> None:
        """The start of the run comes before all else, and cannot stand in a barrier."""
        awaited = [start for start in starts if start != START]
        self._builder.add_edge(awaited if len(awaited) > 1 else (awaited or [START])[0], target)

    def _start(self, part: Wait, name: str) -> str:
        if isinstance(part, Arrival):
            return self._source(part.arc)
        merged = hidden(name)
        self._builder.add_node(merged, RunnableLambda(_nothing))
        self.deliver(part, merged)
        return merged

    def _source(self, arc: int) -> str:
        name = self._flow.source(arc)
        return START if name == START else step(name)


def _nothing(view: object) -> dict[str, object]:
    """What a hidden node does."""
    del view
    return {}
