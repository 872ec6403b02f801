"""An arm that is never taken is dead, and so is what only it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.flow.branches import covered, scope_at
from grapharc.spec.linked import Edge


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each arm of which earlier ones take all that it would."""
    for branch in case.flow.branches:
        for number, arm in zip(branch.arms, branch.coverage.arms, strict=True):
            covering = [case.graph.edges[branch.arms[other]] for other in arm.covered_by]
            if arm.reachable != "no" or not covering or _is_told(case, covering):
                continue
            edge = case.graph.edges[number]
            texts = tuple(other.condition.text for other in covering if other.condition is not None)
            yield Finding(
                "branch_unreachable",
                _place(edge),
                {"target": edge.target, "covering": texts},
                subject=edge.source,
                related=tuple(Related("covered_here", _place(other)) for other in covering),
            )


def _is_told(case: Case, covering: list[Edge]) -> bool:
    """Whether one condition alone covers everything: it is constant, and said to be."""
    if len(covering) > 1 or covering[0].condition is None:
        return False
    condition = covering[0].condition
    scope = scope_at(case.graph, covering[0].source, condition.reads)
    return covered([condition.tree], scope).exhaustive == "yes"


def _place(edge: Edge) -> Place:
    return edge.part("otherwise" if edge.condition is None else "when")
