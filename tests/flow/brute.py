"""The definitions of flow taken at their word, for small graphs: all choices of outcomes are gone through.

A guard is the set of the choices under which something happens, as a bit set of their numbers. Each loop is a region of
its own, in which the loops inside it are single items whose outcomes are their exits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from grapharc.spec.flow.arcs import FlowGraph

Tree: TypeAlias = "int | tuple[str, frozenset[Tree]]"
TOP = -1
LIMIT = 1 << 12


class TooLarge(Exception):
    """Too many choices."""


@dataclass
class Region:
    """A loop's round, or the whole graph: what happens in it under each choice."""

    header: int
    everything: int = 0
    guard: dict[int, int] = field(default_factory=dict[int, int])
    """Of nodes, and of the headers of inner loops for the whole loop."""
    outcome: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By item and outcome (of a node) or exit (an arc of a loop), the choices that take it if the item happens."""
    failed: int = 0


@dataclass
class Brute:
    """All facts by definition. ``broken`` has the code of each join whose tree does not work; ``leaking`` headers."""

    graph: FlowGraph
    nodes: frozenset[int]
    bodies: dict[int, set[int]]
    trees: dict[int, Tree] = field(default_factory=dict[int, Tree])
    broken: dict[int, str] = field(default_factory=dict[int, str])
    stuck: set[int] = field(default_factory=set[int])
    """Joins that do not get all they wait for, and loops that leak, but in runs that fail anyway."""
    leaking: set[int] = field(default_factory=set[int])
    regions: dict[int, Region] = field(default_factory=dict[int, Region])

    def inside(self, node: int) -> list[int]:
        """The headers of the loops around a node, the innermost first, then TOP."""
        around = [header for header, body in self.bodies.items() if node in body]
        return [*sorted(around, key=lambda header: len(self.bodies[header])), TOP]

    def item(self, node: int, region: int) -> int | None:
        """The item of a region that a node is, or lies in, as a node or as ``~header``; None outside."""
        around = self.inside(node)
        if region not in around:
            return None
        place = around.index(region)
        return node if place == 0 else ~around[place - 1]

    def arrives(self, target: int, region: int) -> bool:
        """Whether an arc to a node arrives in this region: at a node of it, or at the header of a loop in it."""
        around = self.inside(target)
        if around[0] == target:
            around = around[1:]
        return around[0] == region

    def exits(self, header: int) -> list[int]:
        """The arcs that leave a loop for good; of a path that ends inside, the complement of its outcome."""
        again = {index for index, arc in enumerate(self.graph.arcs) if self.graph.outcomes[arc.outcome].turn == "again"}
        return [arc for arc in self.leaving(header) if arc not in again]

    def leaving(self, header: int) -> list[int]:
        """The arcs that leave a loop, those beside an edge that goes back among them."""
        body = self.bodies[header]
        found = [index for index, arc in enumerate(self.graph.arcs) if arc.source in body and arc.target not in body]
        for number, outcome in enumerate(self.graph.outcomes):
            if outcome.node in body and not self.graph.arcs_of[number]:
                found.append(~number)
        return found

    def source(self, arc: int) -> int:
        return self.graph.arcs[arc].source if arc >= 0 else self.graph.outcomes[~arc].node

    def number(self, arc: int) -> int:
        return self.graph.arcs[arc].outcome if arc >= 0 else ~arc

    def taken(self, arc: int, region: Region) -> int:
        """The choices under which an arc is taken."""
        item = self.item(self.source(arc), region.header)
        assert item is not None
        key = (item, self.number(arc)) if item >= 0 else (item, arc)
        # An arc beside one that goes back, out of a loop inside, is no exit of that: it is the loop inside that leaks.
        return region.guard[item] & region.outcome.get(key, 0)

    def entries(self, node: int, region: int) -> list[int]:
        """The arcs into a node from within the region, without those that go back or are taken beside one that does."""
        graph = self.graph
        return [
            index
            for index, arc in enumerate(graph.arcs)
            if arc.target == node
            and not arc.back
            and graph.outcomes[arc.outcome].turn != "again"
            and arc.source in self.nodes
            and self.item(arc.source, region) is not None
            and (region == TOP or node != region)
        ]


def natural_loops(graph: FlowGraph, nodes: Sequence[int]) -> dict[int, set[int]]:
    """The header and all that reaches an edge back without passing the header."""
    found: dict[int, set[int]] = {}
    for header, arcs in graph.returning.items():
        if header not in nodes:
            continue
        body = {header}
        todo = [graph.arcs[arc].source for arc in arcs]
        while todo:
            node = todo.pop()
            if node not in body and node in nodes:
                body.add(node)
                todo.extend(arc.source for arc in graph.arcs if arc.target == node)
        if len(body) > 1 or any(graph.arcs[arc].source == header for arc in arcs):
            found[header] = body
    return found


def brute(graph: FlowGraph, nodes: Sequence[int]) -> Brute:
    """Work out all regions, the outermost first; ``nodes`` are in an order."""
    facts = Brute(graph, frozenset(nodes), natural_loops(graph, nodes))
    headers = sorted(facts.bodies, key=lambda header: -len(facts.bodies[header]))
    for header in (TOP, *headers):
        facts.regions[header] = _region(facts, nodes, header)
    return facts


def _region(facts: Brute, nodes: Sequence[int], header: int) -> Region:
    region = Region(header)
    members = [node for node in nodes if facts.item(node, header) is not None]
    items: list[int] = []
    for node in members:
        item = facts.item(node, header)
        if item is not None and item not in items:
            items.append(item)
    choices = {item: _choices(facts, item) for item in items}
    size = prod(len(mine) or 1 for mine in choices.values())
    if size > LIMIT:
        raise TooLarge
    region.everything = (1 << size) - 1
    stride = 1
    for item, mine in choices.items():
        for index, choice in enumerate(mine):
            chosen = (number for number in range(size) if number // stride % len(mine) == index)
            region.outcome[item, choice] = sum(1 << number for number in chosen)
        stride *= len(mine) or 1
    guards = _guards(facts, region, items)
    region.failed = _failed(facts, region, items, choices)
    if header != TOP:
        _leak(facts, region)
    for node, mine in guards.items():
        code = _fault(facts.trees[node], mine, region.failed)
        if code:
            facts.broken[node] = code
        elif _fault(facts.trees[node], mine, 0):
            facts.stuck.add(node)
    return region


def _guards(facts: Brute, region: Region, items: Sequence[int]) -> dict[int, dict[int, int]]:
    """Fill in when each item happens; give, for each node with a tree, when the arcs into it are taken."""
    first = facts.item(0 if region.header == TOP else region.header, region.header)
    found: dict[int, dict[int, int]] = {}
    for item in items:
        node = item if item >= 0 else ~item
        arcs = facts.entries(node, region.header)
        region.guard[item] = region.everything if item == first else 0
        if arcs and item != first:
            guards = found[node] = {arc: facts.taken(arc, region) for arc in arcs}
            facts.trees[node] = tree = decide(arcs, lambda one, other, g=guards: not g[one] & g[other])
            region.guard[item] = _guard(tree, guards)
    return found


def _failed(facts: Brute, region: Region, items: Sequence[int], choices: dict[int, list[int]]) -> int:
    """The choices under which the run fails: here, or surely once the loop is left."""
    failed = 0
    for item in items:
        if item in facts.graph.failing and not choices[item]:
            failed |= region.guard[item]
    if region.header == TOP:
        return failed
    outer = facts.regions[facts.inside(region.header)[1]]
    targets: set[int] = set()
    for arc in facts.exits(region.header):
        whole = outer.guard[~region.header] & outer.outcome[~region.header, arc]
        if arc >= 0 and whole and whole & ~outer.failed == 0:
            targets.add(facts.graph.arcs[arc].target)
    for arc in facts.leaving(region.header):
        if arc >= 0 and facts.graph.arcs[arc].target in targets:
            failed |= facts.taken(arc, region)
    return failed


def _choices(facts: Brute, item: int) -> list[int]:
    return list(facts.graph.outcomes_of[item]) if item >= 0 else facts.exits(~item)


def _leak(facts: Brute, region: Region) -> None:
    """Each round that does not fail takes exactly one arc that goes back or leaves; no single outcome takes two."""
    back = [arc for arc in facts.graph.returning[region.header] if facts.graph.arcs[arc].source in facts.nodes]
    ways = {*back, *facts.leaving(region.header)}
    once = twice = 0
    for arc in ways:
        mine = facts.taken(arc, region)
        twice |= once & mine
        once |= mine
    direct = [facts.number(arc) for arc in ways if facts.item(facts.source(arc), region.header) == facts.source(arc)]
    if twice & ~region.failed or len(direct) > len(set(direct)):
        facts.leaking.add(region.header)
    elif twice:
        facts.stuck.add(region.header)


def decide(arcs: Sequence[int], exclude: Callable[[int, int], bool]) -> Tree:
    """Take the exclusion relation apart, by the definition of a wait tree."""
    if len(arcs) == 1:
        return arcs[0]
    parts = _components(arcs, exclude)
    if len(parts) > 1:
        return "all", frozenset(decide(part, exclude) for part in parts)
    parts = _components(arcs, lambda one, other: not exclude(one, other))
    if len(parts) > 1:
        return "any", frozenset(decide(part, exclude) for part in parts)
    return "undecidable", frozenset(arcs)


def _components(arcs: Sequence[int], related: Callable[[int, int], bool]) -> list[list[int]]:
    rest = set(arcs)
    found: list[list[int]] = []
    while rest:
        part = [min(rest)]
        rest.remove(part[0])
        for member in part:
            near = {other for other in rest if related(member, other)}
            rest -= near
            part.extend(near)
        found.append(sorted(part))
    return found


def _guard(tree: Tree, guards: dict[int, int]) -> int:
    if isinstance(tree, int):
        return guards[tree]
    form, parts = tree
    masks = [_guard(part, guards) for part in parts]
    whole = masks[0]
    for mask in masks[1:]:
        whole = whole | mask if form == "any" else whole & mask
    return whole


def _fault(tree: Tree, guards: dict[int, int], failed: int) -> str | None:
    if isinstance(tree, int):
        return None
    form, parts = tree
    if form == "undecidable":
        return "join_undecidable"
    inner = [code for part in parts if (code := _fault(part, guards, failed))]
    if inner:
        return inner[0]
    if form == "all" and len({_guard(part, guards) & ~failed for part in parts}) > 1:
        return "join_may_never_fire"
    return None


def leaves(tree: Tree) -> Iterable[int]:
    """List the arcs of a tree."""
    if isinstance(tree, int):
        yield tree
    else:
        for part in tree[1]:
            yield from leaves(part)
