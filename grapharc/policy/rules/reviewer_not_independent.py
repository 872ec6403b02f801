"""A review is worth something only if somebody else than the author gives it."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.reviewers import of_pair, pairs
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each role that wrote claims and is also who reviews them, or the same model."""
    for pair in pairs(case):
        if pair.is_same:
            yield of_pair("reviewer_not_independent", pair, spec=pair.reviewer.spec)
