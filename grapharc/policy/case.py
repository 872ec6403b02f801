"""What a built-in rule looks at: the linked graph, the facts of its flow, and the ceilings that hold for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from grapharc.policy.ceilings import Ceiling, Measure, least
from grapharc.spec.flow.facts import Flow
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import Edge, LinkedGraph
from grapharc.spec.reserved import NO_PREMISES, Reserved

ProblemT = TypeVar("ProblemT")


@frozen(slots=False)
class Case:
    """One graph to be judged. Rules read it; none computes a fact of flow by itself."""

    graph: LinkedGraph
    flow: Flow
    ceilings: Mapping[Measure, Ceiling]
    """Those that are set for this graph."""
    reserved: Reserved = field(default_factory=lambda: Reserved(NO_PREMISES, dict))
    """What of the workspace is kept from kinds."""
    around: Mapping[Measure, Ceiling] = field(default_factory=dict["Measure", "Ceiling"])
    """Of a subgraph, those that hold for all that it is a part of, and are judged there."""

    @cached_property
    def limits(self) -> Mapping[Measure, Ceiling]:
        """Of each ceiling that holds for the graph the least, whoever set it."""
        return least(self.ceilings, self.around)

    def problems(self, kind: type[ProblemT]) -> Iterator[ProblemT]:
        """Yield the problems of one kind that the flow has."""
        return (problem for problem in self.flow.problems if isinstance(problem, kind))

    @cached_property
    def edges_from(self) -> Mapping[str, Sequence[Edge]]:
        """The edges that leave each node, in the order of the document."""
        found: dict[str, list[Edge]] = {}
        for edge in self.graph.edges:
            found.setdefault(edge.source, []).append(edge)
        return found
