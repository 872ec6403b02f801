"""Rounds are counted with the first, so that a loop of one round never goes back."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each loop that is used up as soon as it has begun."""
    for edge in case.graph.edges:
        if edge.loop is not None and edge.loop.max_rounds == 1:
            place = under(edge.loop.place, "max_rounds")
            yield Finding("single_round", place, {"target": edge.target}, subject=edge.source)
