"""Each problem of a flow, by a small graph that has it and by what proves it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from grapharc.spec.flow.arcs import Arrow, Rounds
from grapharc.spec.flow.build import build
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.problems import (
    Choice,
    Cycle,
    ExhaustedIntoBody,
    ImpliedEnd,
    IrreducibleLoop,
    JoinMayNeverFire,
    JoinUndecidable,
    LoopLeaks,
    LoopOnForwardEdge,
    NoEntry,
    SelfLoop,
    Unreachable,
)
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from grapharc.spec.linked import END, START


def control(text: str, failing: Iterable[str] = ()) -> Control:
    """Make a graph of lines ``a -> b c``, ``a ?> b`` (arms), ``a !> b`` (an error edge), ``a @> b 3`` (back, rounds).

    A back edge of a branch is ``a ?@> b 3``; ``/ c`` after the rounds says where the used up loop leads.
    """
    arrows: list[Arrow] = []
    for line in text.strip().splitlines():
        source, sign, *targets = line.split()
        form = "arm" if "?" in sign else "error" if "!" in sign else "always"
        if "@" in sign:
            rounds = Rounds(int(targets[1]), targets[3] if len(targets) > 2 else END)
            arrows.append(Arrow(source, targets[0], form, rounds, len(arrows)))
        else:
            for target in targets:
                arrows.append(Arrow(source, target, form, None, len(arrows)))
    names = {name for arrow in arrows for name in (arrow.source, arrow.target)} - {START, END}
    return Control(build(names, arrows, failing))


def words(flow: Control, node: str) -> str:
    """Write what a node waits for."""
    graph = flow.graph

    def show(wait: Wait) -> str:
        match wait:
            case Arrival(arc):
                return graph.names[graph.arcs[arc].source]
            case AllOf(parts):
                return "(" + " and ".join(show(part) for part in parts) + ")"
            case AnyOf(parts):
                return "(" + " or ".join(show(part) for part in parts) + ")"

    return show(flow.joins.waits[graph.names.index(node)])


def test_nothing_leads_in() -> None:
    assert list(control("a -> b").problems()) == [NoEntry()]


def test_a_node_that_nothing_leads_to() -> None:
    assert list(control("__start__ -> a\na -> __end__\nb -> __end__").problems()) == [Unreachable("b")]


def test_a_path_that_just_ends() -> None:
    assert list(control("__start__ -> a").problems()) == [ImpliedEnd("a")]


def test_success_that_just_ends_beside_an_error_edge() -> None:
    assert list(control("__start__ -> a\na !> b\nb -> __end__").problems()) == [ImpliedEnd("a")]


def test_what_cannot_succeed_needs_no_edge() -> None:
    assert list(control("__start__ -> a\na ?> __end__\na ?> b", failing=["b"]).problems()) == []


def test_an_edge_to_itself() -> None:
    assert list(control("__start__ -> a\na -> a __end__").problems()) == [SelfLoop("a", 1)]


def test_the_shortest_circle_of_a_knot() -> None:
    flow = control("__start__ -> a\na -> b\nb -> c\nc -> d\nd -> a b\nc -> e\ne -> __end__")
    assert list(flow.problems()) == [Cycle(("b", "c", "d", "b"), (2, 3, 5), closes=True)]


def test_a_used_up_loop_that_leads_back_into_its_circle() -> None:
    flow = control("__start__ -> a\na -> b\nb -> c\nc ?@> a 3 / b\nc ?> __end__")
    assert list(flow.problems()) == [ExhaustedIntoBody("a", "b", 3)]


def test_a_circle_that_is_entered_at_two_nodes_has_no_edge_that_could_be_a_loop() -> None:
    flow = control("__start__ ?> a\n__start__ ?> b\na -> b\nb -> a __end__")
    assert [problem.closes for problem in flow.problems() if isinstance(problem, Cycle)] == [False]


def test_a_circle_ends_where_it_is_entered() -> None:
    flow = control("__start__ -> z\nz -> a\na -> m\nm -> z __end__")
    assert list(flow.problems()) == [Cycle(("z", "a", "m", "z"), (1, 2, 3), closes=True)]


def test_a_circle_beside_a_used_up_loop_that_leads_into_itself() -> None:
    flow = control("__start__ -> a\na -> b\nb -> c\nc ?@> a 3 / b\nc ?> d\nd -> e\ne -> d __end__")
    assert list(flow.problems()) == [ExhaustedIntoBody("a", "b", 3), Cycle(("d", "e", "d"), (5, 6), closes=True)]


def test_an_edge_with_a_loop_that_does_not_go_back() -> None:
    flow = control("__start__ -> a\na -> b c\nb -> __end__\nc @> b 3")
    assert list(flow.problems()) == [LoopOnForwardEdge("c", "b", 4)]
    assert list(control("__start__ -> a\na @> __end__ 3").problems()) == [LoopOnForwardEdge("a", "__end__", 1)]


def test_a_used_up_loop_that_leads_into_itself_beside_its_source() -> None:
    flow = control("__start__ -> a\na ?> b\na ?> c\nb ?@> a 3 / c\nb ?> __end__\nc ?@> a 3\nc ?> __end__")
    assert list(flow.problems()) == [ExhaustedIntoBody("a", "c", 3)]


def test_a_loop_with_another_way_in() -> None:
    flow = control("__start__ ?> a\n__start__ ?> b\na -> b\nb ?@> a 3\nb ?> __end__")
    assert list(flow.problems()) == [IrreducibleLoop("a", "b", 3, ("__start__", "b"))]


def test_a_join_of_a_branch_and_a_limb() -> None:
    flow = control("__start__ -> f\nf -> a b\na ?> j\na ?> __end__\nb -> j\nj -> __end__")
    expected = JoinMayNeverFire("j", arrives=5, missing=3, choices=(Choice("a", "arm", 4, ""),))
    assert list(flow.problems()) == [expected]


def test_an_error_edge_that_leads_elsewhere() -> None:
    flow = control("__start__ -> f\nf -> a b\na -> j\na !> h\nb -> j\nj -> __end__\nh -> __end__")
    expected = JoinMayNeverFire("j", arrives=5, missing=3, choices=(Choice("a", "error", 4, ""),))
    assert list(flow.problems()) == [expected]


def test_an_error_path_that_leads_into_the_join() -> None:
    flow = control("__start__ -> f\nf -> a b\na -> j\na !> h\nb -> j\nj -> __end__\nh -> j")
    assert list(flow.problems()) == []
    assert words(flow, "j") == "((a or h) and b)"


def test_no_join_waits_for_what_fails() -> None:
    flow = control("__start__ -> f\nf -> a b\na ?> j\na ?> x\nb -> j\nj -> __end__", failing=["x"])
    assert list(flow.problems()) == []
    assert words(flow, "j") == "(a and b)"


def test_alternatives_of_companions() -> None:
    flow = control("__start__ -> s\ns ?> f\ns ?> r\nf -> a b\na -> j\nb -> j\nr -> j\nj -> __end__")
    assert list(flow.problems()) == []
    assert words(flow, "j") == "((a and b) or r)"


def test_a_join_without_an_order_of_alternatives_and_companions() -> None:
    flow = control("__start__ -> s\ns ?> x\ns ?> y\nx -> j h\ny -> a j\na ?> j\na ?> h\nh -> j\nj -> __end__")
    (problem,) = flow.problems()
    assert isinstance(problem, JoinUndecidable)
    assert (problem.node, problem.edges) == ("j", (9, 3, 7, 6))
    assert problem.choices == (Choice("s", "arm", 1, ""),)


def test_a_round_that_goes_back_and_leaves() -> None:
    flow = control("__start__ -> a\na -> b c\nb @> a 3\nc -> __end__")
    assert list(flow.problems()) == [LoopLeaks("a", first=2, second=3, sources=("a", "b"), choices=())]


def test_a_round_that_leaves_twice_by_some_outcomes() -> None:
    flow = control("__start__ -> a\na -> b c\nb ?> j\nb ?> __end__\nc ?> j\nc ?> __end__\nj @> a 2")
    found = [problem for problem in flow.problems() if isinstance(problem, LoopLeaks | JoinMayNeverFire)]
    assert [type(problem) for problem in found] == [JoinMayNeverFire]


def test_a_used_up_loop_may_lead_where_an_arm_leads() -> None:
    flow = control("__start__ -> a\na -> b\nb ?@> a 3 / c\nb ?> c\nc -> __end__")
    assert list(flow.problems()) == []
    assert words(flow, "a") == "(__start__ or b)"
    assert words(flow, "c") == "(b or b)"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("__start__ -> a\na -> b\nb -> __end__", 2),
        ("__start__ -> a b\na -> c\nc -> j\nb -> j\nj -> __end__", 3),
        ("__start__ -> a\na -> b\nb ?@> a 3\nb ?> c\nc -> __end__", 7),
        ("__start__ -> f\nf -> a b\na -> j\na !> j\nb -> j\nj -> __end__", 4),
        ("__start__ -> f\nf -> a b\na -> j\nb -> j\nj -> __end__", 3),
        ("__start__ -> a\na -> b\nb -> c\nc ?@> b 2 / d\nc ?> d\nd ?@> a 3\nd ?> __end__", 18),
    ],
)
def test_steps(text: str, steps: int) -> None:
    flow = control(text)
    assert list(flow.problems()) == []
    assert flow.steps == steps
