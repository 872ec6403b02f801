"""Which store a kind reads and writes is the owner's word, never the graph's."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import kind_place, row_of
from grapharc.spec.arguments.formats import store_args
from grapharc.spec.finding import Finding, Place
from grapharc.spec.linked import Node


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each argument that is a store, of a node's kind or one that it holds, without a pin."""
    unpinned: dict[str, list[str]] = {}
    for node in case.graph.nodes.values():
        for offer in (node.offer, *node.held) if node.held else (node.offer,):
            if offer.name not in unpinned:
                unpinned[offer.name] = [arg for arg in store_args(offer.kind.args) if arg not in offer.pins]
            for arg in unpinned[offer.name]:
                yield _finding(case, node, offer.name, arg, own=offer is node.offer)


def _finding(case: Case, node: Node, kind: str, arg: str, *, own: bool) -> Finding:
    written = own and arg in node.args
    place = Place(node.place.document, (*row_of(node), "args", arg)) if written else kind_place(case.graph, node)
    values = {"arg": arg, "kind": kind, "written": "args" if written else ""}
    return Finding("store_not_pinned", place, values, subject=node.name)
