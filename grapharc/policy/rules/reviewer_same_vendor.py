"""Models of one vendor agree with each other where both are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.reviewers import of_pair, pairs
from grapharc.spec.finding import Finding
from grapharc.spec.registry.vendors import different_providers, vendor


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each role that wrote claims and is another model of the vendor who reviews them."""
    for pair in pairs(case):
        if not pair.is_same and not different_providers(pair.author.spec, pair.reviewer.spec):
            yield of_pair("reviewer_same_vendor", pair, vendor=vendor(pair.reviewer.spec))
