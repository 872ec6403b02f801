"""An owner may limit how deep graphs are nested."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import over_size
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for a graph that is nested deeper than a policy allows."""
    yield from over_size("too_deep", case, "max_depth", case.flow.depth)
