"""Wait trees on the real LangGraph: each node runs once all that it waits for is there, and no sooner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from grapharc.compiler.assemble import fold_order
from grapharc.compiler.joins import wire
from grapharc.compiler.names import step
from grapharc.spec.flow.facts import facts
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from tests.by_hand import linked, node

NAMES = ["a", "b", "c", "d", "j"]
A, B, C, D = (Arrival(number) for number in range(4))


class Flow:
    """The part of a flow that joins ask: arc n leaves the nth node, and only the last one waits."""

    deciding: frozenset[str] = frozenset()

    def __init__(self, wait: Wait) -> None:
        self.waits = {"j": wait}

    def source(self, arc: int) -> str:
        return NAMES[arc]


def runs_of(wait: Wait, started: Sequence[str]) -> int:
    """Count how often j runs when some of the nodes that lead to it run."""
    ran: list[str] = []
    builder: Any = StateGraph(TypedDict("S", {"x": int}, total=False))  # type: ignore[misc]
    for name in NAMES:
        builder.add_node(step(name), lambda _, name=name: ran.append(name))
    for name in started:
        builder.add_edge(START, step(name))
    flow: Any = Flow(wait)
    wiring = wire(flow)
    for merge in wiring.merges:
        builder.add_node(merge, lambda _: None)
    for edge in wiring.edges:
        builder.add_edge(*edge)
    for starts, target in wiring.barriers:
        builder.add_edge(list(starts), target)
    builder.add_edge(step("j"), END)
    builder.compile().invoke({})
    return ran.count("j")


@pytest.mark.parametrize(
    ("wait", "started", "runs"),
    [
        (A, "a", 1),
        (AnyOf((A, B)), "a", 1),
        (AnyOf((A, B)), "b", 1),
        (AllOf((A, B)), "ab", 1),
        (AllOf((A, B)), "a", 0),
        (AllOf((A, AnyOf((B, C)))), "ab", 1),
        (AllOf((A, AnyOf((B, C)))), "ac", 1),
        (AllOf((A, AnyOf((B, C)))), "bc", 0),
        (AnyOf((AllOf((A, B)), C)), "ab", 1),
        (AnyOf((AllOf((A, B)), C)), "c", 1),
        (AnyOf((AllOf((A, B)), C)), "a", 0),
        (AllOf((AnyOf((A, B)), AnyOf((C, D)))), "ad", 1),
        (AllOf((AnyOf((A, AllOf((B, C)))), D)), "bcd", 1),
        (AllOf((AnyOf((A, AllOf((B, C)))), D)), "bd", 0),
    ],
    ids=str,
)
def test_a_node_runs_once_all_that_it_waits_for_is_there(wait: Wait, started: str, runs: int) -> None:
    assert runs_of(wait, started) == runs


def test_the_order_of_folding_depends_on_names_and_edges_alone() -> None:
    names = ["n10", "n9", "a", "n09", "z"]
    edges = [("__start__", "a"), ("a", "n10"), ("a", "n9"), ("a", "n09"), ("n10", "z"), ("n9", "z"), ("n09", "z")]
    orders = [
        fold_order(facts(linked([], [node(name, lambda: None) for name in some], pairs)))
        for some in (names, names[::-1])
        for pairs in (edges, edges[::-1])
    ]
    assert all(order == orders[0] for order in orders)
    assert sorted(orders[0], key=lambda name: orders[0][name]) == ["a", "n09", "n9", "n10", "z"]
