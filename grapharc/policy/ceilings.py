"""A graph's budget, its owner's limits and the caller's go in; of each ceiling the least, and who set it, comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from grapharc.policy.owner.policy import Policy
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Budget, LinkedGraph

Measure: TypeAlias = Literal[
    "max_tokens", "max_iterations", "max_seconds", "max_usd", "max_concurrency", "max_nodes", "max_depth"
]


@frozen
class Ceiling:
    """The least amount that somebody set. ``place`` is where, None for the caller's own; ``policy`` is "" for both."""

    amount: int | float
    policy: str
    place: Place | None


def ceilings(graph: LinkedGraph, policies: Sequence[Policy], limits: Budget) -> Mapping[Measure, Ceiling]:
    """Find the least of every ceiling; of equal ones the graph's own, then the first policy's."""
    found: dict[Measure, Ceiling] = {}
    for measure, amount in _amounts(graph.budget):
        _take(found, measure, amount, "", Place(graph.path, ("budget", measure)))
    for policy in policies:
        mine = (*_amounts(policy.ceilings.budget), *_sizes(policy))
        for measure, amount in mine:
            _take(found, measure, amount, policy.title, Place(policy.path, ("limits", measure)))
    for measure, amount in _amounts(limits):
        _take(found, measure, amount, "", None)
    return found


def budget(found: Mapping[Measure, Ceiling]) -> Budget:
    """Return what the ceilings leave to a run."""
    return Budget(
        max_tokens=_whole(found, "max_tokens"),
        max_iterations=_whole(found, "max_iterations"),
        max_seconds=found["max_seconds"].amount if "max_seconds" in found else None,
        max_usd=found["max_usd"].amount if "max_usd" in found else None,
        max_concurrency=_whole(found, "max_concurrency"),
    )


def _amounts(budget: Budget) -> tuple[tuple[Measure, int | float | None], ...]:
    return (
        ("max_tokens", budget.max_tokens),
        ("max_iterations", budget.max_iterations),
        ("max_seconds", budget.max_seconds),
        ("max_usd", budget.max_usd),
        ("max_concurrency", budget.max_concurrency),
    )


def _sizes(policy: Policy) -> tuple[tuple[Measure, int | float | None], ...]:
    return ("max_nodes", policy.ceilings.max_nodes), ("max_depth", policy.ceilings.max_depth)


def _take(
    found: dict[Measure, Ceiling], measure: Measure, amount: int | float | None, policy: str, place: Place | None
) -> None:
    if amount is not None and (measure not in found or amount < found[measure].amount):
        found[measure] = Ceiling(amount, policy, place)


def _whole(found: Mapping[Measure, Ceiling], measure: Measure) -> int | None:
    return int(found[measure].amount) if measure in found else None
