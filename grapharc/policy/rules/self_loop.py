"""A node that waits for itself never runs, or never stops."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import SelfLoop


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge from a node to itself."""
    for problem in case.problems(SelfLoop):
        yield Finding("self_loop", case.graph.edges[problem.edge].place, subject=problem.node)
