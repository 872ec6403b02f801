"""What others wrote about graphs agrees with reachability, order, dominators and circles."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import networkx as nx
import pytest

from grapharc.spec.flow.arcs import Arrow
from grapharc.spec.flow.build import build
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.problems import Cycle, Unreachable
from grapharc.spec.linked import END, START


def random_control(seed: int, acyclic: bool) -> tuple[Control, nx.DiGraph]:
    random = Random(seed)
    size = random.randint(1, 14)
    names = [f"n{index:02}" for index in range(size)]
    ranked = random.sample(names, size)
    arrows: set[tuple[str, str]] = set()
    for _ in range(random.randint(1, 3 * size)):
        one, other = random.choice(ranked), random.choice(ranked)
        if one != other:
            forward = ranked.index(one) < ranked.index(other)
            arrows.add((one, other) if forward or not acyclic else (other, one))
    arrows |= {(START, random.choice(names)) for _ in range(random.randint(1, 3))}
    arrows |= {(random.choice(names), END)}
    shuffled = random.sample(sorted(arrows), len(arrows))
    control = Control(build(names, [Arrow(one, other, edge=number) for number, (one, other) in enumerate(shuffled)]))
    graph = nx.DiGraph(shuffled)
    graph.add_nodes_from(names)
    return control, graph


@pytest.mark.parametrize("seed", range(150))
def test_reachability_is_that_of_networkx(seed: int) -> None:
    control, graph = random_control(seed, acyclic=False)
    reachable = nx.descendants(graph, START)
    unreached = {problem.node for problem in control.problems() if isinstance(problem, Unreachable)}
    assert unreached == set(control.graph.names) - reachable - {START, END}


@pytest.mark.parametrize("seed", range(150))
def test_order_and_dominators_are_those_of_networkx(seed: int) -> None:
    control, graph = random_control(seed, acyclic=True)
    names, points, tree = control.graph.names, control.together.points, control.together.tree
    place = {names[node]: index for index, node in enumerate(control.order.nodes)}
    reachable = (nx.descendants(graph, START) | {START}) - {END}
    assert set(place) == reachable
    assert all(place[one] < place[other] for one, other in graph.edges if {one, other} <= reachable)
    expected = nx.immediate_dominators(graph.subgraph(reachable), START)
    for name in reachable - {START}:
        point = points.of_node[names.index(name)]
        assert names[points.node[tree.parent[point]]] == expected[name]
        above = nx.ancestors(graph, name) & reachable | {name}
        assert {
            other for other in reachable if control.together.above[point] >> points.of_node[names.index(other)] & 1
        } == above
        for other in reachable:
            chain = {name}
            walk = name
            while walk != START:
                walk = expected[walk]
                chain.add(walk)
            assert tree.dominates(points.of_node[names.index(other)], point) == (other in chain)


@pytest.mark.parametrize("seed", range(150))
def test_one_shortest_circle_for_each_knot(seed: int) -> None:
    control, graph = random_control(seed, acyclic=False)
    reachable = graph.subgraph(nx.descendants(graph, START))
    knots = {frozenset(knot) for knot in nx.strongly_connected_components(reachable) if len(knot) > 1}
    circles = [problem for problem in control.problems() if isinstance(problem, Cycle)]
    for circle in circles:
        knot = next(knot for knot in knots if circle.way[0] in knot)
        knots.remove(knot)
        assert circle.way[0] == circle.way[-1]
        assert all(edge in graph.edges for edge in pairwise(circle.way))
        inside = graph.subgraph(knot)
        assert len(circle.way) - 1 == min(
            nx.shortest_path_length(inside, other, one) + 1 for one, other in inside.edges
        )
        for (one, other), edge in zip(pairwise(circle.way), circle.edges, strict=True):
            arc = next(arc for arc in control.graph.arcs if arc.edge == edge)
            assert (control.graph.names[arc.source], control.graph.names[arc.target]) == (one, other)
    assert not knots
