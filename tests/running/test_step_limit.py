"""LangGraph is told how many supersteps a run may take: what was admitted, less what a resumed run has used."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError

from tests.running.road import Road

GRAPH = """
[state]
n = { type = "integer", default = 0, output = true }
[[nodes]]
name = "count"
kind = "control.set"
reads = { value = "n + 1" }
writes = { result = "n" }
[[nodes]]
name = "look"
kind = "control.pass"
[[edges]]
chain = ["__start__", "count", "look"]
[[edges]]
source = "look"
target = "__end__"
when = "n >= 9"
[[edges]]
source = "look"
target = "count"
otherwise = true
loop = { max_rounds = 3 }
"""
"""Three rounds of two nodes, so that no run takes more than six supersteps."""


class Resumed:
    """The longest run, stopped by LangGraph after some supersteps, to be gone on with."""

    def __init__(self, used: int) -> None:
        self.graph: Any = Road().compile(GRAPH, InMemorySaver())
        self.opened = self.graph.runs.open({}, "long", None, None)
        self.given: object = self.opened.given
        for number in range(used + 1):
            self.go_on(99, ["node/look" if number % 2 else "node/count"])
        assert self.graph.inner.get_state(self.opened.config).metadata["step"] == used

    def go_on(self, limit: int, stops: list[str] | None = None) -> int:
        """Go on to the next stop, or to the end; return what was counted."""
        config = {**self.opened.config, "recursion_limit": limit}
        self.graph.inner.invoke(self.given, config, interrupt_before=stops)
        self.given = None
        return self.graph.get_state("long").values["n"]


@pytest.mark.parametrize("used", range(5))
def test_a_resumed_run_may_take_what_is_left(used: int) -> None:
    run = Resumed(used)
    assert run.go_on(run.graph.runs.step_limit(used)) == 3


@pytest.mark.parametrize("used", range(4))
def test_and_not_one_superstep_more(used: int) -> None:
    run = Resumed(used)
    with pytest.raises(GraphRecursionError):
        run.go_on(run.graph.runs.step_limit(used) - 1)


def test_a_new_run_may_take_all() -> None:
    graph: Any = Road().compile(GRAPH)
    opened = graph.runs.open({}, None, None, None)
    assert opened.config["recursion_limit"] == graph.runs.step_limit() == 7
    graph.inner.invoke(opened.given, opened.config)
    with pytest.raises(GraphRecursionError):
        graph.inner.invoke(opened.given, {**opened.config, "recursion_limit": 6})
