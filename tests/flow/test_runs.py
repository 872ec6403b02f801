"""Graphs without a problem run as they should: each node as often as tokens say, in no more steps than predicted."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from grapharc.spec.flow.activation import Amounts
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.cost import total
from grapharc.spec.flow.problems import ImpliedEnd, Unreachable
from tests.flow.brute import natural_loops
from tests.flow.generate import generate, tangle
from tests.flow.interpreter import by_seed, move, step

RUNS = 6


def admitted(graph: FlowGraph) -> Control:
    control = Control(graph)
    if any(not isinstance(problem, ImpliedEnd | Unreachable) for problem in control.problems()):
        pytest.skip("refused")
    return control


@pytest.mark.parametrize("seed", range(300))
def test_runs_of_admitted_graphs(seed: int) -> None:
    check(admitted(generate(seed, failures=seed % 4 == 0)), seed)


@pytest.mark.parametrize("seed", range(200))
def test_runs_without_structure(seed: int) -> None:
    check(admitted(tangle(seed, failures=seed % 4 == 0)), seed)


def check(control: Control, seed: int) -> None:
    graph = control.graph
    bodies = natural_loops(graph, control.order.nodes)
    for run in range(RUNS):
        choose = by_seed(1000 * seed + run)
        stepped = step(graph, bodies, control.joins.waits, choose)
        moved = move(graph, bodies, choose, Random(run))
        assert stepped.failed == moved.failed
        assert stepped.steps <= control.steps
        if not stepped.failed:
            assert stepped.count == moved.count
        assert spent(stepped.count, graph) <= total(control, prices(graph)).known["tokens"]


def prices(graph: FlowGraph) -> dict[str, Amounts]:
    return {name: Amounts(3 ** (index % 7), 0, 0, 0) for index, name in enumerate(graph.names) if 0 < index < graph.end}


def spent(count: Counter[int], graph: FlowGraph) -> int:
    return sum(times * 3 ** (node % 7) for node, times in count.items() if node)
