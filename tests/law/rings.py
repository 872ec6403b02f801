"""A seed goes in; graphs that hold each other in a circle come out, as documents and as a LangGraph program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any, TypedDict

from langgraph.graph import StateGraph

from tests.law.document import END, START, Value


@dataclass(frozen=True)
class Ring:
    """How many nodes come before the one that runs the next graph, for each graph."""

    before: tuple[int, ...]

    def texts(self) -> dict[str, str]:
        """Write the documents, by path; the first is the one to run."""
        return {f"ring{number}.json": json.dumps(self._document(number)) for number in range(len(self.before))}

    def _document(self, number: int) -> Value:
        work = [f"work{one}" for one in range(self.before[number])]
        following = f"ring{(number + 1) % len(self.before)}.json"
        nodes = [{"name": name, "kind": "control.pass"} for name in work]
        return {
            "nodes": [*nodes, {"name": "next", "kind": "graph", "args": {"path": following}}],
            "edges": [{"chain": [START, *work, "next", END]}],
        }

    def run(self) -> str | None:
        """Run it on LangGraph, each graph as a node of the one before; return how that broke off, if it did."""
        programs: list[Any] = []
        programs += [self._program(number, programs) for number in range(len(self.before))]
        try:
            programs[0].invoke({})
        except RecursionError as error:
            return type(error).__name__
        return None

    def _program(self, number: int, programs: list[Any]) -> Any:
        program: Any = StateGraph(TypedDict("Nothing", {}))
        names = [*(f"work{one}" for one in range(self.before[number])), "next"]
        for name in names[:-1]:
            program.add_node(name, lambda _state: {})
        program.add_node("next", lambda state: programs[(number + 1) % len(self.before)].invoke(state))
        for one, other in zip([START, *names], [*names, END], strict=True):
            program.add_edge(one, other)
        return program.compile()


def draw_ring(seed: int) -> Ring:
    """Draw a circle of one to three graphs."""
    random = Random(seed)
    return Ring(tuple(random.randint(0, 3) for _ in range(random.randint(1, 3))))
