"""Policies and what they answered go in; the rules and tiers that never decided anything come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grapharc.policy.owner.policy import TIERS, Policy, Rule
from grapharc.policy.trials.trial import Outcome
from grapharc.spec.frozen import frozen


@frozen
class Coverage:
    """How many of the rules decided in some case, those that did not, and tiers of policies that never did."""

    rules: int
    idle: tuple[tuple[Policy, Rule], ...]
    idle_tiers: tuple[tuple[Policy, str], ...]

    @property
    def percent(self) -> float:
        """Of a hundred rules, how many decided in some case; all of none."""
        return 100.0 * (self.rules - len(self.idle)) / self.rules if self.rules else 100.0


def coverage(policies: Sequence[Policy], outcomes: Iterable[Outcome]) -> Coverage:
    """Return which rules decided. A tier is the rules of one effect, or the default."""
    decided: set[tuple[str, str, str]] = set()
    for outcome in outcomes:
        for decision in outcome.decisions:
            rule = decision.rule
            decided.add((decision.policy.path, rule.id if rule else "", rule.effect if rule else "default"))
    rules = [(policy, rule) for policy in policies for rule in policy.rules]
    idle = tuple((policy, rule) for policy, rule in rules if (policy.path, rule.id, rule.effect) not in decided)
    tiers = [
        (policy, tier)
        for policy in policies
        for tier in (*(tier for tier in TIERS if any(rule.effect == tier for rule in policy.rules)), "default")
    ]
    told = {(path, tier) for path, _, tier in decided}
    return Coverage(
        len(rules), idle, tuple((policy, tier) for policy, tier in tiers if (policy.path, tier) not in told)
    )
