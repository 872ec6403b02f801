"""A loop bounds rounds, and an edge that leads forward makes none."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Edit, Finding, Fix
from grapharc.spec.flow.problems import LoopOnForwardEdge
from grapharc.spec.frozen import replace


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge with a loop that goes back to nothing."""
    for problem in case.problems(LoopOnForwardEdge):
        place = case.graph.edges[problem.edge].part("loop")
        yield Finding(
            "loop_on_forward_edge",
            replace(place, part="key"),
            {"target": problem.target},
            subject=problem.source,
            fixes=(Fix(place.document, (Edit("remove", place.path),), safe=False),),
        )
