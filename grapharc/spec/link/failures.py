"""A graph document goes in; at which nodes a field that failures go to surely holds one comes out.

An error edge writes a failure, and a later success of its source null. So the field may be null where a way leads that
takes no error edge into it, and after every success of a node that has one, or that writes the field by a port.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from grapharc.spec.documents.graph import EdgeModel, GraphModel, NodeModel
from grapharc.spec.linked import START
from grapharc.spec.offers import Registry


def sure_failures(model: GraphModel, registry: Registry) -> Mapping[str, frozenset[str]]:
    """Return, by node, the fields that surely hold a failure there; of most graphs nothing."""
    fields = sorted({edge.into for edge in _conditional(model) if edge.into is not None})
    if not fields:
        return {}
    ways: dict[str, list[tuple[str, str | None]]] = {}
    for source, target, into in _ways(model):
        ways.setdefault(source, []).append((target, into))
    reached = _reached([START], ways)
    found: dict[str, set[str]] = {}
    for field in fields:
        failing = [node for node, out in ways.items() if node in reached and any(into == field for _, into in out)]
        plain = {node: [(t, into) for t, into in out if into != field] for node, out in ways.items()}
        writing = [node.name for node in model.nodes.values() if field in _written(node, registry)]
        after = [target for node in (*failing, *writing) for target, _ in plain.get(node, ())]
        for node in reached - _reached([START, *after], plain):
            found.setdefault(node, set()).add(field)
    return {node: frozenset(names) for node, names in found.items()}


def _written(node: NodeModel, registry: Registry) -> Collection[str]:
    if node.writes is not None:
        return node.writes.values()
    offer = registry.offers.get(node.kind_name)
    return () if offer is None else offer.kind.writes


def _conditional(model: GraphModel) -> Iterator[EdgeModel]:
    return (edge for edge in model.edges.values() if isinstance(edge, EdgeModel))


def _ways(model: GraphModel) -> Iterator[tuple[str, str, str | None]]:
    for edge in model.edges.values():
        if isinstance(edge, EdgeModel):
            yield edge.source, edge.target, edge.into
            if edge.loop is not None:
                yield edge.source, edge.loop.exhausted, edge.into
        else:
            yield from ((source, target, None) for source, target in pairwise(edge.chain))


def _reached(seeds: Iterable[str], ways: Mapping[str, list[tuple[str, str | None]]]) -> set[str]:
    seen = set(seeds)
    todo = list(seen)
    while todo:
        for target, _ in ways.get(todo.pop(), ()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen
