"""A node that waits for an edge that is not taken waits for ever, and the run ends without it."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.outcomes import arrival_place, outcomes, remedies
from grapharc.spec.finding import Finding, Related
from grapharc.spec.flow.problems import JoinMayNeverFire


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the outcomes as its witness, for each node that may wait in vain."""
    for problem in case.problems(JoinMayNeverFire):
        arriving, missing = case.graph.edges[problem.arrives], case.graph.edges[problem.missing]
        yield Finding(
            "join_may_never_fire",
            arrival_place(missing, problem.node),
            {"arriving": arriving.source, "missing": missing.source, **remedies(problem.choices)},
            subject=problem.node,
            related=(Related("arrives_here", arrival_place(arriving, problem.node)),),
            witness=outcomes(case, problem.choices),
        )
