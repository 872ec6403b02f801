"""Fields that have the same value whenever a loop goes back show no progress, whatever was done."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding, Related


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge back that is taken only while all fields of progress have certain values."""
    for found in case.flow.no_progress:
        edge = case.graph.edges[found.edge]
        if found.fixed and edge.loop is not None:
            related = (Related("progress_here", under(edge.loop.place, "progress")),)
            values = {"target": edge.target, "fields": edge.loop.progress}
            place = edge.part("otherwise" if edge.condition is None else "when")
            yield Finding("progress_fixed", place, values, subject=edge.source, related=related)
