"""A node that no way reaches is left out of every run without a word."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import name_place
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import Unreachable


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node to which no way leads from the start."""
    for problem in case.problems(Unreachable):
        yield Finding("unreachable_node", name_place(case.graph, problem.node), subject=problem.node)
