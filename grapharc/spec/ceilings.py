"""A budget goes in; its ceilings by name come out, as records, digests and settings tell them."""

from __future__ import annotations

from grapharc.spec.documents.graph import BudgetModel
from grapharc.spec.linked import Budget

CEILINGS = ("max_tokens", "max_iterations", "max_seconds", "max_usd", "max_concurrency")
"""What may be bounded of a run, in the order in which it is told."""


def by_name(budget: Budget | BudgetModel) -> dict[str, int | float | None]:
    """Return every ceiling, None where nobody set one."""
    return {
        "max_tokens": budget.max_tokens,
        "max_iterations": budget.max_iterations,
        "max_seconds": budget.max_seconds,
        "max_usd": budget.max_usd,
        "max_concurrency": budget.max_concurrency,
    }
