"""What decisions about a graph stand on goes in; what the policies answer to each of its requests comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TypeAlias

from grapharc.policy.owner.grounds import Asker, Grounds
from grapharc.policy.owner.policy import Decision, Rule, strictest
from grapharc.policy.owner.table import Holds, Sentinel, Table, nobody_knows
from grapharc.spec.documents.policy import Effect, Resource
from grapharc.spec.flattened import flat_edges
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END, START, Edge, LinkedGraph, Node
from grapharc.spec.nesting import every_graph
from grapharc.spec.offers import Offer

Answer: TypeAlias = "Callable[[Table, Holds], Decision]"
"""How one table answers a request."""


@frozen
class Ruling:
    """What every policy answers to one request, and which nodes or edges of the graph make it.

    ``ends`` names one kind for a node, a tool or spend, or the kind or sentinel at either end of an edge, a path or a
    flow. ``nodes`` make the request by being of the kind, or by holding it. Nodes of subgraphs are called by the way to
    them, ``outer/inner``. ``before`` are other nodes before which a person is asked.
    """

    resource: Resource
    ends: tuple[str, ...]
    decisions: tuple[Decision, ...]
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    before: tuple[str, ...] = ()
    worst: float | None = None
    """Of spend, what one activation may cost at worst in usd; None where nobody knows, which is told by itself."""

    @property
    def effect(self) -> Effect:
        """The strictest answer, which is the one that counts."""
        return strictest(self.decisions).effect

    @property
    def pending(self) -> tuple[tuple[Decision, Rule], ...]:
        """The rules of which only the run knows whether they hold, each with the answer that it may change."""
        if self.effect == "deny":
            return ()
        return tuple((decision, rule) for decision in self.decisions for rule in decision.pending)

    @property
    def holds(self) -> tuple[tuple[Decision, Rule], ...]:
        """The rules that ask for a person, those included of which only the run knows whether they hold."""
        if self.effect == "deny":
            return ()
        asking = [(each, each.rule) for each in self.decisions if each.effect == "ask" and each.rule is not None]
        perhaps = [(each, rule) for each, rule in self.pending if rule.effect == "ask" and rule is not each.rule]
        return (*asking, *perhaps)

    @property
    def held_before(self) -> tuple[str, ...]:
        """The nodes before which a person is asked, and the end where an edge leads there."""
        return (*(node.name for node in self.nodes), *(edge.target for edge in self.edges), *self.before)


def decide(graph: LinkedGraph, grounds: Grounds) -> tuple[Ruling, ...]:
    """Decide every request that a graph makes: those of nodes, of tools and of edges, by the kinds' names."""
    requests = _Requests(grounds)
    if grounds.asks:
        for asker in sorted(grounds.askers(), key=attrgetter("node.name")):
            requests.of(asker)
    else:
        for node in grounds.nodes:
            requests.by_kind(node)
    return (*requests.rulings("node"), *requests.rulings("tool"), *_decide_edges(graph, grounds))


