"""``END`` is a kind that nobody has: where a graph starts and ends is called ``__start__`` and ``__end__``."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.patterns import is_sentinel_misspelt, patterns, sentinel_meant
from grapharc.policy.owner.selectors import spelt
from grapharc.spec.finding import Finding


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each end of an edge or a path that seems to mean a sentinel, unless a kind is called so."""
    for pattern in patterns(linting):
        if not is_sentinel_misspelt(pattern):
            continue
        needs = [pattern.need]
        if linting.registry is None or not linting.kinds.subjects(needs, pattern.side):
            values = {"pattern": spelt(pattern.selector), "sentinel": sentinel_meant(pattern.selector)}
            yield Finding("misspelt_sentinel", pattern.place, values, subject=pattern.rule.id, rule=pattern.rule.id)
