"""A run that is admitted is not to be cut off half way for want of time."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import over_budget
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for a graph that may take longer at worst than it is allowed."""
    yield from over_budget("over_time_budget", case, "seconds")
