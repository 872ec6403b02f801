"""A timeout that is longer than the run may take never passes."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import ceiling_values
from grapharc.policy.places import row_of
from grapharc.spec.finding import Finding, Place, Related


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node that may take longer than the whole run."""
    ceiling = case.limits.get("max_seconds")
    if ceiling is None:
        return
    related = () if ceiling.place is None else (Related("ceiling_here", ceiling.place),)
    for node in case.graph.nodes.values():
        if node.timeout_seconds is not None and node.timeout_seconds > ceiling.amount:
            yield Finding(
                "timeout_beyond_budget",
                Place(node.place.document, (*row_of(node), "timeout_seconds")),
                {"timeout": node.timeout_seconds, **ceiling_values(ceiling)},
                subject=node.name,
                related=related,
            )
