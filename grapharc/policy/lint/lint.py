"""A policy and maybe a registry go in; what every lint rule says of the policy comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.names import TooTangled
from grapharc.policy.lint.rules import (
    approvers_differ,
    ask_without_role,
    constant_when,
    default_decides,
    edge_rule_evadable,
    flow_spares_models,
    misspelt_sentinel,
    rule_matches_no_kind,
    rule_matches_nothing,
    rule_redundant,
    rule_shadowed,
    shadowing_undecided,
)
from grapharc.policy.owner.conditions import Conditions
from grapharc.policy.owner.policy import Policy
from grapharc.spec.finding import Finding, Place
from grapharc.spec.offers import Registry

Check: TypeAlias = Callable[[Linting], Iterator[Finding]]

OF_A_RULE: tuple[Check, ...] = (
    ask_without_role.check,
    constant_when.check,
    misspelt_sentinel.check,
    rule_matches_no_kind.check,
    rule_matches_nothing.check,
)
"""What is said of a rule by itself, also where another one is damaged."""

OF_ALL_RULES: tuple[Check, ...] = (
    approvers_differ.check,
    default_decides.check,
    edge_rule_evadable.check,
    flow_spares_models.check,
    rule_redundant.check,
    rule_shadowed.check,
    shadowing_undecided.check,
)
"""What is said of rules together, only where none was lost that would change it."""


def lint(policy: Policy, registry: Registry | None = None) -> Iterator[Finding]:
    """Yield what is wrong with a policy's rules; with a registry, over its kinds, else over all that could exist."""
    linting = Linting(policy, registry)
    if registry is not None:
        yield from Conditions(registry.offers, [policy]).findings()
    try:
        for check in OF_A_RULE:
            yield from check(linting)
        for check in OF_ALL_RULES if linting.is_whole else ():
            yield from check(linting)
    except TooTangled:
        yield Finding("patterns_not_compared", Place(policy.path, ("rule",)))
