"""What must not reach the network must not reach a hosted model either, which is on the network."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.column import Column, Request, is_as_strict
from grapharc.policy.lint.linting import Linting, asked, witness
from grapharc.policy.owner.policy import Rule
from grapharc.policy.owner.selectors import HasCapability
from grapharc.spec.finding import Finding

_NETWORK, _MODEL = HasCapability("network"), HasCapability("model")


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each flow that is kept from the network, and from no model."""
    for rule in linting.rules:
        if rule.resource != "flow" or not any(edge.target == _NETWORK for edge in rule.edges):
            continue
        for column in linting.columns(rule):
            request = _spared(column, rule)
            if request is not None:
                proof = witness(asked(request, column.tenant))
                yield Finding(
                    "flow_spares_models", rule.part("match"), {}, subject=rule.id, rule=rule.id, witness=proof
                )
                break


def _spared(column: Column, rule: Rule) -> Request | None:
    """A flow from what the rule holds back to a model, which no rule as strict stops under the same condition."""
    stopping = column.of(
        other for other in column.rules if is_as_strict(other.effect, rule.effect) and other.when in ("", rule.when)
    )
    for number in column.numbers(rule):
        source, target = column.rows[number].selectors
        if target == _NETWORK:
            found = column.find_meeting([[(source, rule.effect)], [(_MODEL, rule.effect)]], stopping)
            if found is not None:
                return found
    return None
