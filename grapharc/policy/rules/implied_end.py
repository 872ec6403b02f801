"""A node without an edge out ends its path; saying so tells a reader that none was forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import name_place
from grapharc.spec.finding import Edit, Finding, Fix
from grapharc.spec.flow.problems import ImpliedEnd
from grapharc.spec.linked import END


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the edge to add, for each node that ends its path without saying so."""
    for problem in case.problems(ImpliedEnd):
        edge = Edit("append", ("edges",), {"source": problem.node, "target": END})
        fixes = (Fix(case.graph.path, (edge,), safe=True),)
        yield Finding("implied_end", name_place(case.graph, problem.node), subject=problem.node, fixes=fixes)
