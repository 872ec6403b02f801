"""A case goes in; what every built-in rule says of it comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from grapharc.policy.case import Case
from grapharc.policy.rules import (
    branch_not_exhaustive,
    branch_unreachable,
    cycle,
    duplicate_edge,
    edge_never_taken,
    empty_graph,
    error_edge_unreachable,
    exhausted_into_body,
    failures_not_kept,
    field_never_read,
    field_never_written,
    idle_patience,
    implied_end,
    irreducible_loop,
    join_may_never_fire,
    join_undecidable,
    lone_otherwise,
    loop_leaks,
    loop_on_forward_edge,
    model_steers_branch,
    no_entry_edge,
    output_not_written,
    over_iteration_budget,
    over_time_budget,
    over_token_budget,
    over_usd_budget,
    progress_fixed,
    progress_not_written,
    read_before_write,
    retry_not_idempotent,
    reviewer_not_independent,
    reviewer_same_vendor,
    self_loop,
    sentinel_wrong_direction,
    shared_implicit_write,
    single_attempt,
    single_round,
    store_not_pinned,
    timeout_beyond_budget,
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
    branch_not_exhaustive.check,
    branch_unreachable.check,
    cycle.check,
    duplicate_edge.check,
    edge_never_taken.check,
    empty_graph.check,
    error_edge_unreachable.check,
    exhausted_into_body.check,
    failures_not_kept.check,
    field_never_read.check,
    field_never_written.check,
    idle_patience.check,
    implied_end.check,
    irreducible_loop.check,
    join_may_never_fire.check,
    join_undecidable.check,
    lone_otherwise.check,
    loop_leaks.check,
    loop_on_forward_edge.check,
    model_steers_branch.check,
    no_entry_edge.check,
    output_not_written.check,
    over_iteration_budget.check,
    over_time_budget.check,
    over_token_budget.check,
    over_usd_budget.check,
    progress_fixed.check,
    progress_not_written.check,
    read_before_write.check,
    retry_not_idempotent.check,
    reviewer_not_independent.check,
    reviewer_same_vendor.check,
    self_loop.check,
    sentinel_wrong_direction.check,
    shared_implicit_write.check,
    single_attempt.check,
    single_round.check,
    store_not_pinned.check,
    timeout_beyond_budget.check,
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
