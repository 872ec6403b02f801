"""Policies and cases go in; the ways of breaking a policy that no case notices come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.mutants import Mutant, mutants
from grapharc.policy.trials.trial import Court, Trial
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Offer
from grapharc.spec.reserved import NO_PREMISES, Premises


@frozen
class Survivors:
    """How many ways of breaking the policies were tried, and those that no case noticed."""

    tried: int
    unnoticed: tuple[Mutant, ...]


def survivors(
    policies: Sequence[Policy],
    trials: Sequence[Trial],
    offers: Mapping[str, Offer],
    today: date,
    premises: Premises = NO_PREMISES,
) -> Survivors:
    """Break each policy in each way, one at a time, and try the cases until one notices."""
    tried, unnoticed = 0, list[Mutant]()
    for number, policy in enumerate(policies):
        for mutant in mutants(policy):
            tried += 1
            broken = (*policies[:number], mutant.policy, *policies[number + 1 :])
            court = Court(broken, offers, today, premises)
            if not any(court.tells(trial) for trial in trials):
                unnoticed.append(mutant)
    return Survivors(tried, tuple(unnoticed))
