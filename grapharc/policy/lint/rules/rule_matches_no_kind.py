"""A pattern that matches no kind of the registry is most often a misspelt one, and lets through what it was to stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.patterns import Pattern, is_sentinel_misspelt, patterns
from grapharc.policy.owner.selectors import HasCapability, HasLabel, HasRole, spelt
from grapharc.spec.documents.policy import Effect
from grapharc.spec.finding import Finding
from grapharc.spec.offers import Registry
from grapharc.spec.suggest import suggest


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each end of a pattern that could match something, but nothing that the registry offers.

    A capability cannot be misspelt, and a rule over one stands guard over kinds that are still to come.
    """
    registry = linting.registry
    if registry is None:
        return
    for pattern in patterns(linting):
        if isinstance(pattern.selector, HasCapability) or is_sentinel_misspelt(pattern):
            continue
        needs = [pattern.need]
        if linting.kinds.subjects(needs, pattern.side) or not linting.conceivable.subjects(needs, pattern.side):
            continue
        if isinstance(pattern.selector, HasRole) and pattern.selector.name in registry.missing_roles:
            continue
        values = {
            "pattern": spelt(pattern.selector),
            "does": _DOES[pattern.rule.effect],
            "suggestion": _meant(pattern, registry),
            "what": "kind that is a tool" if pattern.side == "tool" else "kind",
        }
        yield Finding("rule_matches_no_kind", pattern.place, values, subject=pattern.rule.id, rule=pattern.rule.id)


_DOES: Mapping[Effect, str] = {"deny": "denies", "ask": "asks for", "allow": "allows"}


def _meant(pattern: Pattern, registry: Registry) -> str:
    selector = pattern.selector
    match selector:
        case HasRole():
            near = suggest(selector.name, registry.roles)
            return f"role:{near}" if near else ""
        case HasLabel():
            near = suggest(selector.name, {label for offer in registry.offers.values() for label in offer.labels})
            return f"label:{near}" if near else ""
        case _:
            names = {*registry.offers, *(offer.kind.name for offer in registry.offers.values())}
            return suggest(spelt(selector), names)
