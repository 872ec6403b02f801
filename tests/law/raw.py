"""A graph goes in; the LangGraph program that its author would write without GraphARC comes out, and is run.

It is written as anybody would: an edge is an edge, several plain edges into a node are a join, a branch is a router
that tries conditions, an error edge is a flag that the node leaves behind, and a loop counts the runs of its header.
"""

from __future__ import annotations

import logging
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph

from tests.law.acting import Acts, Choose, fold
from tests.law.document import END, START, Edge, Graph, Value
from tests.law.tokens import first_state

Style: TypeAlias = Literal["knowing", "waiting", "single"]
"""How several plain edges into a node are written: those that were seen to come together as one that waits, all as
one that waits, or one by one."""


@dataclass
class Seen:
    """What happened in a run: how often nodes ran and what they read, how it broke off, and which joins still wait."""

    runs: Counter[str] = field(default_factory=Counter[str])
    read: dict[tuple[str, int], tuple[Value, ...]] = field(default_factory=dict[tuple[str, int], tuple[Value, ...]])
    used_up: set[Edge] = field(default_factory=set[Edge])
    """Edges of loops whose way out was taken."""
    broke: Exception | None = None
    waiting: frozenset[str] = frozenset()
    state: Mapping[str, Value] = field(default_factory=dict[str, Value])


@dataclass(frozen=True)
class Author:
    """Who writes the program. ``delays`` puts harmless nodes before some, to see whether their time matters."""

    graph: Graph
    style: Style = "waiting"
    delays: Mapping[str, int] = field(default_factory=dict[str, int])
    arrived: Mapping[str, Collection[frozenset[str]]] = field(default_factory=dict[str, Collection[frozenset[str]]])
    """What the author has seen to come together; for the style ``knowing``."""

    def run(self, inputs: Mapping[str, Value], choose: Choose, limit: int = 100) -> Seen:
        """Write the program and run it once. What LangGraph says when it compiles is what broke it off, too."""
        seen = Seen()
        config: Any = {"recursion_limit": limit, "configurable": {"thread_id": "1"}}
        saver = InMemorySaver()
        try:
            program = self.write(Acts(choose), seen).compile(saver)
            with _silence():
                program.invoke({**first_state(self.graph, {}), **inputs}, config)
        except Exception as raised:
            seen.broke = raised
        kept: Any = saver.get_tuple(config)
        values = kept.checkpoint["channel_values"] if kept else {}
        joins = {name.rpartition(":")[2] for name, value in values.items() if name.startswith("join:") and value}
        seen.waiting, seen.state = frozenset(joins), values
        return seen

    def write(self, acts: Acts, seen: Seen) -> Any:
        """Write the program."""
        program: Any = StateGraph(self.schema())
        for name in self.graph.nodes:
            program.add_node(name, self.node(name, acts, seen))
            for number in range(self.delays.get(name, 0)):
                program.add_node(f"{name}~{number}", lambda _state: {})
                program.add_edge(f"{name}~{number}", f"{name}~{number + 1}" if self.later(name, number) else name)
        plain: dict[str, list[str]] = defaultdict(list)
        for name in (START, *self.graph.nodes):
            edges = self.graph.out_of(name)
            static = [edge for edge in edges if edge.form == "always" and edge.loop is None]
            if len(static) == len(edges) or any(edge.form == "arm" for edge in edges):
                for edge in static:
                    plain[edge.target].append(name)
                edges = [edge for edge in edges if edge not in static]
            if edges:
                program.add_conditional_edges(name, self.router(name, edges, seen))
        for target, sources in plain.items():
            self.connect(program, sources, target)
        return program

    def later(self, name: str, number: int) -> bool:
        return number + 1 < self.delays[name]

    def connect(self, program: Any, sources: list[str], target: str) -> None:
        for group in self.groups(sources, target):
            program.add_edge(group if len(group) > 1 else group[0], self.entry(target))

    def groups(self, sources: list[str], target: str) -> list[list[str]]:
        """Part the plain edges into a node into those that wait for each other."""
        if self.style == "single" or target == END or START in sources:
            return [[source] for source in sources]
        if self.style == "waiting":
            return [sources]
        found: list[list[str]] = []
        for source in sources:
            near = [
                group for group in found if any({source, one} <= seen for one in group for seen in self.seen(target))
            ]
            found = [
                *(group for group in found if group not in near),
                [one for group in near for one in group] + [source],
            ]
        return found

    def seen(self, target: str) -> Collection[frozenset[str]]:
        return self.arrived.get(target, ())

    def entry(self, target: str) -> str:
        return f"{target}~0" if self.delays.get(target) else target

    def schema(self) -> Any:
        """Declare the state: a reducer where the document has one."""
        fields: dict[str, Any] = {}
        for name, one in self.graph.fields.items():
            how = {"append": operator.add, "merge": operator.or_, "sum": operator.add}.get(one.reducer)
            if one.reducer in ("union", "min", "max"):
                how = _folding(one.reducer)
            fields[name] = Any if how is None else Annotated[_plain_type(one.default), how]
        for name in self.graph.nodes:
            fields[f"failed {name}"] = Any
            fields[f"rounds {name}"] = Any
        return TypedDict("State", fields, total=False)

    def node(self, name: str, acts: Acts, seen: Seen) -> Callable[[dict[str, Value]], dict[str, Value]]:
        """Write a node. Without an error edge its failure is an exception."""
        node, caught = self.graph.nodes[name], self.graph.out_of(name, "error")

        def run(state: dict[str, Value]) -> dict[str, Value]:
            seen.read[name, seen.runs[name]] = tuple(state.get(one) for one in node.reads)
            seen.runs[name] += 1
            counted = {f"rounds {name}": state.get(f"rounds {name}", 0) + 1} if name in self.graph.headers else {}
            attempts, wrote = acts.run(node, state)
            if attempts and not caught:
                raise RuntimeError(f"{name} fails")
            if caught:
                wrote = {} if attempts else wrote
                wrote[f"failed {name}"] = bool(attempts)
                if caught[0].into is not None:
                    wrote[caught[0].into] = acts.failed if attempts else None
            return {**counted, **wrote}

        return run

    def router(self, name: str, edges: list[Edge], seen: Seen) -> Callable[[dict[str, Value]], Any]:
        """Write the function that says where to go after a node."""

        def route(state: dict[str, Value]) -> Any:
            taken = [edge for edge in edges if (edge.form == "error") == bool(state.get(f"failed {name}"))]
            if taken and taken[0].form == "arm":
                taken = [edge for edge in taken if edge.test is None or edge.test.holds(state)][:1]
                taken.sort(key=lambda edge: edge.test is None)
                if not taken:
                    return None
            return [self.entry(self.along(edge, state, seen)) for edge in taken] or END

        return route

    def along(self, edge: Edge, state: Mapping[str, Value], seen: Seen) -> str:
        if edge.loop is None or state.get(f"rounds {edge.target}", 0) < edge.loop.rounds:
            return edge.target
        seen.used_up.add(edge)
        return edge.loop.exhausted


def _folding(reducer: str) -> Callable[[Value, Value], Value]:
    def folded(old: Value, new: Value) -> Value:
        return fold(reducer, old, new)

    return folded


def _plain_type(default: Value) -> type:
    return type(default)


@contextmanager
def _silence() -> Generator[None]:
    """Keep Python from telling what LangGraph leaves undone in its threads when a node fails."""
    logger = logging.getLogger("concurrent.futures")
    logger.disabled = True
    yield
    logger.disabled = False
