"""A loop that can be entered in its middle has no round to count."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import arrows, steps
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import IrreducibleLoop


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the way as its witness, for each edge back to a node that a way to its source avoids."""
    for problem in case.problems(IrreducibleLoop):
        yield Finding(
            "irreducible_loop",
            case.graph.edges[problem.edge].place,
            {"target": problem.header, "way": arrows(problem.way)},
            subject=problem.source,
            witness=steps(case.graph, problem.way),
        )
