"""When no condition of a branch is true, the run has nowhere to go."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Edit, Finding, Fix, Value
from grapharc.spec.flow.branches import Branch
from grapharc.spec.linked import END


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each branch without an arm for all that is left, unless its conditions surely cover all."""
    if case.graph.missing_edges:
        return
    for branch in case.flow.branches:
        if branch.otherwise or branch.coverage.exhaustive == "yes":
            continue
        last = case.graph.edges[branch.arms[-1]].part("when")
        rest = Edit("append", ("edges",), {"source": branch.node, "target": END, "otherwise": True})
        fixes = (Fix(last.document, (rest,), safe=False),)
        yield Finding("branch_not_exhaustive", last, _values(case, branch), subject=branch.node, fixes=fixes)


def _values(case: Case, branch: Branch) -> dict[str, Value]:
    """Values of which none of the conditions is true; where none is known, the conditions."""
    if branch.coverage.exhaustive == "no":
        return {"falling": ", ".join(f"{term} = {value}" for term, value in branch.coverage.witness)}
    conditions = (case.graph.edges[arm].condition for arm in branch.arms)
    return {"conditions": tuple(condition.text for condition in conditions if condition is not None)}
