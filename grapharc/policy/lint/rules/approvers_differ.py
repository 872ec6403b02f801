"""Two rules that ask different people about one request contradict each other: only the first is heard."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.column import Column
from grapharc.policy.lint.linting import Linting, asked, witness
from grapharc.policy.owner.policy import Rule
from grapharc.spec.finding import Finding, Related


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for two asks of which either matches what the other does not, and of whose roles one is unheard.

    A narrow rule before a wide one is an exception that somebody meant; two that overlap are not.
    """
    told: set[tuple[str, str]] = set()
    for tenant in linting.tenants:
        for resource in ("node", "spend", "edge", "path", "flow"):
            column = linting.column(resource, tenant)
            for first, second in _pairs(column):
                if (first.id, second.id) in told or first.approver_role == second.approver_role:
                    continue
                request = _shared(column, first, second, column.of(r for r in column.rules if r.effect == "deny"))
                if request is not None and _is_left(column, first, second) and _is_left(column, second, first):
                    told.add((first.id, second.id))
                    values = {"first": first.id, "heard": first.approver_role, "unheard": second.approver_role}
                    yield Finding(
                        "approvers_differ",
                        second.place,
                        values,
                        subject=second.id,
                        rule=second.id,
                        related=(Related("decides_first", first.place),),
                        witness=witness(asked(request, tenant)),
                    )


def _pairs(column: Column) -> Iterator[tuple[Rule, Rule]]:
    asks = [rule for rule in column.rules if rule.effect == "ask" and rule.approver_role and not rule.when]
    for number, first in enumerate(asks):
        yield from ((first, second) for second in asks[number + 1 :])


def _shared(column: Column, first: Rule, second: Rule, avoiding: int) -> object:
    rows = ((one, two) for one in column.numbers(first) for two in column.numbers(second))
    return next((found for pair in rows if (found := column.find(pair, avoiding))), None)


def _is_left(column: Column, rule: Rule, without: Rule) -> bool:
    """Tell whether a rule matches something that another does not."""
    return any(column.find([number], column.of([without])) for number in column.numbers(rule))
