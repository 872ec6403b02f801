"""A rule and those above it go in; the ones that leave it nothing to decide come out, as few as do."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.policy.lint.column import Column, Request
from grapharc.policy.lint.linting import Linting
from grapharc.policy.owner.policy import Rule
from grapharc.spec.frozen import frozen


@frozen
class Cover:
    """The rules that decide first whatever a rule matches, and which of them do so on a condition of their own."""

    rules: tuple[Rule, ...]
    conditional: tuple[Rule, ...]


def cover(linting: Linting, rule: Rule) -> Cover | None:
    """Return what leaves a rule nothing to decide, for any tenant; None where something is left, or never was.

    Where rules that have conditions of their own are needed, only a run could tell, and they are named apart.
    """
    columns = list(linting.columns(rule))
    above = [list(column.before(rule)) for column in columns]
    certain = [[other for other in rules if linting.is_certain(other, rule)] for rules in above]
    if not columns:
        return None
    if _is_covered(rule, columns, certain):
        return Cover(_fewest(rule, columns, certain), ())
    perhaps = [[other for other in rules if linting.sees_as_much(other, rule)] for rules in above]
    if _is_covered(rule, columns, perhaps):
        fewest = _fewest(rule, columns, perhaps)
        return Cover(fewest, tuple(other for other in fewest if not linting.is_certain(other, rule)))
    return None


def decided(linting: Linting, rule: Rule) -> Request | None:
    """Return a request that a rule decides, if its own condition is met and those of rules above it are not."""
    for column in linting.columns(rule):
        above = column.of(other for other in column.before(rule) if linting.is_certain(other, rule))
        for number in column.numbers(rule):
            found = column.find([number], above)
            if found is not None:
                return found
    return None


def _is_covered(rule: Rule, columns: Sequence[Column], above: Sequence[Sequence[Rule]]) -> bool:
    return _is_hidden(rule, columns, [column.of(rules) for column, rules in zip(columns, above, strict=True)])


def _is_hidden(rule: Rule, columns: Sequence[Column], rows: Sequence[int]) -> bool:
    """Tell whether some rows of each column match whatever a rule matches."""
    return all(
        column.find([number], avoiding) is None
        for column, avoiding in zip(columns, rows, strict=True)
        for number in column.numbers(rule)
    )


def _fewest(rule: Rule, columns: Sequence[Column], above: Sequence[Sequence[Rule]]) -> tuple[Rule, ...]:
    """One rule that covers by itself, else rules none of which can be left out."""
    needed = list({id(other): other for rules in above for other in rules}.values())
    for one in needed:
        if _is_covered(rule, columns, [[one] for _ in columns]):
            return (one,)
    rows = [column.of(rules) for column, rules in zip(columns, above, strict=True)]
    left_out: set[int] = set()
    for one in reversed(needed):
        fewer = [some & ~column.of([one]) for column, some in zip(columns, rows, strict=True)]
        if _is_hidden(rule, columns, fewer):
            rows = fewer
            left_out.add(id(one))
    return tuple(other for other in needed if id(other) not in left_out)
