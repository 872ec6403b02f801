"""An owner may limit how large a graph is."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import over_size
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for a graph with more nodes than a policy allows."""
    yield from over_size("too_many_nodes", case, "max_nodes", case.flow.size)
