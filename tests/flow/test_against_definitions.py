"""Wait trees, exclusion, broken joins and leaking loops of generated graphs are those of the definitions."""

from __future__ import annotations

import pytest

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.problems import (
    Cycle,
    ExhaustedIntoBody,
    IrreducibleLoop,
    JoinMayNeverFire,
    JoinUndecidable,
    LoopLeaks,
    LoopOnForwardEdge,
)
from grapharc.spec.flow.waits import AllOf, Arrival, Wait
from tests.flow.brute import Brute, TooLarge, Tree, brute
from tests.flow.generate import generate, tangle

REFUSED = Cycle | IrreducibleLoop | LoopOnForwardEdge | ExhaustedIntoBody
"""After these there is no order, or no loop, to be compared."""

CODES = {JoinMayNeverFire: "join_may_never_fire", JoinUndecidable: "join_undecidable"}


def as_sets(wait: Wait) -> Tree:
    if isinstance(wait, Arrival):
        return wait.arc
    return "all" if isinstance(wait, AllOf) else "any", frozenset(as_sets(part) for part in wait.parts)


def sound_ways(control: Control, facts: Brute, also: set[int]) -> list[int]:
    """List the nodes that no broken join and no leaking loop comes before."""
    graph = control.graph
    unsound = {*facts.broken, *facts.stuck, *also}
    for header in facts.leaking:
        unsound |= facts.bodies[header]
    found: list[int] = []
    spoiled: set[int] = set()
    for node in control.order.nodes:
        sources = {graph.arcs[arc].source for arc in graph.entering[node]}
        if sources & (spoiled | unsound):
            spoiled.add(node)
        else:
            found.append(node)
    return found


def judged(graph: FlowGraph) -> tuple[Control, Brute]:
    control = Control(graph)
    if any(isinstance(problem, REFUSED) for problem in control.problems()):
        pytest.skip("a circle")
    try:
        return control, brute(control.graph, control.order.nodes)
    except TooLarge:
        pytest.skip("too many choices")


@pytest.mark.parametrize("seed", range(300))
def test_joins_and_loops_are_those_of_the_definitions(seed: int) -> None:
    agree(generate(seed, failures=seed % 4 == 0))


@pytest.mark.parametrize("seed", range(300))
def test_so_they_are_without_structure(seed: int) -> None:
    agree(tangle(seed, failures=seed % 4 == 0))


def agree(graph: FlowGraph) -> None:
    control, facts = judged(graph)
    names = control.graph.names
    problems = list(control.problems())
    broken = {
        names.index(p.node): CODES[type(p)] for p in problems if isinstance(p, JoinMayNeverFire | JoinUndecidable)
    }
    leaking = {names.index(p.header) for p in problems if isinstance(p, LoopLeaks)}
    lenient = bool(facts.stuck) or any(region.failed == region.everything for region in facts.regions.values())
    sound = sound_ways(control, facts, leaking | broken.keys() if lenient else set())
    for node in sound:
        if node in facts.trees and facts.broken.get(node) != "join_undecidable":
            assert as_sets(control.joins.entries[node]) == facts.trees[node], names[node]
        assert lenient or broken.get(node) == facts.broken.get(node), names[node]
    for problem in problems:
        if isinstance(problem, JoinMayNeverFire):
            shown(facts, problem)
    assert bool(broken or leaking) >= bool(facts.broken or facts.leaking)
    if not lenient:
        # Where all runs fail, or a join is stuck while the run fails, what follows is taken to happen, and refused.
        assert set(broken) <= set(facts.broken)
        assert leaking <= facts.leaking


def shown(facts: Brute, problem: JoinMayNeverFire) -> None:
    """With the choices of the witness one edge comes and the other does not."""
    graph = facts.graph
    node = graph.names.index(problem.node)
    around = facts.inside(node)
    region = facts.regions[around[1] if around[0] == node else around[0]]
    arcs = facts.entries(node, region.header)
    chosen = region.everything
    for choice in problem.choices:
        owner = graph.names.index(choice.node)
        item = facts.item(owner, region.header)
        if item is None:
            continue  # it leads to the loop that the region is
        if item != owner:
            return
        same = [n for n in graph.outcomes_of[owner] if graph.outcomes[n][1:] == (choice.form, choice.edge, choice.turn)]
        chosen &= region.outcome[owner, same[0]]
    comes = [facts.taken(arc, region) for arc in arcs if graph.arcs[arc].edge == problem.arrives]
    lacks = [facts.taken(arc, region) for arc in arcs if graph.arcs[arc].edge == problem.missing]
    assert any(chosen & one & ~other for one in comes for other in lacks)
