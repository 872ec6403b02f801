"""A rule over edges sees neighbours only: a kind that changes nothing, put in between, leads round it."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.evading import way_round
from grapharc.policy.lint.linting import Linting, asked, witness
from grapharc.policy.lint.subjects import Subject
from grapharc.spec.finding import Finding


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each deny or ask over edges that has a way round it and no twin over paths."""
    for rule in linting.rules:
        if rule.resource != "edge" or rule.effect == "allow":
            continue
        for column in linting.columns(rule):
            way = way_round(linting, rule, column.tenant)
            if way is not None:
                values = {"effect": rule.effect}
                proof = witness(asked(_shown(way), column.tenant))
                yield Finding("edge_rule_evadable", rule.place, values, subject=rule.id, rule=rule.id, witness=proof)
                break


def _shown(way: tuple[Subject, ...]) -> str:
    return " -> ".join(map(str, way))
