"""Every node of a cycle waits for the one before it, so that none would begin, or none stop."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import arrows
from grapharc.spec.finding import Finding, Step, Value
from grapharc.spec.flow.problems import Cycle
from grapharc.spec.linked import Edge


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, at the edge that closes it, for each cycle; its edges are the witness."""
    for problem in case.problems(Cycle):
        edges = [case.graph.edges[edge] for edge in problem.edges]
        last = edges[-1]
        yield Finding(
            "cycle",
            last.place,
            {"way": arrows(problem.way), "source": last.source, "target": last.target, **_loop(problem, last)},
            subject=arrows(problem.way),
            witness=tuple(Step(arrows((edge.source, edge.target)), edge.place) for edge in edges),
        )


def _loop(problem: Cycle, last: Edge) -> dict[str, Value]:
    """Which edge could go back in a loop, if there is one."""
    return {"back": last.source, "head": last.target} if problem.closes else {}
