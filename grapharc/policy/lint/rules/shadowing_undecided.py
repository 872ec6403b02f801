"""Whether a rule below others ever decides may hang on their conditions, which only a run can tell."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.covering import cover
from grapharc.policy.lint.linting import Linting
from grapharc.spec.finding import Finding, Related


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a note for each rule that is left something only where conditions of rules above it are not met."""
    for rule in linting.rules:
        found = cover(linting, rule)
        if found is None or not found.conditional:
            continue
        values = {"by": tuple(other.id for other in found.conditional)}
        related = tuple(Related("decides_first", other.place) for other in found.rules)
        yield Finding("shadowing_undecided", rule.place, values, subject=rule.id, rule=rule.id, related=related)
