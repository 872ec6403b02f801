"""A field that nobody reads and no run hands out is work for nothing."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each of the graph's own fields that no node reads and that is no output."""
    graph = case.graph
    if graph.unlinked or graph.unbound or graph.missing_edges:
        return
    for field in graph.fields.values():
        if field.place.document == graph.path and not field.output and field.name not in graph.fields_read:
            yield Finding("field_never_read", field.place, subject=field.name)
