"""What a project is made of is no file of its workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.case import Case
from grapharc.policy.owner.grounds import known_inputs
from grapharc.policy.places import kind_place, row_of
from grapharc.spec.arguments.opened import paths_of
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Node
from grapharc.spec.offers import WORKSPACE_CAPABILITIES, Offer

_TOUCHING = frozenset(WORKSPACE_CAPABILITIES)


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each path that a document gives, and that is kept from kinds."""
    for node in case.graph.nodes.values():
        if _TOUCHING.isdisjoint(node.capabilities):
            continue
        inputs = known_inputs(node)
        places = {read.port: read.place for read in node.reads if read.port in inputs}
        for name, path, what in _kept(case, node.offer, {**node.args, **inputs}):
            where = places.get(name) or (
                Place(node.place.document, (*row_of(node), "args", name))
                if name in node.args
                else kind_place(case.graph, node)
            )
            yield _finding(node, where, path, what)
        for offer in node.held:
            for _, path, what in _kept(case, offer, offer.pins):
                yield _finding(node, kind_place(case.graph, node), path, what)


def _kept(case: Case, offer: Offer, values: Mapping[str, Json]) -> Iterator[tuple[str, str, str]]:
    paths = paths_of(offer.kind)
    opened, broken = paths.opened(values)
    for place, _, path in paths.within(opened):
        name = str(place[0])
        if name not in broken and (what := case.reserved.what(path)) is not None:
            yield name, path, what


def _finding(node: Node, where: Place, path: str, what: str) -> Finding:
    return Finding("workspace_path_reserved", where, {"path": path, "what": what}, subject=node.name)
