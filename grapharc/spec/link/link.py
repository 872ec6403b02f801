"""A graph document and a registry go in; the graph with all that its names mean comes out, with what is wrong in it."""

from __future__ import annotations

from grapharc.spec.declared_types import declare_types
from grapharc.spec.document import Document
from grapharc.spec.documents.graph import BudgetModel, GraphModel
from grapharc.spec.faults import Faults
from grapharc.spec.fields import declare_fields, merge_fields, missing_fields
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import replace
from grapharc.spec.link.edges import link_edges
from grapharc.spec.link.failures import sure_failures
from grapharc.spec.link.nest import Nest
from grapharc.spec.link.nodes import link_nodes
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.nesting import led
from grapharc.spec.offers import Registry
from grapharc.spec.type_names import ANY, Reader, TypeNames


def link(
    graph: Document[GraphModel], registry: Registry, loader: Loader, memo: Memo
) -> tuple[LinkedGraph, tuple[Finding, ...]]:
    """Link a graph, and all that are nested in it. The findings are those of linking alone, and of all about subgraphs.

    The graph holds them beside all earlier ones.
    """

    def nested(inner: Document[GraphModel], nest: Nest) -> LinkedGraph:
        return _link(inner, registry, loader, memo, nest)

    nest = Nest(nested, (graph.path,))
    linked = _link(graph, registry, loader, memo, nest)
    inside = [inner for inner in nest.known.values() if inner is not None]
    found = (*linked.findings, *(finding for inner in inside for finding in led(inner, inner.findings)))
    texts = {**registry.texts, **{inner.path: inner.document for inner in inside}, **linked.texts}
    return replace(linked, texts=texts, findings=(*registry.findings, *graph.findings, *found)), found


def _link(graph: Document[GraphModel], registry: Registry, loader: Loader, memo: Memo, nest: Nest) -> LinkedGraph:
    """Link one graph; its findings are its own."""
    faults = Faults(graph.path)
    outer = TypeNames(registry.types, registry.ambiguous, registry.missing_types)
    names = declare_types(graph.model.types, outer, graph, memo, faults)
    reader = Reader(graph, names, memo, faults)
    own = declare_fields(graph.model.state, reader)
    fields = merge_fields(registry.fields, own, reader)
    lost = frozenset((registry.missing_fields | missing_fields(graph, own)) - own.keys())
    found_fields = {name: field for name, field in fields.items() if name not in lost}
    sure = sure_failures(graph.model, registry)
    scene = Scene(graph, registry, found_fields, lost, loader, memo, faults, nest, sure=sure)
    nodes = link_nodes(scene)
    edges = link_edges(scene, nodes)
    return LinkedGraph(
        name=graph.model.name,
        version=graph.model.version,
        document=graph.text,
        registry=registry,
        fields=scene.fields,
        types=names.known,
        nodes=nodes.nodes,
        edges=edges.edges,
        budget=_budget(graph.model.budget),
        files=dict(sorted(scene.files.items())),
        texts={**registry.texts, graph.path: graph.text},
        unlinked=nodes.unlinked - {ANY},
        unbound=frozenset(scene.unbound),
        missing_fields=lost,
        # Of a node without a name nobody can tell which edges are its own.
        missing_edges=edges.missing or ANY in nodes.unlinked,
        findings=tuple(faults.found) if not nest.led_by else (*graph.findings, *faults.found),
        failed=sure,
        led_by=nest.led_by,
    )


def _budget(model: BudgetModel) -> Budget:
    return Budget(model.max_tokens, model.max_iterations, model.max_seconds, model.max_usd, model.max_concurrency)
