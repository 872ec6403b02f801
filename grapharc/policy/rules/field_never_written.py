"""A field that nobody writes is its default for ever."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding
from grapharc.spec.types import MISSING


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each of the graph's own fields that is used and never gets a value but its default.

    One without a default is reported where it is read, or as an output that is not written.
    """
    graph = case.graph
    if graph.unlinked or graph.unbound or graph.missing_edges:
        return
    for field in graph.fields.values():
        is_used = field.output or field.name in graph.fields_read
        is_constant = not field.input and field.default is not MISSING and field.name not in graph.writers
        if is_used and is_constant and field.place.document == graph.path:
            yield Finding("field_never_written", field.place, subject=field.name)