class _Requests:
    """What nodes ask for. Those of one kind that are answered alike make one request."""

    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._alike: dict[tuple[Resource, str], list[Node]] = {}
        """Where no rule asks for more than kinds, by kind the nodes of the one request that it makes."""
        self._found: dict[tuple[Resource, str], dict[tuple[object, ...], tuple[tuple[Decision, ...], list[Node]]]] = {}

    def of(self, asker: Asker) -> None:
        """Decide what a node asks for: to be of its kind, to use it if it is a tool, and to hold what it holds."""
        grounds, node = self._grounds, asker.node
        holds = grounds.holds(node.offer, grounds.of_node(asker))
        self._note("node", node.offer, node, holds)
        if node.offer.kind.tool:
            self._note("tool", node.offer, node, holds)
        for offer in node.held:
            self._note("tool", offer, node, grounds.holds(offer, grounds.of_held(asker, offer)))

    def by_kind(self, node: Node) -> None:
        """Decide the same where no rule asks for more than kinds: what one node of a kind asks for, each does."""
        self._like_others("node", node.offer, node)
        if node.offer.kind.tool:
            self._like_others("tool", node.offer, node)
        for offer in node.held:
            self._like_others("tool", offer, node)

    def rulings(self, resource: Resource) -> Iterator[Ruling]:
        """Yield the rulings about one resource, by the names of the kinds."""
        for (about, kind), groups in sorted(self._found.items(), key=lambda item: item[0]):
            for decisions, nodes in groups.values() if about == resource else ():
                yield Ruling(resource, (kind,), decisions, nodes=tuple(nodes))

    def _like_others(self, resource: Resource, offer: Offer, node: Node) -> None:
        others = self._alike.get((resource, offer.name))
        if others is None:
            self._alike[resource, offer.name] = self._note(resource, offer, node, nobody_knows)
        else:
            others.append(node)

    def _note(self, resource: Resource, offer: Offer, node: Node, holds: Holds) -> list[Node]:
        """Put a node to those that ask for the same and are answered alike; return all of them."""
        decisions = tuple(answer(table, resource, offer, holds) for table in self._grounds.tables)
        groups = self._found.setdefault((resource, offer.name), {})
        key = tuple((each.effect, id(each.rule), *map(id, each.pending)) for each in decisions)
        nodes = groups.setdefault(key, (decisions, []))[1]
        nodes.append(node)
        return nodes


def answer(table: Table, resource: Resource, offer: Offer, holds: Holds) -> Decision:
    """Return what a policy answers to a node's or a tool's request."""
    return table.node(offer, holds) if resource == "node" else table.tool(offer, holds)


def _decide_edges(graph: LinkedGraph, grounds: Grounds) -> Iterable[Ruling]:
    """A subgraph is no end of an edge: what it holds is judged where the edge leads inside, or comes from there."""
    by_kinds = _by_kinds(graph, grounds.names)
    ends: dict[str, Offer | Sentinel] = {START: START, END: END}
    for one in every_graph(graph):
        ends |= {node.offer.name: node.offer for node in one.nodes.values()}
    holds = grounds.holds(None, grounds.whole)
    for pair in sorted(by_kinds):
        decisions = tuple(table.edge(ends[pair[0]], ends[pair[1]], holds) for table in grounds.tables)
        yield Ruling("edge", pair, decisions, edges=tuple(by_kinds[pair]))


def _by_kinds(graph: LinkedGraph, names: Iterable[str]) -> Mapping[tuple[str, str], list[Edge]]:
    """Collect the edges by the kinds or sentinels at both ends, in the order of the names of the ends."""
    found: dict[tuple[str, str], list[Edge]] = {}
    if graph.subgraphs:
        for flat in sorted(flat_edges(graph), key=attrgetter("edge.source", "edge.target")):
            found.setdefault((flat.source.kind, flat.target.kind), []).append(flat.edge)
        return found
    kinds = {START: START, END: END, **{name: node.offer.name for name, node in graph.nodes.items()}}
    for edge in _by_ends(graph, names):
        if edge.source in kinds and edge.target in kinds:
            found.setdefault((kinds[edge.source], kinds[edge.target]), []).append(edge)
    return found


def _by_ends(graph: LinkedGraph, names: Iterable[str]) -> Sequence[Edge]:
    """Sort the edges by the names of their ends. Of most nodes, by their names, one edge leaves: it is in no list."""
    first: dict[str, Edge] = {}
    several: dict[str, list[Edge]] = {}
    for edge in graph.every_edge:
        before = first.setdefault(edge.source, edge)
        if before is not edge:
            several.setdefault(edge.source, [before]).append(edge)
    found: list[Edge] = []
    by_target = attrgetter("target")
    for name in names:
        if name in several:
            found += sorted(several[name], key=by_target)
        elif name in first:
            found.append(first[name])
    return found
