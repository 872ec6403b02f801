"""A linked graph in; everything that is known about its flow, as one value, out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod

from grapharc.spec.flow.access import Access, access
from grapharc.spec.flow.activation import activations
from grapharc.spec.flow.amounts import Amounts, at_most, times
from grapharc.spec.flow.authors import Review, reviews
from grapharc.spec.flow.branches import Branch, branches
from grapharc.spec.flow.build import flow_graph
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.cost import Worst, by_node, inside, total
from grapharc.spec.flow.problems import NoEntry, Problem
from grapharc.spec.flow.progress import NoProgress, no_progress
from grapharc.spec.flow.starts import runs, starts
from grapharc.spec.flow.steering import Steered, steered
from grapharc.spec.flow.steps import decides
from grapharc.spec.flow.unordered import unordered
from grapharc.spec.flow.waits import Wait
from grapharc.spec.flow.written import early_reads, owed_outputs
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.nesting import depth, size, within
from grapharc.spec.offers import Dimension


@frozen(slots=False)
class Flow:
    """The flow of a graph, by the names of its nodes; each fact is computed once, when it is asked for."""

    graph: LinkedGraph
    control: Control
    access: Access
    max_concurrency: int | None
    """How much may run side by side, where that is limited."""
    inside: Mapping[str, Flow]
    """The flow of each subgraph, by the node that runs it."""

    @cached_property
    def activations(self) -> Mapping[str, Amounts]:
        """What one activation of each node may cost at worst."""
        return activations(self.graph, {name: _whole(inner) for name, inner in self.inside.items()})

    @cached_property
    def starts(self) -> Mapping[str, Amounts]:
        """The same for all its items and attempts."""
        return starts(self.graph, self.activations, self.max_concurrency)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes that can run, each after all that lead to it."""
        return tuple(self.control.graph.names[node] for node in self.control.order.nodes[1:])

    @cached_property
    def waits(self) -> Mapping[str, Wait]:
        """What each node waits for; an arc is an index, see ``source``."""
        names = self.control.graph.names
        return {names[node]: wait for node, wait in self.control.joins.waits.items()}

    def source(self, arc: int) -> str:
        """Name the node that an arc leaves."""
        return self.control.graph.names[self.control.graph.arcs.source[arc]]

    def is_back(self, arc: int) -> bool:
        """Tell whether an arc goes back to the header of a loop."""
        return arc in self.control.graph.arcs.back

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The nodes whose arcs leave only once their outcome is known, the start perhaps among them."""
        graph = self.control.graph
        return frozenset(graph.names[node] for node in self.control.order.nodes if decides(graph, node))

    @cached_property
    def failing(self) -> frozenset[str]:
        """The nodes that cannot succeed, of which only an error edge leads on."""
        return frozenset(self.control.graph.names[node] for node in self.control.graph.failing)

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The branches, in the order of the names of their nodes, with what they cover."""
        return branches(self.graph)

    @cached_property
    def steered(self) -> tuple[Steered, ...]:
        """The conditions that look at an open text that a model wrote."""
        return tuple(steered(self.graph))

    @cached_property
    def reviews(self) -> tuple[Review, ...]:
        """The nodes that review claims, those of subgraphs too, with who wrote them."""
        return tuple(reviews(self.graph))

    @cached_property
    def no_progress(self) -> tuple[NoProgress, ...]:
        """The loops that look for progress in vain."""
        return tuple(no_progress(self.graph, self.control, self.access, self.branches))

    @cached_property
    def steps(self) -> int:
        """The supersteps of the longest run, those of hidden merges included, and of all entries of subgraphs in it.

        What LangGraph is told is ``control.steps``, where a node is one step whatever runs inside: each entry of a
        subgraph is a run of LangGraph's own, with a bound of its own.
        """
        entries = {name: runs(self.graph.nodes[name]) * inner.steps for name, inner in self.inside.items()}
        return int(at_most(self.control.steps + inside(self.control, entries)))

    @cached_property
    def worst(self) -> Worst:
        """What a run may cost at worst."""
        return total(self.control, self.starts)

    @cached_property
    def worst_by_node(self) -> Mapping[str, Amounts]:
        """What each node may cost at worst in one run."""
        return by_node(self.control, self.starts)

    @cached_property
    def worst_within(self) -> Mapping[str, Amounts]:
        """What each node of a subgraph may cost at worst in one run, by its whole name."""
        found: dict[str, Amounts] = {}
        for name, inner in self.inside.items():
            entries = self.entries(name)
            for other, amounts in (*inner.worst_by_node.items(), *inner.worst_within.items()):
                found[within(name, other)] = Amounts(*(times(amount, entries) for amount in amounts))
        return found

    @cached_property
    def unknown_within(self) -> Mapping[Dimension, tuple[str, ...]]:
        """The nodes of subgraphs of which nobody knows what they cost, by their whole names."""
        found: dict[Dimension, list[str]] = {}
        for name, inner in self.inside.items():
            for each in (inner.worst.unknown, inner.unknown_within):
                for dimension, nodes in each.items():
                    found.setdefault(dimension, []).extend(within(name, node) for node in nodes)
        return {dimension: tuple(sorted(nodes)) for dimension, nodes in found.items()}

    def entries(self, name: str) -> int | float:
        """Say how often a node is entered at most: in all rounds, for all items, with all attempts."""
        rounds = prod(
            loop.rounds.max_rounds for loop in self.control.loops.around(self.control.graph.names.index(name))
        )
        return at_most(rounds * runs(self.graph.nodes[name]))

    @cached_property
    def depth(self) -> int:
        """How deep graphs are nested; one that holds no other is of depth 1."""
        return depth(self.graph)

    @cached_property
    def size(self) -> int:
        """How many nodes there are, those of subgraphs wherever they stand."""
        return size(self.graph)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong, and nothing that merely follows from something else that is."""
        control, data = self.control, self.access
        found = list(control.problems())
        if control.graph.dangling or control.graph.loose or any(isinstance(problem, NoEntry) for problem in found):
            return tuple(found)
        points, entries = control.together.points, control.joins.entries
        found.extend(early_reads(control.graph, control.order, entries, data, control.tainted, control.together))
        found.extend(owed_outputs(control.graph, points, data, control.joins.doomed))
        found.extend(unordered(control.graph, control.together, data, control.joins.unsound))
        return tuple(found)


def facts(graph: LinkedGraph, max_concurrency: int | None = None) -> Flow:
    """Collect the facts about a graph. ``max_concurrency`` is how much may run side by side, where that is limited."""
    return _facts(graph, max_concurrency, {})


def _facts(graph: LinkedGraph, most: int | None, known: dict[tuple[int, int | None], Flow]) -> Flow:
    """A subgraph that stands in several places has one flow, unless less may run side by side in one of them."""
    own = graph.budget.max_concurrency
    most = own if most is None else most if own is None else min(most, own)
    if (found := known.get((id(graph), most))) is not None:
        return found
    inside = {name: _facts(inner, most, known) for name, inner in graph.subgraphs}
    flow = flow_graph(graph)
    made = Flow(graph, Control(flow), access(graph, flow), most, inside)
    known[id(graph), most] = made
    return made


def _whole(flow: Flow) -> Amounts:
    """What is known of the cost of a whole graph."""
    known = flow.worst.known
    return Amounts(known["tokens"], known["usd"], known["seconds"], known["iterations"])
