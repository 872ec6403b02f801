"""Of edges that neither exclude each other nor belong together nobody can say which a node waits for."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.outcomes import arrival_place, outcomes
from grapharc.policy.places import name_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.flow.problems import JoinUndecidable


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with outcomes that bring two of its edges, for each node that may wait for this or for that."""
    for problem in case.problems(JoinUndecidable):
        edges = [case.graph.edges[edge] for edge in problem.edges]
        yield Finding(
            "join_undecidable",
            name_place(case.graph, problem.node),
            {"sources": tuple(edge.source for edge in edges)},
            subject=problem.node,
            related=tuple(Related("leads_here", arrival_place(edge, problem.node)) for edge in edges),
            witness=outcomes(case, problem.choices),
        )
