"""A pattern that no kind could ever match makes a rule that looks like one and is none."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.patterns import is_sentinel_misspelt, patterns
from grapharc.policy.owner.selectors import spelt
from grapharc.spec.finding import Finding


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each end of a pattern that matches no name a kind can have, and no sentinel there."""
    for pattern in patterns(linting):
        if is_sentinel_misspelt(pattern):
            continue
        if not linting.conceivable.subjects([pattern.need], pattern.side):
            values = {"pattern": spelt(pattern.selector), "where": pattern.where}
            yield Finding("rule_matches_nothing", pattern.place, values, subject=pattern.rule.id, rule=pattern.rule.id)
