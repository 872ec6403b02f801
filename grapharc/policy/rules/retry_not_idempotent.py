"""A kind that does more when it runs twice may have done its work before it failed."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import kind_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.linked import Node
from grapharc.spec.nesting import every_node
from grapharc.spec.offers import Offer


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node that is tried again though it, or a kind that it holds, may not run twice."""
    for node in case.graph.nodes.values():
        if node.retry is None or node.max_attempts == 1:
            continue
        once = next((offer for offer in _inside(node) if not offer.kind.idempotent), None)
        if once is not None:
            related = (Related("kind_here", kind_place(case.graph, node)),)
            yield Finding(
                "retry_not_idempotent", node.retry.place, {"kind": once.name}, subject=node.name, related=related
            )


def _inside(node: Node) -> Iterator[Offer]:
    """The kinds that run when a node does: of a subgraph those of its nodes."""
    if node.subgraph is None:
        yield from (node.offer, *node.held)
    else:
        for inner in every_node(node.subgraph):
            yield from (() if inner.subgraph else (inner.offer, *inner.held))
