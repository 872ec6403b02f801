"""The nodes of a graph document go in; each with its kind, arguments and bindings comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.spec.documents.graph import NodeModel, RetryModel
from grapharc.spec.finding import Edit, Fix, Place, Related
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path, value_at
from grapharc.spec.link.arguments import Arguments, link_arguments
from grapharc.spec.link.expressions import link_expression
from grapharc.spec.link.maps import link_map
from grapharc.spec.link.reads import link_reads
from grapharc.spec.link.scene import Scene
from grapharc.spec.link.subgraphs import link_subgraph
from grapharc.spec.link.writes import link_writes
from grapharc.spec.linked import RETRY_ON, ExpressionArg, Node, Read, Retry, RetryOn, Write
from grapharc.spec.offers import Offer
from grapharc.spec.suggest import suggest
from grapharc.spec.type_names import ANY
from grapharc.spec.types import Type


@frozen
class Nodes:
    """The nodes by name, in the order of the document.

    ``unlinked`` are written down but not among them; ANY is, where a name itself could not be made out.
    """

    nodes: Mapping[str, Node]
    unlinked: frozenset[str]


def link_nodes(scene: Scene) -> Nodes:
    """Link every node. Of two nodes of one name the first is the node."""
    nodes: dict[str, Node] = {}
    unlinked: dict[str, Place] = {}
    for index, model in scene.document.model.nodes.items():
        name, path = model.name, ("nodes", index)
        if name in nodes or name in unlinked:
            related = (Related("first_here", nodes[name].place if name in nodes else unlinked[name]),)
            scene.faults.add("duplicate_node", (*path, "name"), {"node": name}, subject=name, related=related)
        elif (offer := _offer(model, path, scene)) is not None:
            nodes[name] = _node(model, path, offer, scene)
        else:
            unlinked[name] = scene.faults.place((*path, "name"))
    lost = [name for name in _lost_names(scene) if name not in nodes]
    return Nodes(nodes, frozenset((*unlinked, *lost)))


def _offer(model: NodeModel, path: Path, scene: Scene) -> Offer | None:
    name = model.kind_name
    offer = scene.registry.offers.get(name)
    if offer is not None or scene.known.may_have_kind(name) or scene.document.is_damaged((*path, "kind")):
        return offer
    where = (*path, "name" if model.kind is None else "kind")
    near = scene.known.kind_names.nearest(name)
    shipped = scene.registry.shipped
    elsewhere = "" if near or name in shipped else suggest(name, shipped)
    values = {"kind": name, "suggestion": near, **scene.known.where_to_add}
    if elsewhere:
        values["shipped"] = elsewhere
    fixes: tuple[Fix, ...] = ()
    if model.kind is None and near:  # the name stays, since edges go by it
        fixes = (Fix(scene.document.path, (Edit("set", (*path, "kind"), near),), safe=False),)
    scene.faults.add("unregistered_node", where, values, subject=model.name, fixes=fixes)
    return None


_NO_VARIABLES: dict[str, Type] = {}


def _node(model: NodeModel, path: Path, offer: Offer, scene: Scene) -> Node:
    before = len(scene.faults.found)
    offered = scene.offered(offer)
    scene = scene.at(model.name) if scene.sure else scene
    mapped = None if model.map is None else link_map(model.map, (*path, "map"), scene, model.name)
    scene = mapped.scene if mapped is not None else scene
    arguments = link_arguments(model, path, offered, scene)
    nested = link_subgraph(model.name, path, arguments.args, offered, scene) if offer.kind.is_graph else None
    offered = offered if nested is None else nested.offered
    solution = {} if offered.generic else _NO_VARIABLES
    reads: tuple[Read, ...] = ()
    writes: tuple[Write, ...] = ()
    if nested is not None or not offer.kind.is_graph:
        if offered.reads or model.reads or arguments.templates:
            reads = link_reads(model, path, offered, arguments, scene, solution)
        if offered.offer.kind.writes or model.writes:
            writes = link_writes(model, path, offered, scene, solution, mapped is not None)
    expressions = tuple(_expressions(model, arguments, scene)) if arguments.expressions else ()
    if len(scene.faults.found) > before or scene.document.is_damaged(path):
        scene.unbound.add(model.name)
    return Node(
        model.name,
        offered.offer,
        arguments.args,
        tuple([found.arg for found in arguments.templates]) if arguments.templates else (),
        expressions,
        arguments.held,
        reads,
        writes,
        solution,
        arguments.roles,
        None if mapped is None else mapped.complete(offered, writes),
        None if model.retry is None else _retry(model.retry, scene.faults.place((*path, "retry"))),
        model.timeout_seconds,
        (scene.faults.document, *path, "name"),
        None if nested is None else nested.graph,
    )


def _retry(model: RetryModel, place: Place) -> Retry:
    on: tuple[RetryOn, ...] = tuple(each for each in RETRY_ON if each in model.on)
    return Retry(model.max_attempts, model.backoff_seconds, model.max_backoff_seconds, on, place)


def _expressions(model: NodeModel, arguments: Arguments, scene: Scene) -> Iterator[ExpressionArg]:
    for found in arguments.expressions:
        checked = link_expression(found.text, found.origin, None, scene, model.name)
        if checked is not None:
            yield ExpressionArg(found.path, checked, scene.fields_of(checked), scene.faults.place(found.origin.path))


def _lost_names(scene: Scene) -> Iterator[str]:
    """Names of nodes that are left out of the model: as they are written, where they are."""
    document = scene.document
    if document.is_damaged(("nodes",)):
        if not document.damaged.isdisjoint(((), ("nodes",))):
            yield ANY
        for hole in document.damaged:
            if hole[:1] == ("nodes",) and len(hole) > 1 and hole[1] not in document.model.nodes:
                name = value_at(document.text.value, (*hole[:2], "name"))
                yield name if isinstance(name, str) else ANY
