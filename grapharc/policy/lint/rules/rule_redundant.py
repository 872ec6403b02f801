"""A rule without which every request would get the same answer is one more to read and to keep."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.column import DECIDED_TOGETHER, Column, Request
from grapharc.policy.lint.covering import cover, decided
from grapharc.policy.lint.linting import Linting, asked, witness
from grapharc.policy.owner.policy import Rule
from grapharc.spec.finding import Finding


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a note for each rule that decides requests, and changes the answer to none of them.

    A deny where the default denies is no such rule: it gives a reason, and stands against what is allowed later.
    """
    for rule in linting.rules:
        columns = list(linting.columns(rule))
        if not columns or cover(linting, rule) is not None or any(_changes(linting, c, rule) for c in columns):
            continue
        request = decided(linting, rule)
        if request is not None:
            proof = witness(_instead(linting, rule, request, columns))
            yield Finding("rule_redundant", rule.place, subject=rule.id, rule=rule.id, witness=proof)


def _changes(linting: Linting, column: Column, rule: Rule) -> bool:
    """Tell whether some request gets another answer without the rule.

    What is answered next is looked for rule by rule: one that answers otherwise, with none before it that certainly
    answers the same, or none at all where the default answers otherwise.
    """
    above = column.of(other for other in column.before(rule) if linting.is_certain(other, rule))
    same = 0
    for other in column.rules[column.rules.index(rule) + 1 :]:
        if _answers_alike(other, rule):
            same |= column.of([other]) if linting.is_certain(other, rule) else 0
        elif _meets(column, rule, other, above | same):
            return True
    return any(_answers_otherwise(linting, column, number, above | same) for number in column.numbers(rule))


def _answers_otherwise(linting: Linting, column: Column, number: int, others: int) -> bool:
    """Tell whether a pattern matches what no other rule does, and the default answers to that otherwise."""
    rule = column.rows[number].rule
    if rule.effect == "deny":
        return column.find([number], others) is not None
    resources = DECIDED_TOGETHER.get(rule.resource, (rule.resource,))
    return any(
        column.find_meeting(
            [[column.rows[number].needs(end)] for end in range(len(column.sides))],
            others,
            tools="tool" in (resource, rule.resource),
        )
        is not None
        for resource in resources
        if linting.policy.default(resource) != rule.effect
    )


def _meets(column: Column, rule: Rule, other: Rule, avoiding: int) -> bool:
    return any(
        column.find([one, two], avoiding) is not None for one in column.numbers(rule) for two in column.numbers(other)
    )


def _instead(linting: Linting, rule: Rule, request: Request, columns: list[Column]) -> str:
    column = next(column for column in columns if column.tenant == request.tenant)
    later = (
        other
        for other in column.matching(request)
        if other is not rule and _answers_alike(other, rule) and linting.is_certain(other, rule)
    )
    by = next((f"rule '{other.id}'" for other in later), "the default")
    return f"{asked(request, request.tenant)}: {rule.effect} by {by} all the same"


def _answers_alike(other: Rule, rule: Rule) -> bool:
    return other.effect == rule.effect and (rule.effect != "ask" or other.approver_role == rule.approver_role)
