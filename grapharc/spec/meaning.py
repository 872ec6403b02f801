"""A linked graph or a registry goes in; the JSON value that its digest covers comes out: all that changes what runs.

Order of keys and of nodes, comments, remarks and syntax leave no trace here, and neither does the way in which
something was said: a chain or edges, a default written out or left out, a prompt in its place or in a file.
"""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.arguments.formats import Shape, formatted, shape_of
from grapharc.spec.arguments.schema_walk import schemas_in
from grapharc.spec.canonical import digest
from grapharc.spec.documents.graph import ceilings_by_name
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Edge, LinkedGraph, Loop, Map, Node, Retry
from grapharc.spec.offers import Amount, Field, Kind, Offer, Port, Registry, Role
from grapharc.spec.types import (
    Constrained,
    ListOf,
    MapOf,
    Missing,
    OneOf,
    Record,
    Scalar,
    Singleton,
    Type,
    Variable,
)


def graph_meaning(graph: LinkedGraph) -> dict[str, Json]:
    """Return what a graph says. What its registry adds - pins, shared fields, kinds - is the registry's meaning."""
    types = _Types()
    shapes: dict[str, Shape | None] = {}
    own = {name: field for name, field in graph.fields.items() if field.place.document == graph.document.source.path}
    return {
        "name": graph.name,
        "version": graph.version,
        "types": {name: types.of(type_) for name, type_ in graph.types.items()},
        "state": {name: _field(field, types) for name, field in own.items()},
        "budget": {**ceilings_by_name(graph.budget)},
        "nodes": {name: _node(node, graph, shapes) for name, node in graph.nodes.items()},
        "edges": sorted([(edge.source, edge.target) for edge in graph.edges if _is_plain(edge)]),
        "choices": _choices(graph.edges),
    }


def node_meaning(node: Node, graph: LinkedGraph) -> dict[str, Json]:
    """Return what one node of a graph says, whatever it is called."""
    return _node(node, graph, {})


def field_meaning(field: Field) -> dict[str, Json]:
    """Return what one field of the state says."""
    return _field(field, _Types())


def offer_meaning(offer: Offer) -> dict[str, Json]:
    """Return what a registry says of one kind that it offers."""
    return _offer(offer, _Types())


def registry_meaning(registry: Registry) -> dict[str, Json]:
    """Return what a registry offers: kinds as their manifests state them, pins, costs, roles, fields and types."""
    types = _Types()
    return {
        "name": registry.name,
        "version": registry.version,
        "offers": {name: _offer(offer, types) for name, offer in registry.offers.items()},
        "roles": {name: _role(role) for name, role in registry.roles.items()},
        "state": {name: _field(field, types) for name, field in registry.fields.items()},
        "types": {name: types.of(type_) for name, type_ in registry.types.items()},
    }


def registry_digest(registry: Registry) -> str:
    """Return the digest of a registry's meaning, made once for the many graphs that are judged under one."""
    if not (_last and _last[0][0] is registry):
        _last[:] = [(registry, digest(registry_meaning(registry)))]
    return _last[0][1]


_last: list[tuple[Registry, str]] = []
"""The registry that was asked for last."""


class _Types:
    """Types as JSON. A record is told by its name and a digest, so that what many share is written once."""

    def __init__(self) -> None:
        self._records: dict[int, Json] = {}

    def of(self, type_: Type) -> Json:
        match type_:
            case Scalar(name):
                return name
            case Singleton(value):
                return {"string": value}
            case ListOf(item):
                return {"list": self.of(item)}
            case MapOf(value):
                return {"map": self.of(value)}
            case OneOf(options):
                return {"union": [self.of(option) for option in options]}
            case Variable(name, bound):
                return {"variable": name, "bound": None if bound is None else self.of(bound)}
            case Constrained(base, constraints):
                return {"type": self.of(base), "constraints": dict(constraints)}
            case Record():
                if id(type_) not in self._records:
                    self._records[id(type_)] = {"record": type_.name, "digest": digest(self._members(type_))}
                return self._records[id(type_)]

    def _members(self, record: Record) -> Json:
        members = {member.name: (self.of(member.type), member.default) for member in record.members}
        return {name: _with_default({"type": type_}, default) for name, (type_, default) in members.items()}


def _with_default(said: dict[str, Json], default: Json | Missing) -> dict[str, Json]:
    return said if isinstance(default, Missing) else {**said, "default": default}


def _field(field: Field, types: _Types) -> dict[str, Json]:
    said: dict[str, Json] = {
        "type": types.of(field.type),
        "input": field.input,
        "output": field.output,
        "labels": field.labels,
        "reducer": field.reducer,
    }
    return _with_default(said, field.default)


