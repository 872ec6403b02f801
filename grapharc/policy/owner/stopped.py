"""What decisions stand on goes in; the ways that rules over paths and flows stop come out: as rulings, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.grounds import Grounds
from grapharc.policy.owner.policy import Decision
from grapharc.policy.owner.say import ASKS, DENIED, said_of
from grapharc.policy.owner.selectors import spelt
from grapharc.policy.places import kind_place
from grapharc.spec.finding import Finding, Related, Value
from grapharc.spec.flow.facts import Flow
from grapharc.spec.linked import LinkedGraph

if TYPE_CHECKING:
    from grapharc.policy.owner.trails import Trail


def stopped(flow: Flow, grounds: Grounds) -> tuple[Trail, ...]:
    """Find every way that a rule in force stops, policy by policy and rule by rule."""
    rules = [(table.policy, rule) for table in grounds.tables for rule in grounds.rules(table, "path", "flow")]
    if not rules:
        return ()
    from grapharc.policy.owner.trails import trails  # where no rule asks for ways, none are looked for

    return tuple(trails(flow, rules))


def decide_stopped(found: Sequence[Trail]) -> Iterator[Ruling]:
    """Yield what the rules answer: for each rule and pair of kinds one ruling, with the nodes that ways lead to."""
    groups: dict[tuple[str, str, tuple[str, str]], list[Trail]] = {}
    for trail in found:
        groups.setdefault((trail.policy.digest, trail.rule.id, trail.kinds), []).append(trail)
    for group in groups.values():
        first = group[0]
        decision = Decision(first.rule.effect, first.policy, first.rule)
        nodes = {trail.last.name: trail.last for trail in group}
        yield Ruling(first.rule.resource, first.kinds, (decision,), nodes=tuple(nodes[name] for name in sorted(nodes)))


def say_stopped(graph: LinkedGraph, found: Sequence[Trail], tenant: str | None) -> Iterator[Finding]:
    """Say of each way what stops it and where it leads; of very many to one rule the nearest."""
    for trail in found:
        if not trail.steps:
            continue
        rule, place = trail.rule, next((step.place for step in reversed(trail.steps) if step.place), None)
        code = (DENIED if rule.effect == "deny" else ASKS)[rule.resource]
        values: dict[str, Value] = {
            "source": trail.kinds[0],
            "target": trail.kinds[1],
            "via": tuple(map(spelt, rule.unless_via)),
            **said_of(trail.policy, rule, tenant),
        }
        yield Finding(
            code,
            place or kind_place(graph, trail.last),
            values,
            subject=" -> ".join(trail.ends),
            rule=rule.id,
            related=(Related("rule_here", rule.place),),
            witness=trail.steps,
        )
