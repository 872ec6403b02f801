"""A case goes in; what every built-in rule says of it comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from grapharc.policy.case import Case
from grapharc.policy.rules import (
    cycle,
    duplicate_edge,
    empty_graph,
    field_never_read,
    field_never_written,
    implied_end,
    no_entry_edge,
    output_not_written,
    over_iteration_budget,
    over_time_budget,
    over_token_budget,
    over_usd_budget,
    read_before_write,
    self_loop,
    sentinel_wrong_direction,
    shared_implicit_write,
    too_deep,
    too_many_nodes,
    unknown_cost,
    unordered_reader,
    unordered_writers,
    unpriced_role,
    unreachable_node,
)
from grapharc.spec.finding import Finding

Check: TypeAlias = Callable[[Case], Iterator[Finding]]

RULES: tuple[Check, ...] = (
    cycle.check,
    duplicate_edge.check,
    empty_graph.check,
    field_never_read.check,
    field_never_written.check,
    implied_end.check,
    no_entry_edge.check,
    output_not_written.check,
    over_iteration_budget.check,
    over_time_budget.check,
    over_token_budget.check,
    over_usd_budget.check,
    read_before_write.check,
    self_loop.check,
    sentinel_wrong_direction.check,
    shared_implicit_write.check,
    too_deep.check,
    too_many_nodes.check,
    unknown_cost.check,
    unordered_reader.check,
    unordered_writers.check,
    unpriced_role.check,
    unreachable_node.check,
)


def judge(case: Case) -> Iterator[Finding]:
    """Yield the findings of every rule, rule by rule."""
    for check in RULES:
        yield from check(case)
