"""A port that is bound by its name alone to a field that others write too may do so by accident."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import row_of
from grapharc.spec.finding import Edit, Finding, Fix


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the binding to spell out, for each implicit write of a field that has another writer."""
    nodes = case.graph.nodes.values()
    writers = case.graph.writers
    for node in nodes:
        shared = [write for write in node.writes if write.implicit and writers[write.field] > 1]
        if not shared:
            continue
        spelt = {write.port: write.field for write in node.writes}
        fix = Fix(node.place.document, (Edit("set", (*row_of(node), "writes"), spelt),), safe=True)
        for write in shared:
            values = {"port": write.port, "field": write.field}
            yield Finding("shared_implicit_write", node.place, values, subject=node.name, fixes=(fix,))
