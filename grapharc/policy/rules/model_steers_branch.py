"""Who can make a model write what they like can lead a run where they like."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import write_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.frozen import replace


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each condition over an open text that a model wrote."""
    for found in case.flow.steered:
        edge = case.graph.edges[found.edge]
        condition = edge.condition
        if condition is not None:
            written = Related("written_here", write_place(case, found.writer, found.field), {"node": found.writer})
            yield Finding(
                "model_steers_branch",
                replace(edge.part("when"), within=found.span),
                {"field": found.field, "looked_at": condition.text[found.span.start : found.span.end]},
                subject=edge.source,
                related=(written,),
            )
