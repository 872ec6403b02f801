"""A citation that stands in a text which the graph itself makes up says nothing of any source."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each verifier of ours whose source is a constant."""
    for node in case.graph.nodes.values():
        for read in node.reads if node.offer.kind.passing is not None else ():
            if read.port == "source_text" and not read.expression.reads:
                yield Finding("anchored_to_constant", read.place, {"kind": node.offer.name}, subject=node.name)
