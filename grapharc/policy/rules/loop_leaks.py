"""A round that ends twice would go on both in the loop and behind it, or behind it twice."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.outcomes import outcomes, remedies
from grapharc.policy.places import arrows, name_place
from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.flow.problems import LoopLeaks
from grapharc.spec.linked import END


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the outcomes as its witness, for each loop of which one round takes two ways out."""
    for problem in case.problems(LoopLeaks):
        (first, here), (second, there) = (
            _way(case, edge, source)
            for edge, source in zip((problem.first, problem.second), problem.sources, strict=True)
        )
        yield Finding(
            "loop_leaks",
            there,
            {"first": first, "second": second, **remedies(problem.choices)},
            subject=problem.header,
            related=(Related("ends_here_too", here),),
            witness=outcomes(case, problem.choices),
        )


def _way(case: Case, edge: int, source: str) -> tuple[str, Place]:
    """An edge as a way and where it is written; where a path just ends, its last node."""
    if edge < 0:
        return arrows((source, END)), name_place(case.graph, source)
    return arrows((source, case.graph.edges[edge].target)), case.graph.edges[edge].place
