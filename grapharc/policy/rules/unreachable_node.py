"""A node that no way reaches is left out of every run without a word."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import name_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.flow.problems import Unreachable


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the edges to it that are never taken, for each node to which no way leads."""
    for problem in case.problems(Unreachable):
        related = tuple(_never_taken(case, problem.node))
        yield Finding("unreachable_node", name_place(case.graph, problem.node), subject=problem.node, related=related)


def _never_taken(case: Case, name: str) -> Iterator[Related]:
    for edge in case.graph.edges:
        if edge.target == name and edge.source in case.flow.failing:
            yield Related("never_taken", edge.place, {"node": edge.source})