def _node(node: Node, graph: LinkedGraph, shapes: dict[str, Shape | None]) -> dict[str, Json]:
    kind = node.offer.name
    if kind not in shapes:
        names_files = any(found.get("format") == "document-path" for _, found in schemas_in(node.offer.kind.args))
        shapes[kind] = shape_of(node.offer.kind.args) if names_files else None
    pins = node.offer.pins
    own = {name: value for name, value in node.args.items() if name not in pins} if pins else node.args
    said: dict[str, Json] = {
        "kind": kind,
        "args": own,
        "reads": {read.port: read.expression.text for read in node.reads} if node.reads else {},
        "writes": {write.port: write.field for write in node.writes} if node.writes else {},
        "map": None if node.map is None else _map(node.map),
        "retry": None if node.retry is None else _retry(node.retry),
        "timeout_seconds": node.timeout_seconds,
    }
    if node.subgraph is not None:
        return {**said, "graph": digest(graph_meaning(node.subgraph))}
    if shapes[kind] is None:
        return said
    named = [value for _, format_, value in formatted(shapes[kind], own) if format_ == "document-path"]
    if named:
        said["files"] = {path: graph.files.get(path) for path in named if isinstance(path, str)}
    return said


def _is_plain(edge: Edge) -> bool:
    return edge.form == "always" and edge.loop is None


def _choices(edges: Iterable[Edge]) -> dict[str, Json]:
    """By source, what is taken under a condition, in its order, which matters; then what goes back or is an error."""
    found: dict[str, list[Json]] = {}
    for edge in edges:
        if edge.form == "arm" and edge.condition is not None:
            found.setdefault(edge.source, []).append(_choice(edge))
    others = [edge for edge in edges if not _is_plain(edge) and edge.condition is None]
    for edge in sorted(others, key=lambda edge: (edge.source, edge.form, edge.target)):
        found.setdefault(edge.source, []).append(_choice(edge))
    return dict(found)


def _choice(edge: Edge) -> Json:
    return {
        "target": edge.target,
        "form": edge.form,
        "when": None if edge.condition is None else edge.condition.text,
        "into": edge.into,
        "loop": None if edge.loop is None else _loop(edge.loop),
    }


def _loop(loop: Loop) -> Json:
    return {
        "max_rounds": loop.max_rounds,
        "progress": loop.progress,
        "patience": loop.patience,
        "exhausted": loop.exhausted,
        "named": loop.named,
    }


def _map(map_: Map) -> Json:
    return {
        "over": map_.over.text,
        "as": map_.item,
        "max_items": map_.max_items,
        "concurrency": map_.concurrency,
        "on_item_error": "collect" if map_.collect else "fail",
        "failures": map_.failures,
    }


def _retry(retry: Retry) -> Json:
    return {
        "max_attempts": retry.max_attempts,
        "backoff_seconds": retry.backoff_seconds,
        "max_backoff_seconds": retry.max_backoff_seconds,
        "on": retry.on,
    }


def _offer(offer: Offer, types: _Types) -> dict[str, Json]:
    return {
        "kind": _kind(offer.kind, types),
        "pins": dict(offer.pins),
        "capabilities": offer.capabilities,
        "labels": offer.labels,
        "endorses": offer.endorses,
        "cost": {dimension: _amount(amount) for dimension, amount in offer.cost.items()},
    }


def _kind(kind: Kind, types: _Types) -> Json:
    return {
        "name": kind.name,
        "version": kind.version,
        "summary": kind.summary,
        "entry": kind.entry,
        "capabilities": kind.capabilities,
        "labels": kind.labels,
        "endorses": kind.endorses,
        "idempotent": kind.idempotent,
        "tool": kind.tool,
        "env": sorted(kind.env),
        "reads": {name: _port(port, types) for name, port in kind.reads.items()},
        "writes": {name: _port(port, types) for name, port in kind.writes.items()},
        "args": dict(kind.args),
        "cost": {dimension: _amount(amount) for dimension, amount in kind.cost.items()},
    }


def _port(port: Port, types: _Types) -> Json:
    return _with_default({"type": types.of(port.type), "format": port.format}, port.default)


def _amount(amount: Amount) -> Json:
    return amount.text if isinstance(amount, Checked) else amount


def _role(role: Role) -> Json:
    price: Json = None if role.price is None else {"input": role.price.input, "output": role.price.output}
    return {"spec": role.spec, "file": role.file, "price": price, "max_tokens": role.max_tokens}
