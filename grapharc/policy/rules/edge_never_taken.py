"""A node that cannot succeed goes on by its error edge alone."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge that would be taken only after a success that never is."""
    failing = case.flow.failing
    for edge in case.graph.edges if failing else ():
        if edge.source in failing and edge.form != "error":
            values = {"kind": case.graph.nodes[edge.source].offer.name, "target": edge.target}
            yield Finding("edge_never_taken", edge.place, values, subject=edge.source)
