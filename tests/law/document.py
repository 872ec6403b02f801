"""A graph as the law draws it goes in; the text of its document, in TOML or JSON, comes out.

This is all that the interpreter and the author of raw LangGraph know of a graph: they never see what GraphARC makes
of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

START = "__start__"
END = "__end__"

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
    kind: Literal["step", "control.pass", "control.fail"] = "step"
    picks: tuple[str, ...] = ()
    fallible: bool = False
    reads: tuple[str, ...] = ()
    writes: Mapping[str, str] = field(default_factory=dict[str, str])
    tries: int = 1
    patient: bool = True
    """Whether it is tried again after a failure like those of the law, and not only when it was late."""
    seconds: int | None = None
    weight: int = 1
    fan: Fan | None = None


@dataclass(frozen=True)
class Field:
    """One field of the state. Without a default it has no value at first."""

    type: str
    default: Value | None = None
    reducer: str = "last"
    input: bool = False
    output: bool = False


@dataclass(frozen=True)
class Graph:
    """A whole graph."""

    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]
    fields: Mapping[str, Field]

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


def text(graph: Graph, syntax: Literal["toml", "json"]) -> str:
    """Write the document of a graph."""
    document = {
        "name": "law",
        "state": {name: _field(one) for name, one in graph.fields.items()},
        "nodes": [_node(one) for one in graph.nodes.values()],
        "edges": [_edge(one) for one in graph.edges],
    }
    return json.dumps(document, indent=1) if syntax == "json" else _toml(document)


def _field(one: Field) -> dict[str, Value]:
    said: dict[str, Value] = {"type": one.type}
    if one.default is not None:
        said["default"] = one.default
    if one.reducer != "last":
        said["reducer"] = one.reducer
    if one.input:
        said["input"] = True
    if one.output:
        said["output"] = True
    return said


def _node(one: Node) -> dict[str, Value]:
    if one.kind == "control.pass":
        return {"name": one.name, "kind": one.kind}
    if one.kind == "control.fail":
        return {"name": one.name, "kind": one.kind, "args": {"message": "as it must"}}
    reads = dict(zip(("first", "second"), one.reads, strict=False))
    said: dict[str, Value] = {"name": one.name, "kind": "step", "args": {"weight": one.weight}}
    if one.fan is not None:
        reads["item"] = "shard"
        said["map"] = _fan(one.fan)
    said |= {"reads": reads, "writes": dict(one.writes)}
    if one.tries > 1:
        said["retry"] = {"max_attempts": one.tries} | ({} if one.patient else {"on": ["timeout", "unavailable"]})
    if one.seconds is not None:
        said["timeout_seconds"] = one.seconds
    return said


def _fan(fan: Fan) -> dict[str, Value]:
    said: dict[str, Value] = {"over": fan.over, "as": "shard", "max_items": fan.limit}
    if fan.collect:
        said["on_item_error"] = "collect"
    if fan.lost is not None:
        said["failures"] = fan.lost
    if fan.lanes is not None:
        said["concurrency"] = fan.lanes
    return said


def _edge(one: Edge) -> dict[str, Value]:
    said: dict[str, Value] = {"source": one.source, "target": one.target}
    if one.form == "arm":
        said |= {"otherwise": True} if one.test is None else {"when": one.test.text()}
    if one.form == "error":
        said["on"] = "error"
    if one.into is not None:
        said["into"] = one.into
    if one.loop is not None:
        loop = said["loop"] = {"max_rounds": one.loop.rounds}
        loop |= {"exhausted": one.loop.exhausted} if one.loop.exhausted != END or one.loop.named else {}
        loop |= {"progress": list(one.loop.progress)} if one.loop.progress else {}
        loop |= {"patience": one.loop.patience} if one.loop.patience != 1 else {}
    return said


def _toml(document: Mapping[str, Value]) -> str:
    lines = [f"name = {_inline(document['name'])}", "[state]"]
    lines += [f"{name} = {_inline(one)}" for name, one in document["state"].items()]
    for table in ("nodes", "edges"):
        for row in document[table]:
            lines.append(f"[[{table}]]")
            lines += [f"{key} = {_inline(value)}" for key, value in row.items()]
    return "\n".join(lines) + "\n"


def _inline(value: Value) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)
