"""A review is worth something only if somebody else than the author gives it."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.reviewers import pairs
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each role that wrote claims and is also who reviews them, or the same model."""
    for pair in pairs(case):
        if pair.is_same:
            values = {"role": pair.author.name, "reviewer": pair.reviewer.name, "spec": pair.reviewer.spec}
            yield Finding(
                "reviewer_not_independent",
                pair.place,
                values,
                subject=pair.node.name,
                related=pair.related,
                witness=pair.witness,
            )
