"""Graphs without a problem run as they should: each node as often as tokens say, in no more steps than predicted."""

from __future__ import annotations

from collections import Counter
from random import Random

import networkx as nx
import pytest

from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.cost import total
from grapharc.spec.flow.problems import ImpliedEnd, Unreachable
from tests.flow.brute import TOP, Brute, TooLarge, brute, natural_loops
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


@pytest.mark.parametrize("seed", range(300))
def test_the_dearest_run_is_found(seed: int) -> None:
    """By definition: of a round the dearest choice of outcomes, times the rounds; of what follows the dearest too."""
    control = admitted(tangle(seed, failures=False) if seed % 2 else generate(seed, failures=False))
    try:
        facts = brute(control.graph, control.order.nodes)
    except TooLarge:
        pytest.skip("too many choices")
    assert total(control, prices(control.graph)).known["tokens"] == dearest(facts, TOP)


@pytest.mark.parametrize("seed", range(200))
def test_seconds_are_those_of_the_longest_way(seed: int) -> None:
    control = admitted(tangle(seed, failures=False) if seed % 2 else generate(seed, failures=False))
    graph = control.graph
    if control.loops.by_header:
        pytest.skip("a loop")
    seconds = {name: Amounts(0, 0, number % 5, 0) for number, name in enumerate(graph.names) if 0 < number < graph.end}
    ways = nx.DiGraph()
    for arc in graph.arcs:
        if control.order.place[arc.source] >= 0:
            ways.add_edge(arc.source, arc.target, weight=arc.target % 5 if arc.target != graph.end else 0)
    expected = nx.dag_longest_path_length(ways)
    assert total(control, seconds).known["seconds"] == expected


def dearest(facts: Brute, header: int) -> int:
    region = facts.regions[header]
    each = {item: 3 ** (item % 7) if item > 0 else 0 for item in region.guard}
    for item in region.guard:
        if item < 0:
            each[item] = facts.graph.rounds[~item].max_rounds * dearest(facts, ~item)
    choices = range(region.everything.bit_length())
    return max(sum(each[item] for item, guard in region.guard.items() if guard >> choice & 1) for choice in choices)


def prices(graph: FlowGraph) -> dict[str, Amounts]:
    return {name: Amounts(3 ** (index % 7), 0, 0, 0) for index, name in enumerate(graph.names) if 0 < index < graph.end}


def spent(count: Counter[int], graph: FlowGraph) -> int:
    return sum(times * 3 ** (node % 7) for node, times in count.items() if node)
