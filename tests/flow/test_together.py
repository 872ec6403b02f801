"""Points that happen together are shown by two ways that touch only where they begin; others have none."""

from __future__ import annotations

from itertools import combinations, pairwise

import networkx as nx
import pytest

from grapharc.spec.flow.control import Control
from grapharc.spec.flow.problems import ImpliedEnd, Unreachable
from tests.flow.generate import generate, tangle


def ways_apart(control: Control, one: int, other: int) -> bool:
    """By the definition: some fork from which two ways lead to the points and touch nowhere else (Menger)."""
    points = control.together.points
    ways = nx.DiGraph()
    for point in range(len(points.node)):
        ways.add_edge((point, "in"), (point, "out"), capacity=1)
        for near in points.after[point]:
            ways.add_edge((point, "out"), (near, "in"), capacity=1)
    for goal in (one, other):
        ways.add_edge((goal, "out"), "both", capacity=1)
    forks = (point for point in range(len(points.node)) if not points.chooses[point])
    return any(nx.maximum_flow_value(ways, (fork, "out"), "both") == 2 for fork in forks)


@pytest.mark.parametrize("seed", range(120))
def test_two_ways(seed: int) -> None:
    control = Control(tangle(seed, failures=False) if seed % 2 else generate(seed, room=6, failures=False))
    if any(not isinstance(problem, ImpliedEnd | Unreachable) for problem in control.problems()):
        pytest.skip("refused")
    together, points = control.together, control.together.points
    takers = [point for point in range(len(points.node)) if not points.chooses[point]]
    for one, other in combinations(takers, 2):
        expected = together.ordered(one, other) or ways_apart(control, one, other)
        assert together.happen(one, other) == expected
        for pair in ((one, other), (other, one)) if expected else ():
            ways = together.ways(*pair)
            if ways is None:
                continue
            assert (ways[0][-1], ways[1][-1]) == pair
            assert ways[0][0] == ways[1][0]
            assert not points.chooses[ways[0][0]]
            assert not {*ways[0][1:]} & {*ways[1][1:]}
            assert all(near in points.after[point] for way in ways for point, near in pairwise(way))
