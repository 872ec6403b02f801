"""Attempts are counted with the first, so that a retry of one attempt tries nothing again."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node that says it is tried again, and is not."""
    for node in case.graph.nodes.values():
        if node.retry is not None and node.max_attempts == 1:
            yield Finding("single_attempt", under(node.retry.place, "max_attempts"), subject=node.name)
