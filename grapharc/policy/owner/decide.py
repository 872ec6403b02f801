"""A linked graph and tables of policies go in; what the policies answer to each kind and each edge comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.policy.owner.policy import TIERS, Decision, Effect, Resource
from grapharc.policy.owner.table import Sentinel, Table
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END, START, Edge, LinkedGraph, Node, Offer


@frozen
class Ruling:
    """What every policy answers to one request, and which nodes or edges of the graph make it.

    ``ends`` names one kind for a node, or the kind or sentinel at either end of an edge. ``nodes`` make the request by
    being of the kind, or by holding it.
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
    return (*_decide_nodes(graph.nodes, tables), *_decide_edges(graph, tables))


def _decide_nodes(nodes: Mapping[str, Node], tables: Sequence[Table]) -> Iterable[Ruling]:
    offers: dict[str, Offer] = {}
    by_kind: dict[str, list[Node]] = {}
    for name in sorted(nodes):
        node = nodes[name]
        for offer in (node.offer, *node.held):
            offers[offer.name] = offer
            by_kind.setdefault(offer.name, []).append(node)
    for kind in sorted(by_kind):
        decisions = tuple(table.node(offers[kind]) for table in tables)
        yield Ruling("node", (kind,), decisions, nodes=tuple(by_kind[kind]))


def _decide_edges(graph: LinkedGraph, tables: Sequence[Table]) -> Iterable[Ruling]:
    by_pair: dict[tuple[str, str], list[Edge]] = {}
    ends: dict[str, Offer | Sentinel] = {START: START, END: END}
    for edge in sorted(graph.every_edge, key=lambda edge: (edge.source, edge.target)):
        source, target = _end(graph, edge.source), _end(graph, edge.target)
        if source is not None and target is not None:
            pair = (_name(source), _name(target))
            ends[pair[0]], ends[pair[1]] = source, target
            by_pair.setdefault(pair, []).append(edge)
    for pair in sorted(by_pair):
        decisions = tuple(table.edge(ends[pair[0]], ends[pair[1]]) for table in tables)
        yield Ruling("edge", pair, decisions, edges=tuple(by_pair[pair]))


def _end(graph: LinkedGraph, name: str) -> Offer | Sentinel | None:
    if name in (START, END):
        return name
    node = graph.nodes.get(name)
    return None if node is None else node.offer


def _name(end: Offer | Sentinel) -> str:
    return end if isinstance(end, str) else end.name
