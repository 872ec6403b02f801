"""A condition that comes out the same whatever is asked is none: its rule decides always, or never."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.linting import Linting
from grapharc.policy.owner.conditions import matches_kind
from grapharc.policy.owner.policy import Rule
from grapharc.policy.owner.scope import Scope, open_scope, scope_of
from grapharc.spec.expressions.condition import check_condition
from grapharc.spec.finding import Finding, Value
from grapharc.spec.frozen import replace
from grapharc.spec.source import Span


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each part of a ``when`` that is the same for every kind that its rule matches."""
    for rule in linting.rules:
        found = [_constants(rule, scope) for scope in _scopes(linting, rule)]
        for (span, outcome), expression in found[0].items() if found else ():
            if all((span, outcome) in other for other in found):
                values: dict[str, Value] = {"expression": expression, "outcome": outcome}
                place = replace(rule.part("when"), within=span)
                yield Finding("constant_when", place, values, subject=rule.id, rule=rule.id)


def _scopes(linting: Linting, rule: Rule) -> list[Scope]:
    """What the condition may read: of each kind of the registry that the rule matches, else of any."""
    if rule.condition is None:
        return []
    tenants = linting.policy.tenants
    offers = [] if linting.registry is None else list(linting.registry.offers.values())
    matched = [offer for offer in offers if matches_kind(rule, offer)]
    if not matched or rule.resource not in ("node", "tool"):
        return [open_scope(rule.resource, tenants)]
    return [scope_of(rule.resource, offer, matched, tenants) for offer in matched]


def _constants(rule: Rule, scope: Scope) -> dict[tuple[Span, str], str]:
    """The parts that are always the same, by where they stand and what they are."""
    if rule.condition is None:
        return {}
    _, faults = check_condition(rule.condition, rule.when, scope.types, scope.absent)
    return {
        (fault.span, str(fault.values["outcome"])): str(fault.values["expression"])
        for fault in faults
        if fault.code == "constant_condition"
    }
