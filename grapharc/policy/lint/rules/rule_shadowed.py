"""A rule that others always decide before says something that never comes about."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.covering import cover
from grapharc.policy.lint.linting import Linting
from grapharc.spec.finding import Finding, Related


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each rule whose every request is decided above it, with the rules that do so."""
    for rule in linting.rules:
        found = cover(linting, rule)
        if found is None or found.conditional:
            continue
        values = {"by": tuple(other.id for other in found.rules), "among": _among(linting)}
        related = tuple(Related("decides_first", other.place) for other in found.rules)
        yield Finding("rule_shadowed", rule.place, values, subject=rule.id, rule=rule.id, related=related)


def _among(linting: Linting) -> str:
    return "" if linting.registry is None else "among the kinds of the registry"
