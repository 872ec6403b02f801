"""A graph as the law draws it: its nodes, edges and fields, and the graphs in it.

This is all that the interpreter and the author of raw LangGraph know of a graph: they never see what GraphARC makes
of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

START = "__start__"
END = "__end__"
LANE = "lane"
"""The input by which a graph within a map is told of which item it is."""
INPUTS = ("given", "taken")
"""The inputs of any inner graph, which its nodes may read."""

Form: TypeAlias = Literal["always", "arm", "error"]
Value: TypeAlias = Any
"""A value of the state, as JSON has them."""


@dataclass(frozen=True)
class Test:
    """What a condition asks of one field: whether it is one of some texts, is null or not, or is at least a number."""

    __test__ = False

    field: str
    asks: Literal["one_of", "failed", "fine", "at_least"]
    values: tuple[Value, ...] = ()

    def holds(self, state: Mapping[str, Value]) -> bool:
        """Ask it of a state."""
        value = state[self.field]
        match self.asks:
            case "one_of":
                return value in self.values
            case "failed":
                return value is not None
            case "fine":
                return value is None
            case "at_least":
                return value >= self.values[0]

    def text(self) -> str:
        """Write it as an expression."""
        match self.asks:
            case "one_of" if len(self.values) == 1:
                return f"{self.field} == '{self.values[0]}'"
            case "one_of":
                return f"{self.field} in [{', '.join(repr(value) for value in self.values)}]"
            case "failed":
                return f"{self.field} != null"
            case "fine":
                return f"{self.field} == null"
            case "at_least":
                return f"{self.field} >= {self.values[0]}"


@dataclass(frozen=True)
class Loop:
    """What an edge that goes back says of its loop."""

    rounds: int
    exhausted: str = END
    progress: tuple[str, ...] = ()
    patience: int = 1
    named: bool = False
    """Whether an end is written out as the way out."""


@dataclass(frozen=True)
class Edge:
    """One edge. An arm without a test is the one for when no test holds."""

    source: str
    target: str
    form: Form = "always"
    test: Test | None = None
    into: str | None = None
    loop: Loop | None = None


@dataclass(frozen=True)
class Fan:
    """A node that runs once for each item of a list."""

    over: str
    limit: int
    collect: bool
    lost: str | None = None
    lanes: int | None = None


@dataclass(frozen=True)
class Node:
    """One node. ``picks`` are the texts that it may write for conditions to look at; ``writes`` is by port."""

    name: str
    kind: Literal["step", "control.pass", "control.fail", "graph"] = "step"
    picks: tuple[str, ...] = ()
    fallible: bool = False
    reads: tuple[str, ...] = ()
    writes: Mapping[str, str] = field(default_factory=dict[str, str])
    tries: int = 1
    patient: bool = True
    """Whether it is tried again after a failure like those of the law, and not only when it was late."""
    pause: float = 0.0
    """The seconds before it is tried again."""
    seconds: int | None = None
    weight: int = 1
    fan: Fan | None = None
    inner: Graph | None = None
    """What a node of the kind ``graph`` runs; its ports are named as those of a step are."""
    path: str = ""
    binds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Which fields the inner graph's inputs are bound to, beside what the node reads."""


@dataclass(frozen=True)
class Field:
    """One field of the state. Without a default it has no value at first."""

    type: str
    default: Value | None = None
    reducer: str = "last"
    input: bool = False
    output: bool = False
    most: int | None = None
    """Of a list that a map goes over, how long it may be."""
    caught: bool = False
    """Whether the failure of a map over a list that is too long is caught."""


@dataclass(frozen=True)
class Graph:
    """A whole graph."""

    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]
    fields: Mapping[str, Field]
    budget: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def in_lanes(self) -> bool:
        """Whether it runs within a map, where an input tells its nodes for which item."""
        return LANE in self.fields

    def out_of(self, node: str, form: Form | None = None) -> list[Edge]:
        """List the edges out of a node in the order of the document."""
        return [edge for edge in self.edges if edge.source == node and form in (None, edge.form)]

    def into(self, node: str) -> list[Edge]:
        """List the edges into a node."""
        return [edge for edge in self.edges if edge.target == node]

    @property
    def headers(self) -> Mapping[str, Loop]:
        """The loops by the node that they go back to."""
        return {edge.target: edge.loop for edge in self.edges if edge.loop is not None}


def item_of(lane: int, shard: Value) -> Value:
    """Number an item of a map, within an item of another one."""
    return shard if lane < 0 else lane * 100 + shard


def every_node(graph: Graph, way: str = "") -> Iterator[tuple[str, Node]]:
    """Yield all nodes by their whole names, those of inner graphs after the node that runs them."""
    for name, node in graph.nodes.items():
        yield way + name, node
        if node.inner is not None:
            yield from every_node(node.inner, f"{way}{name}/")


def every_graph(graph: Graph) -> Iterator[Graph]:
    """Yield a graph and all that lie within it."""
    yield graph
    for node in graph.nodes.values():
        if node.inner is not None:
            yield from every_graph(node.inner)
