"""A kind that cannot fail never takes its error edge."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Edit, Finding, Fix
from grapharc.spec.linked import Node


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each error edge of a node that always succeeds."""
    for edge in case.graph.edges:
        if edge.form != "error":
            continue
        node = case.graph.nodes.get(edge.source)
        if node is not None and _cannot_fail(node):
            row = edge.place.path[:2]
            yield Finding(
                "error_edge_unreachable",
                edge.part("on"),
                {"kind": node.offer.name, "target": edge.target},
                subject=edge.source,
                fixes=(Fix(edge.place.document, (Edit("remove", row),), safe=False),),
            )


def _cannot_fail(node: Node) -> bool:
    """A timeout can pass wherever there is one, and a list can be too long."""
    return node.offer.kind.never_fails and node.timeout_seconds is None and node.map is None
