"""A linked graph and tables of policies go in; what the policies answer to each kind and each edge comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grapharc.policy.owner.policy import TIERS, Decision, Effect, Resource
from grapharc.policy.owner.table import Sentinel, Table
from grapharc.spec.flattened import flat_edges
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Edge, LinkedGraph, Node
from grapharc.spec.nesting import every_node
from grapharc.spec.offers import Offer


@frozen
class Ruling:
    """What every policy answers to one request, and which nodes or edges of the graph make it.

    ``ends`` names one kind for a node, or the kind or sentinel at either end of an edge. ``nodes`` make the request by
    being of the kind, or by holding it. Nodes of subgraphs are called by the way to them, ``outer/inner``.
    """

    resource: Resource
    ends: tuple[str, ...]
    decisions: tuple[Decision, ...]
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    @property
    def effect(self) -> Effect:
        """The strictest answer, which is the one that counts."""
        answers = {decision.effect for decision in self.decisions}
        return next(effect for effect in TIERS if effect in answers)


def decide(graph: LinkedGraph, tables: Sequence[Table]) -> tuple[Ruling, ...]:
    """Decide every request that a graph makes, those of nodes first, in the order of the kinds' names."""
    return (*_decide_nodes(every_node(graph), tables), *_decide_edges(graph, tables))


def _decide_nodes(nodes: Iterable[Node], tables: Sequence[Table]) -> Iterable[Ruling]:
    offers: dict[str, Offer] = {}
    by_kind: dict[str, list[Node]] = {}
    for node in sorted(nodes, key=lambda node: node.name):
        for offer in (node.offer, *node.held):
            offers[offer.name] = offer
            by_kind.setdefault(offer.name, []).append(node)
    for kind in sorted(by_kind):
        decisions = tuple(table.node(offers[kind]) for table in tables)
        yield Ruling("node", (kind,), decisions, nodes=tuple(by_kind[kind]))


def _decide_edges(graph: LinkedGraph, tables: Sequence[Table]) -> Iterable[Ruling]:
    """A subgraph is no end of an edge: what it holds is judged where the edge leads inside, or comes from there."""
    by_pair: dict[tuple[str, str], list[Edge]] = {}
    ends: dict[str, Offer | Sentinel] = {}
    for flat in sorted(flat_edges(graph), key=lambda flat: (flat.source.name, flat.target.name)):
        pair = flat.source.kind, flat.target.kind
        for end in (flat.source, flat.target):
            ends[end.kind] = end.name if end.offer is None else end.offer
        by_pair.setdefault(pair, []).append(flat.edge)
    for pair in sorted(by_pair):
        decisions = tuple(table.edge(ends[pair[0]], ends[pair[1]]) for table in tables)
        yield Ruling("edge", pair, decisions, edges=tuple(by_pair[pair]))
