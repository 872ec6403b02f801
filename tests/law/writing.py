"""A graph as the law draws it goes in; the texts of its documents, in TOML or JSON, come out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from tests.law.document import END, INPUTS, LANE, Edge, Fan, Field, Graph, Node, Value, every_node


def inner_texts(graph: Graph) -> dict[str, str]:
    """Write the documents of all graphs that lie within one, by path."""
    inner = [(node.path, node.inner) for _, node in every_node(graph) if node.inner is not None]
    return {path: text(one, "toml" if path.endswith(".toml") else "json") for path, one in inner}


def text(graph: Graph, syntax: Literal["toml", "json"]) -> str:
    """Write the document of a graph."""
    document: dict[str, Value] = {"name": "law"}
    if graph.budget:
        document["budget"] = dict(graph.budget)
    document |= {
        "state": {name: _field(one) for name, one in graph.fields.items()},
        "nodes": [_node(one, graph.in_lanes) for one in graph.nodes.values()],
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


def _node(one: Node, in_lanes: bool) -> dict[str, Value]:
    if one.kind == "control.pass":
        return {"name": one.name, "kind": one.kind}
    if one.kind == "control.fail":
        return {"name": one.name, "kind": one.kind, "args": {"message": "as it must"}}
    args = {"weight": one.weight} if one.inner is None else {"path": one.path}
    said: dict[str, Value] = {"name": one.name, "kind": one.kind, "args": args}
    if one.fan is not None:
        said["map"] = _fan(one.fan)
    said |= {"reads": _reads(one, in_lanes), "writes": dict(one.writes)}
    if one.tries > 1:
        retry = said["retry"] = {"max_attempts": one.tries}
        retry |= {} if one.patient else {"on": ["timeout", "unavailable"]}
        retry |= {"backoff_seconds": one.pause, "max_backoff_seconds": one.pause * 1.5} if one.pause else {}
    if one.seconds is not None:
        said["timeout_seconds"] = one.seconds
    return said


def _reads(one: Node, in_lanes: bool) -> dict[str, str]:
    ports, item = (("first", "second"), "item") if one.inner is None else (INPUTS, LANE)
    reads = {**dict(zip(ports, one.reads, strict=False)), **one.binds}
    if one.fan is not None:
        reads[item] = f"{LANE} * 100 + shard" if in_lanes else "shard"
    elif in_lanes:
        reads[item] = LANE
    return reads


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
    lines = [f"{key} = {_inline(document[key])}" for key in ("name", "budget") if key in document]
    lines += ["[state]"]
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
