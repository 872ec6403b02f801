"""A loop that leads back into itself once it is used up would never end."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import ExhaustedIntoBody


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each loop whose ``exhausted`` is one of its own nodes."""
    for problem in case.problems(ExhaustedIntoBody):
        yield Finding(
            "exhausted_into_body",
            case.graph.edges[problem.edge].part("loop", "exhausted"),
            {"target": problem.target},
            subject=problem.header,
        )
