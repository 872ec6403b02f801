"""A linked graph, the facts of its flow and the policies go in; what each decision about it stands on comes out.

The same grounds decide before a run and during it: what differs is only how much of a situation is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter

from grapharc.policy.owner.conditions import conditions_of
from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy, Rule
from grapharc.policy.owner.selects import names_of
from grapharc.policy.owner.situation import Situation, Values, node_facts, pinned, told
from grapharc.policy.owner.table import Holds, Table
from grapharc.spec.documents.policy import Resource
from grapharc.spec.expressions.constant import constant
from grapharc.spec.finding import Finding
from grapharc.spec.flow.facts import Flow
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.nesting import every_node, within
from grapharc.spec.offers import CAPABILITIES, Capability, Offer
from grapharc.spec.templates import render
from grapharc.spec.types import JSON, Missing
from grapharc.spec.values import conform


@frozen
class Asker:
    """A node as requests are made by it: under its whole name, with what lies around it."""

    node: Node
    in_loop: bool
    in_map: bool

    @property
    def name(self) -> str:
        """The way to it, ``outer/inner``."""
        return self.node.name


class Grounds:
    """The tables of all policies for one tenant, the conditions of their rules, and the situation of each request."""

    def __init__(self, graph: LinkedGraph, flow: Flow, policies: Sequence[Policy], tenant: str | None) -> None:
        self.tables = tuple(Table(policy, tenant) for policy in policies)
        self.tenant = tenant or DEFAULT_TENANT
        self.named = tenant
        """The tenant as it was named; None where nobody did."""
        self.graph = graph
        self.conditions = conditions_of(graph.registry, policies)
        self.broken: set[Rule] = set()
        """The rules that were asked for and whose ``when`` cannot be evaluated as written."""
        self.asks = any(rule.when for policy in policies for rule in policy.rules)
        self._flow = flow
        self._whole = Situation(self.tenant, Values(_graph_facts(graph, flow)))

    @property
    def findings(self) -> Iterator[Finding]:
        """What is wrong with conditions for the kinds that their rules match."""
        if self.asks:
            yield from self.conditions.findings(node.offer for node in every_node(self.graph))

    @property
    def names(self) -> Sequence[str]:
        """The names of the nodes, the start and the end, sorted."""
        return sorted(self._flow.control.graph.names)  # where they stand in order almost

    @property
    def nodes(self) -> Sequence[Node]:
        """Every node by its whole name, sorted."""
        if self.graph.subgraphs:
            return sorted(every_node(self.graph), key=attrgetter("name"))
        nodes = self.graph.nodes
        return [nodes[name] for name in self.names if name in nodes]

    def askers(self) -> Iterator[Asker]:
        """Yield every node, those of subgraphs under their whole names."""
        yield from _askers(self.graph, self._flow, "", in_loop=False, in_map=False)

    def holds(self, offer: Offer | None, situation: Situation) -> Holds:
        """Return what tells of a rule whether its ``when`` holds for a kind in a situation."""
        return partial(self._holds, offer, situation)

    def applies(self, rule: Rule) -> bool:
        """Tell whether a rule that looks at no single node, such as one over paths, is in force for this graph."""
        return self.conditions.holds(rule, None, self._whole) is True

    def rules(self, table: Table, *resources: Resource) -> Sequence[Rule]:
        """Return the rules over paths or flows that are in force, in the order in which they decide."""
        return [rule for rule in table.rules(*resources) if self.applies(rule)]

    @property
    def whole(self) -> Situation:
        """What is known of a request that no single node makes."""
        return self._whole

    def of_node(self, asker: Asker) -> Situation:
        """Return what is known before a run of what a node is given."""
        node = asker.node
        known = {**node.args}
        unknown = {str(arg.path[0]) for arg in node.expressions}
        for arg in node.templates:
            name, *inside = arg.path
            if arg.template.holes or inside:
                unknown.add(str(name))
            else:
                known[str(name)] = render(arg.template, {})
        inputs = known_inputs(node)
        values = {name: value for name, value in known.items() if name not in unknown} | inputs
        unknown |= node.offer.kind.reads.keys() - inputs.keys()
        return self.at(asker).given(*told(node.offer, values, frozenset(unknown)))

    def of_held(self, asker: Asker, offer: Offer) -> Situation:
        """Return what is known before a run of a kind that a node holds: a model gives it all that is not pinned."""
        return self.at(asker).given(pinned(offer), Values(unknown=frozenset(offer.kind.reads)))

    def at(self, asker: Asker) -> Situation:
        """Return what is known of a node apart from what it is given."""
        node, offer = asker.node, asker.node.offer
        facts = node_facts(
            offer,
            node.roles,
            node.capabilities,
            node.labels,
            in_loop=asker.in_loop,
            in_map=asker.in_map,
            timeout_seconds=node.timeout_seconds,
        )
        return Situation(self.tenant, self._whole.graph, Values(facts), names_of(offer))

    def _holds(self, offer: Offer | None, situation: Situation, rule: Rule) -> bool | None:
        if self.conditions.is_broken(rule, offer):
            self.broken.add(rule)
        return self.conditions.holds(rule, offer, situation)


def capabilities_of(graph: LinkedGraph) -> tuple[Capability, ...]:
    """Return what any node of a graph may touch, in the order of the names."""
    used = {capability for node in graph.nodes.values() for capability in node.capabilities}
    return tuple(capability for capability in sorted(CAPABILITIES) if capability in used)


def _graph_facts(graph: LinkedGraph, flow: Flow) -> Mapping[str, Json]:
    return {
        "capabilities": list(capabilities_of(graph)),
        "labels": list(graph.labels),
        "node_count": flow.size,
        "depth": flow.depth,
    }


def known_inputs(node: Node) -> dict[str, Json]:
    """What is known of inputs: one bound to a constant has that value, and one that nothing is bound to its default."""
    known: dict[str, Json] = {}
    bound = {read.port: read.expression.tree for read in node.reads}
    ports = node.offer.kind.reads
    for name, port in ports.items():
        value = constant(bound[name]) if name in bound else None
        if value is not None:
            known[name] = conform(JSON)(value.value)
        elif name not in bound and not isinstance(port.default, Missing):
            known[name] = port.default
    return known


def _askers(graph: LinkedGraph, flow: Flow, prefix: str, *, in_loop: bool, in_map: bool) -> Iterator[Asker]:
    loops, names = flow.control.loops, flow.control.graph.names
    looping = {name for number, name in enumerate(names) if loops.inside[number] >= 0} if loops.by_header else ()
    for node in graph.nodes.values():
        loop, mapped = in_loop or node.name in looping, in_map or node.map is not None
        whole = within(prefix, node.name)
        yield Asker(replace(node, name=whole) if prefix else node, loop, mapped)
        if node.subgraph is not None:
            yield from _askers(node.subgraph, flow.inside[node.name], whole, in_loop=loop, in_map=mapped)
