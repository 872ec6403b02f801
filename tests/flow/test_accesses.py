"""Early reads, owed outputs and unordered access in generated graphs are those of the definitions."""

from __future__ import annotations

from itertools import combinations

import pytest

from grapharc.spec.flow.access import Access
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.problems import (
    ImpliedEnd,
    OutputNotWritten,
    ReadBeforeWrite,
    UnorderedAccess,
    UnorderedWriters,
    Unreachable,
)
from grapharc.spec.flow.reach import reached
from tests.by_hand import linked
from tests.flow.accesses import draw_access
from tests.flow.brute import TOP, Brute, TooLarge, Tree, brute
from tests.flow.generate import generate, tangle


def drawn(graph: FlowGraph, seed: int) -> tuple[Flow, Brute]:
    control = Control(graph)
    if any(not isinstance(problem, ImpliedEnd | Unreachable) for problem in control.problems()):
        pytest.skip("refused")
    try:
        facts = brute(graph, control.order.nodes)
    except TooLarge:
        pytest.skip("too many choices")
    return Flow(linked([], [], []), control, draw_access(graph, seed), None, {}), facts


def graphs(seed: int) -> FlowGraph:
    return tangle(seed // 2, failures=False) if seed % 2 else generate(seed // 2, failures=False)


@pytest.mark.parametrize("seed", range(300))
def test_early_reads(seed: int) -> None:
    flow, facts = drawn(graphs(seed), seed)
    graph, access = flow.control.graph, flow.access
    after: dict[int, set[str]] = {}
    expected: set[tuple[str, str]] = set()
    for node in flow.control.order.nodes:
        before = known(facts.trees[node], graph, access, after) if node else set[str]()
        after[node] = before | set(access.writes[node])
        after[~node] = before | set(access.failing.get(node, ()))
        early = set(access.reads[node]) - before
        for outcome in graph.outcomes_of[node] if node in access.deciding else ():
            later, failed = access.deciding[node], graph.outcomes[outcome].form == "error"
            early |= set(later.failure) - after[~node] if failed else set(later.success) - after[node]
        expected |= {(field, graph.names[node]) for field in early & set(access.empty)}
    found = [problem for problem in flow.problems if isinstance(problem, ReadBeforeWrite)]
    assert {(problem.field, problem.node) for problem in found} == expected
    for problem in found:
        assert problem.way[0] == "__start__" or len(problem.way) == 20
        assert problem.way[-1] == problem.node
        for one, other in zip(problem.way, problem.way[1:], strict=False):
            arcs = [arc for arc in graph.arcs if (graph.names[arc.source], graph.names[arc.target]) == (one, other)]
            source = graph.names.index(one)
            failed = {graph.outcomes[arc.outcome].form == "error" for arc in arcs}
            fields = [access.failing.get(source, ()) if error else access.writes[source] for error in failed]
            assert not all(problem.field in written for written in fields)


def known(tree: Tree, graph: FlowGraph, access: Access, after: dict[int, set[str]]) -> set[str]:
    """What is surely written when a node starts, by the definition."""
    if isinstance(tree, int):
        arc = graph.arcs[tree]
        return after[~arc.source if graph.outcomes[arc.outcome].form == "error" else arc.source]
    parts = [known(part, graph, access, after) for part in tree[1]]
    return set.union(*parts) if tree[0] == "all" else set.intersection(*parts)


@pytest.mark.parametrize("seed", range(300))
def test_owed_outputs(seed: int) -> None:
    flow, facts = drawn(graphs(seed), seed)
    found = {problem.field for problem in flow.problems if isinstance(problem, OutputNotWritten)}
    written = surely(facts, flow.access, TOP, facts.regions[TOP].everything)
    assert found == set(flow.access.empty) - written


def surely(facts: Brute, access: Access, header: int, choices: int) -> set[str]:
    """What is written in a region whatever is chosen, of some choices; of an inner loop in its last round."""
    region = facts.regions[header]
    everything = set(access.fields)
    kept = everything
    for number in range(region.everything.bit_length()):
        if not choices >> number & 1:
            continue
        written: set[str] = set()
        for item, guard in region.guard.items():
            if not guard >> number & 1:
                continue
            for (owner, choice), mask in region.outcome.items():
                if owner == item and mask >> number & 1:
                    written |= of_item(facts, access, item, choice)
        kept = kept & written
    return kept


def of_item(facts: Brute, access: Access, item: int, choice: int) -> set[str]:
    if item >= 0:
        failed = facts.graph.outcomes[choice].form == "error"
        return set(access.failing.get(item, ()) if failed else access.writes[item])
    inner = facts.regions[~item]
    return surely(facts, access, ~item, facts.taken(choice, inner))


@pytest.mark.parametrize("seed", range(300))
def test_unordered_access(seed: int) -> None:
    flow, facts = drawn(graphs(seed), seed)
    names, access = flow.control.graph.names, flow.access
    expected: dict[tuple[str, str], set[frozenset[str]]] = {}
    for one, other in combinations(flow.control.order.nodes[1:], 2):
        if not both(facts, one, other) or leads(facts, one, other) or leads(facts, other, one):
            continue
        pair = frozenset((names[one], names[other]))
        for field in access.fields:
            writes = [field in access.written_by(node) for node in (one, other)]
            reads = [field in access.read_by(node) for node in (one, other)]
            if all(writes) and access.fields[field].reducer == "last":
                expected.setdefault((field, "writers"), set()).add(pair)
            elif (writes[0] and reads[1]) or (writes[1] and reads[0]):
                expected.setdefault((field, "access"), set()).add(pair)
    found: dict[tuple[str, str], set[frozenset[str]]] = {}
    for problem in flow.problems:
        if isinstance(problem, UnorderedWriters):
            found.setdefault((problem.field, "writers"), set()).add(frozenset((problem.first, problem.second)))
        elif isinstance(problem, UnorderedAccess):
            found.setdefault((problem.field, "access"), set()).add(frozenset((problem.writer, problem.reader)))
    assert found.keys() == expected.keys()
    for key, pairs in found.items():
        assert pairs <= expected[key]


def leads(facts: Brute, one: int, other: int) -> bool:
    """Whether one node leads to another without an edge that goes back in a loop around both."""
    around = {header for header, body in facts.bodies.items() if one in body and other in body}

    def following(node: int) -> list[int]:
        outcomes = (facts.graph.arcs_of[outcome] for outcome in facts.graph.outcomes_of[node])
        arcs = (facts.graph.arcs[arc] for arcs in outcomes for arc in arcs)
        return [arc.target for arc in arcs if not (arc.back and arc.target in around)]

    return bool(reached(following(one), following, len(facts.graph.names))[other])


def both(facts: Brute, one: int, other: int) -> bool:
    """Whether two nodes' guards are compatible, in the innermost region that holds both."""
    for header in facts.inside(one):
        mine, theirs = facts.item(one, header), facts.item(other, header)
        if mine is not None and theirs is not None:
            region = facts.regions[header]
            return mine == theirs or bool(region.guard[mine] & region.guard[theirs])
    return False
