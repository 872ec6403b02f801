"""The case of a whole graph goes in; one for each graph in it, the outer before the inner, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.case import Case
from grapharc.policy.ceilings import Ceiling, Measure, ceilings, least
from grapharc.spec.linked import Budget
from grapharc.spec.nesting import every_graph

NO_LIMITS = Budget()


def every_case(case: Case) -> Iterator[Case]:
    """Yield the case and those of all subgraphs, each once: under its own budget, and all that holds around it."""
    flows = {id(case.graph): case.flow}
    around: dict[int, Mapping[Measure, Ceiling]] = {}
    for graph in every_graph(case.graph):
        flow = flows[id(graph)]
        one = (
            case
            if graph is case.graph
            else Case(graph, flow, ceilings(graph, (), NO_LIMITS), case.reserved, around[id(graph)])
        )
        yield one
        for inner in flow.inside.values():
            flows.setdefault(id(inner.graph), inner)
            around[id(inner.graph)] = least(around.get(id(inner.graph), {}), one.limits)
