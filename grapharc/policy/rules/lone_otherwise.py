"""What is done otherwise needs something that it is otherwise than."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Edit, Finding, Fix


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each branch that has no condition."""
    if case.graph.missing_edges:
        return
    for branch in case.flow.branches:
        if branch.otherwise and len(branch.arms) == 1:
            edge = case.graph.edges[branch.arms[0]]
            place = edge.part("otherwise")
            fixes = (Fix(place.document, (Edit("remove", place.path),), safe=True),)
            yield Finding("lone_otherwise", place, {"target": edge.target}, subject=branch.node, fixes=fixes)
