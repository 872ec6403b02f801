"""The flow of a graph and rules over paths and flows go in; each way that one of them stops comes out, as a trail.

Each rule is judged by itself: of each node that it keeps something from the shortest way there is the trail. Of equally
short ones it is the one whose nodes come first by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from grapharc.policy.owner.ends import Ends, is_end, is_start
from grapharc.policy.owner.policy import Policy, Rule
from grapharc.policy.owner.selectors import EdgeSelector, HasLabel
from grapharc.policy.owner.witness import data_steps, held_steps, way_steps
from grapharc.spec.finding import Step
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.unfolded import Unfolded, unfold
from grapharc.spec.flow.ways import shortest_ways
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import Node

TOLD = 20
"""Of more nodes that a rule keeps something from, a witness is given for the nearest ones."""


@frozen
class Trail:
    """A way that a rule stops: the kinds and the names of both ends, and the last node on it, before which one asks.

    ``steps`` are its witness, empty for all but the nearest of very many.
    """

    policy: Policy
    rule: Rule
    kinds: tuple[str, str]
    ends: tuple[str, str]
    last: Node
    steps: tuple[Step, ...]


def trails(flow: Flow, rules: Sequence[tuple[Policy, Rule]]) -> Iterator[Trail]:
    """Yield the trails of each rule in turn, the shortest first."""
    graph = unfold(flow)
    ends = Ends(graph)
    for policy, rule in rules:
        find = _paths if rule.resource == "path" else _flows
        found: dict[int, _Found] = {}
        for pair in rule.edges:
            for one in find(graph, ends, rule, pair):
                if one.target not in found or one.length < found[one.target].length:
                    found[one.target] = one
        ordered = sorted(found.values(), key=lambda one: (one.length, graph.name(one.target)))
        for number, one in enumerate(ordered):
            yield _trail(graph, policy, rule, one, told=number < TOLD)


@frozen
class _Found:
    """A way by spots; a start, an end or a label that no node has stands for itself in ``kinds`` and ``ends``."""

    target: int
    kinds: tuple[str, str]
    ends: tuple[str, str]
    last: int
    length: int
    steps: Callable[[], tuple[Step, ...]]


def _trail(graph: Unfolded, policy: Policy, rule: Rule, one: _Found, *, told: bool) -> Trail:
    last, name = graph.nodes[one.last], graph.name(one.last)
    last = last if last.name == name else replace(last, name=name)
    return Trail(policy, rule, one.kinds, one.ends, last, one.steps() if told else ())


def _paths(graph: Unfolded, ends: Ends, rule: Rule, pair: EdgeSelector) -> Iterator[_Found]:
    via, root = ends.via(rule.unless_via), graph.root
    yield from _held(graph, ends, pair, via, within_kind=False)
    # The ends of a run are selected by their names alone, however wide a glob may be.
    sources = frozenset([root.start]) if is_start(pair.source) else ends.selected(pair.source)
    targets = frozenset([root.end]) if is_end(pair.target) else ends.selected(pair.target)
    if not sources or not targets:
        return
    ways = shortest_ways(graph, sources, targets, via)
    for target, length in ways.lengths.items():
        source = ways.source[target]
        last = target if target in graph.nodes else ways.before(target)
        if last in graph.nodes:  # a run without a node does nothing
            names = graph.name(source), graph.name(target)
            kinds = ends.kind(pair.source, source), ends.kind(pair.target, target)
            yield _Found(target, kinds, names, last, length, partial(way_steps, graph, ways, target))


def _flows(graph: Unfolded, ends: Ends, rule: Rule, pair: EdgeSelector) -> Iterator[_Found]:
    via = ends.via(rule.unless_via)
    yield from _held(graph, ends, pair, via, within_kind=True)
    targets, source = ends.selected(pair.target), pair.source
    if not (targets or is_end(pair.target) or isinstance(pair.target, HasLabel)):
        return
    found = ends.spread(source, via, rule.implicit)
    arrivals = {**found.into(targets)}
    if isinstance(pair.target, HasLabel):
        for spot, arrival in found.into_label(pair.target.name).items():
            if spot not in arrivals or arrival.come.length < arrivals[spot].come.length:
                arrivals[spot] = arrival
    out = found.out() if is_end(pair.target) else None
    if out is not None:
        arrivals[graph.root.end] = out
    for target, arrival in arrivals.items():
        cell, come = arrival
        origin = come.origin or cell
        last = target if target in graph.nodes else come.last
        if last in graph.nodes:
            names = found.came[0][origin].field or graph.name(origin.spot), graph.name(target)
            kinds = ends.kind(source, origin.spot), ends.kind(pair.target, target)
            yield _Found(target, kinds, names, last, come.length, partial(data_steps, graph, found, arrival))


def _held(
    graph: Unfolded, ends: Ends, pair: EdgeSelector, via: frozenset[int], *, within_kind: bool
) -> Iterator[_Found]:
    for spot, *kinds in ends.holding_both(pair, via, within_kind=within_kind):
        name, both = graph.name(spot), (kinds[0], kinds[1])
        yield _Found(spot, both, (name, name), spot, 0, partial(held_steps, graph, spot, both))
