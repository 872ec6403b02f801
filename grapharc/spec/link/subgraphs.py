"""A node of the kind ``graph`` goes in; the graph that it runs, linked, and the ports that its fields make come out."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.finding import Related
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.json_value import Json, Path, value_at
from grapharc.spec.link.nest import Nest
from grapharc.spec.link.offered import Offered, wanted
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.nesting import MOST_LEVELS, MOST_NODES, size
from grapharc.spec.offers import Port
from grapharc.spec.read import read_graph
from grapharc.spec.types import MISSING


@frozen
class Subgraph:
    """A graph within a graph, and its node's offer with the ports that its fields make."""

    graph: LinkedGraph
    offered: Offered


def link_subgraph(node: str, path: Path, args: Mapping[str, Json], offered: Offered, scene: Scene) -> Subgraph | None:
    """Link what a node names, once for all nodes that name it. None where nothing is known of its ports."""
    target, nest = args.get("path"), scene.nest
    if not isinstance(target, str) or target not in scene.files:
        scene.unbound.add(node)  # why it could not be read was told
        return None
    where = _place(path, offered, scene)
    if target in nest.files:
        way = (*nest.files[nest.files.index(target) :], target)
        scene.tell("subgraph_recursion", where, {"way": " -> ".join(way)}, node)
        return None
    if target not in nest.known:
        nest.known[target] = _link(node, target, where, scene)
    graph = nest.known[target]
    if graph is None or graph.missing_fields or not _may_hold(node, target, graph, where, scene):
        scene.unbound.add(node)
        return None
    return Subgraph(graph, _with_ports(offered, graph))


def _place(path: Path, offered: Offered, scene: Scene) -> Path:
    """Where a node says which graph it runs: with its path, or where that is pinned with its kind."""
    at = (*path, "args", "path")
    if "path" not in offered.offer.pins:
        return at
    return (*path, "kind") if value_at(scene.document.text.value, (*path, "kind")) is not None else (*path, "name")


def _link(node: str, target: str, where: Path, scene: Scene) -> LinkedGraph | None:
    nest = scene.nest
    if (levels := len(nest.files) + 1) > MOST_LEVELS:
        values = {"path": target, "levels": levels, "most": MOST_LEVELS}
        scene.tell("subgraph_too_large", where, values, node)
        return None
    document, _ = read_graph(scene.files[target].encode("utf-8"), target)
    led_by = (*nest.led_by, Related("nested_here", scene.faults.place(where), {"node": node}))
    return nest.link(document, Nest(nest.link, (*nest.files, target), led_by, nest.known))


def _may_hold(node: str, target: str, graph: LinkedGraph, where: Path, scene: Scene) -> bool:
    """Tell whether a graph may hold another one beside those that it holds already."""
    nest = scene.nest
    nodes = sum(nest.inside) + size(graph)
    if nodes > MOST_NODES:
        values = {"path": target, "nodes": nodes, "most": MOST_NODES}
        scene.tell("subgraph_too_large", where, values, node)
        return False
    nest.inside.append(size(graph))
    return True


def _with_ports(offered: Offered, graph: LinkedGraph) -> Offered:
    fields = graph.fields.values()
    reads = {f.name: Port(f.name, f.type, f.default, None, f.place) for f in fields if f.input}
    writes = {f.name: Port(f.name, f.type, MISSING, None, f.place) for f in fields if f.output}
    offers = [offer for node in graph.nodes.values() for offer in (node.offer, *node.held)]
    once = all(offer.kind.idempotent for offer in offers)
    kind = replace(offered.offer.kind, reads=reads, writes=writes, idempotent=once)
    return replace(offered, offer=replace(offered.offer, kind=kind), reads=wanted(kind), generic={})
