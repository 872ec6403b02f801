"""Patience is for rounds without progress, and there must be time for as many."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each loop whose patience can never run out."""
    for edge in case.graph.edges:
        loop = edge.loop
        if loop is None or loop.patience == 1 or (loop.progress and loop.patience < loop.max_rounds):
            continue
        values = {"rounds": loop.max_rounds if loop.progress else "", "patience": loop.patience}
        yield Finding("idle_patience", under(loop.place, "patience"), values, subject=edge.source)
