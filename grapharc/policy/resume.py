"""What a session depends on of the graph under which it began, and whether it may go on under another one.

A checkpoint holds the values of fields, how far each join and loop has come, and which nodes are to run next. All that
goes by names and forms, so a session may go on wherever those are the same, whatever became of prompts, arguments,
conditions, bounds and budgets. What a person is asked about must be the very same: who said yes said it to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from grapharc.policy.admission import Admission
from grapharc.spec.canonical import digest
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import END, Edge, LinkedGraph, Node
from grapharc.spec.meaning import field_meaning, node_meaning, offer_meaning
from grapharc.spec.nesting import within
from grapharc.spec.types import Missing

FORMAT = "2"

Part: TypeAlias = Literal["format", "field", "node", "edge", "question"]


@frozen(order=True)
class Obstacle:
    """Why a session cannot go on: the field, node, edge or question that it depends on is gone, new or changed."""

    part: Part
    subject: str
    how: Literal["gone", "new", "changed"]


def resume_needs(admission: Admission) -> dict[str, Json]:
    """Return, as JSON that can be kept with a checkpoint, all that a session depends on of its graph."""
    graph = admission.graph
    asked = {approval.before for approval in admission.approvals}
    nodes = dict(_nodes(graph, ""))
    return {
        "format": FORMAT,
        "fields": dict(_fields(graph, "")),
        "nodes": {name: _node(node) for name, (node, _) in nodes.items()},
        "edges": _counted(_edges(graph, "")),
        "asked": {
            name: digest([_question(node, around), sorted(_roles(admission, name))])
            for name, (node, around) in nodes.items()
            if name in asked or "human" in node.offer.capabilities
        },
    }


def can_resume(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[Obstacle, ...]:
    """Return why a session that began under one graph cannot go on under another; nothing where it can.

    Both are what ``resume_needs`` returned. That the new graph is admitted at all is for the caller to see to.
    """
    if old.get("format") != new.get("format"):
        return (Obstacle("format", str(new.get("format")), "changed"),)
    return tuple(sorted(_obstacles(old, new)))


_PARTS: Mapping[str, Part] = {"fields": "field", "nodes": "node", "edges": "edge", "asked": "question"}


def _obstacles(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[Obstacle]:
    for key, part in _PARTS.items():
        before, after = _table(old, key), _table(new, key)
        for name in before.keys() | after.keys():
            if name not in after:
                yield Obstacle(part, name, "gone")
            elif name not in before:
                yield Obstacle(part, name, "new")
            elif before[name] != after[name]:
                yield Obstacle(part, name, "changed")


def _table(needs: Mapping[str, Json], part: str) -> Mapping[str, Json]:
    table = needs.get(part)
    return table if isinstance(table, Mapping) else {}


def _fields(graph: LinkedGraph, outer: str) -> Iterator[tuple[str, Json]]:
    """What a value is, how a second one meets it, and whether it must be given: who began had to give it, or could not.

    Who else puts it in and who gets it out makes no difference.
    """
    for name, field in graph.fields.items():
        said = field_meaning(field)
        must = field.input and isinstance(field.default, Missing)
        yield within(outer, name), [said["type"], said["reducer"], must]
    for name, inner in graph.subgraphs:
        yield from _fields(inner, within(outer, name))


def _nodes(graph: LinkedGraph, outer: str) -> Iterator[tuple[str, tuple[Node, LinkedGraph]]]:
    """Each node by its whole name, with the graph that it stands in, which knows the files that the node names."""
    for name, node in graph.nodes.items():
        yield within(outer, name), (node, graph)
    for name, inner in graph.subgraphs:
        yield from _nodes(inner, within(outer, name))


def _question(node: Node, graph: LinkedGraph) -> Json:
    """What somebody says yes to: the node as it stands, and what the registry says of its kinds and its models."""
    models: Json = {name: graph.registry.roles[name].spec for name in node.roles if name in graph.registry.roles}
    return [node_meaning(node, graph), models, *(offer_meaning(offer) for offer in (node.offer, *node.held))]


def _node(node: Node) -> Json:
    """What is to run, and where what comes of it goes."""
    return {
        "kind": node.offer.kind.name,
        "map": node.map is not None,
        "collects": node.map.failures if node.map is not None and node.map.collect else None,
        "writes": sorted([write.port, write.field] for write in node.writes),
    }


def _edges(graph: LinkedGraph, outer: str) -> Iterator[str]:
    for edge in graph.edges:
        yield f"{within(outer, edge.source)} -> {within(outer, edge.target)}{_how(edge, outer)}"
    for name, inner in graph.subgraphs:
        yield from _edges(inner, within(outer, name))


def _how(edge: Edge, outer: str) -> str:
    form = {"always": "", "arm": ", an arm", "error": f", on error into {edge.into}"}[edge.form]
    if edge.loop is None:
        return form
    # An end that nobody named is noted where the run came to it.
    capped = edge.loop.exhausted == END and not edge.loop.named
    return f"{form}, back, then {'capped' if capped else within(outer, edge.loop.exhausted)}"


def _counted(edges: Iterator[str]) -> dict[str, Json]:
    counts: dict[str, int] = {}
    for edge in edges:
        counts[edge] = counts.get(edge, 0) + 1
    return dict(sorted(counts.items()))


def _roles(admission: Admission, name: str) -> Iterator[str]:
    return (approval.role for approval in admission.approvals if approval.before == name)
