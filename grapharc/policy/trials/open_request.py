"""A request as a test or a command words it goes in; the request with its kinds and values comes out, or its faults."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from grapharc.policy.owner.at_run import given_to
from grapharc.policy.owner.policy import DEFAULT_TENANT
from grapharc.policy.owner.scope import GRAPH, NODE
from grapharc.policy.owner.selects import names_of
from grapharc.policy.owner.situation import Situation, Values, node_facts, pinned
from grapharc.policy.owner.table import Sentinel
from grapharc.policy.trials.question import Request
from grapharc.spec.arguments.defaults import with_defaults
from grapharc.spec.arguments.schema_walk import properties_of
from grapharc.spec.documents.policy import Resource
from grapharc.spec.documents.test import RequestModel
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import END, START
from grapharc.spec.offers import Offer
from grapharc.spec.suggest import suggest
from grapharc.spec.types import Missing

Kinds: TypeAlias = Mapping[str, Offer]

_NEEDS: Mapping[Resource, tuple[str, ...]] = {
    "node": ("kind",),
    "tool": ("kind",),
    "spend": ("kind", "usd"),
    "edge": ("source", "target"),
    "path": ("source", "target"),
    "flow": ("source", "target"),
}

_MAY: Mapping[str, tuple[Resource, ...]] = {
    "kind": ("node", "spend", "tool"),
    "source": ("edge", "flow", "path"),
    "target": ("edge", "flow", "path"),
    "via": ("flow", "path"),
    "labels": ("flow",),
    "args": ("node", "tool"),
    "inputs": ("node", "tool"),
    "role": ("spend",),
    "usd": ("spend",),
    "spent": ("spend",),
    "node": ("node", "spend", "tool"),
}
"""What says something in requests about some resources only."""

_FACTS: Mapping[str, tuple[str, ...]] = {
    root: tuple(sorted(member.name for member in record.members)) for root, record in (("node", NODE), ("graph", GRAPH))
}


def open_request(model: RequestModel, kinds: Kinds, path: Path, faults: Faults, subject: str) -> Request | None:
    """Find the kinds and complete the arguments of a request; None with faults where it makes no sense."""
    before = len(faults.found)
    _check_keys(model, path, faults, subject)
    written = _written(model)
    ends: list[Offer | Sentinel] = []
    for key in _NEEDS[model.resource]:
        name = written.get(key)
        if isinstance(name, str):
            end = _end(name, key, model.resource, kinds, (*path, key), faults, subject)
            ends += [] if end is None else [end]
    via = [
        _end(name, "via", "node", kinds, (*path, "via", number), faults, subject)
        for number, name in enumerate(model.via)
    ]
    first = ends[0] if ends else None
    if isinstance(first, Offer) and len(ends) == 1:
        _check_arguments(model, first, path, faults, subject)
    if len(faults.found) > before:
        return None
    return Request(
        model.resource,
        tuple(ends),
        situation(model, first if isinstance(first, Offer) and len(ends) == 1 else None),
        model.tenant,
        tuple(each for each in via if isinstance(each, Offer)),
        model.role or "",
        model.usd or 0.0,
        model.spent or 0.0,
        model.labels,
    )


def situation(model: RequestModel, offer: Offer | None) -> Situation:
    """Return all that is known of a request: what it is given, defaults for the rest, and nothing beyond."""
    capabilities, labels = (offer.capabilities, offer.labels) if offer else ((), ())
    around: dict[str, Json] = {"capabilities": list(capabilities), "labels": list(labels), "node_count": 1, "depth": 1}
    at = Situation(model.tenant or DEFAULT_TENANT, Values({**around, **model.graph}))
    if offer is None:
        return at
    facts = node_facts(offer, [model.role] if model.role else [], capabilities, labels)
    holder = model.node.get("kind")
    kinds = (holder,) if isinstance(holder, str) else names_of(offer)
    at = replace(at, node=Values({**facts, **model.node}), kinds=kinds)
    ports = {port.name: port.default for port in offer.kind.reads.values() if not isinstance(port.default, Missing)}
    args = with_defaults(model.args, offer.kind.args, offer.pins)
    return given_to(at, offer, {**ports, **args, **model.inputs, **offer.pins})


def before_a_run(request: Request) -> Request:
    """Return a request of which nothing is known but its kinds: what it would be given, only a run knows."""
    offer = request.offer
    at = Situation(request.tenant or DEFAULT_TENANT, Values(perhaps=frozenset(_FACTS["graph"])))
    if offer is None:
        return replace(request, situation=at)
    is_held = request.resource == "tool"  # by which kind of node, if not as one of its own, nobody said
    known = {} if is_held else {name: request.situation.node.known[name] for name in ("kind", "capabilities", "labels")}
    node = Values(known, unknown=frozenset(_FACTS["node"]) - known.keys())
    at = replace(at, node=node, kinds=() if is_held else request.situation.kinds)
    return replace(request, situation=at.given(pinned(offer), Values(unknown=frozenset(offer.kind.reads))))


def _check_keys(model: RequestModel, path: Path, faults: Faults, subject: str) -> None:
    written = _written(model)
    for key in _NEEDS[model.resource]:
        if key not in written:
            faults.add("missing_key", path, {"key": key}, subject=subject)
    for key in written:
        if key in _MAY and model.resource not in _MAY[key]:
            values = {"key": key, "resource": model.resource, "known": _MAY[key]}
            faults.add("key_not_of_request", (*path, key), values, part="key", subject=subject)
    for root, known in _FACTS.items():
        for name in model.node if root == "node" else model.graph:
            if name not in known:
                values = {"key": name, "suggestion": suggest(name, known), "known": known}
                faults.add("unknown_key", (*path, root, name), values, part="key", subject=subject)


def _written(model: RequestModel) -> dict[str, object]:
    """The keys that a request has; what is empty was not written, or says nothing."""
    values: dict[str, object] = {
        "kind": model.kind,
        "source": model.source,
        "target": model.target,
        "via": model.via,
        "labels": model.labels,
        "args": model.args,
        "inputs": model.inputs,
        "role": model.role,
        "usd": model.usd,
        "spent": model.spent,
        "node": model.node,
    }
    return {key: value for key, value in values.items() if value not in (None, (), {})}


def _end(
    name: str, key: str, resource: Resource, kinds: Kinds, path: Path, faults: Faults, subject: str
) -> Offer | Sentinel | None:
    if resource in ("edge", "path") and name == {"source": START, "target": END}.get(key):
        return name
    if name in kinds:
        return kinds[name]
    near = suggest(name, kinds)
    # A case asks about what there is: the kind would be added for graphs, and not for the case's sake.
    values = {"kind": name, "suggestion": near, "misnamed": "" if near else name, "case": subject}
    faults.add("unregistered_node", path, values, subject=subject)
    return None


def _check_arguments(model: RequestModel, offer: Offer, path: Path, faults: Faults, subject: str) -> None:
    """What the kind does not take is told, since a condition would never see it."""
    args, ports = properties_of(offer.kind.args).keys(), offer.kind.reads.keys()
    for root, given, known in (("args", model.args, args), ("inputs", model.inputs, ports)):
        for name in _unknown(given, known):
            values = {"kind": offer.name, "what": _WHAT[root], "name": name, "suggestion": suggest(name, known)}
            faults.add("argument_not_taken", (*path, root, name), values, part="key", subject=subject)
    for name in model.args:
        if name in offer.pins:
            faults.add("arg_is_pinned", (*path, "args", name), {"arg": name, "kind": offer.name}, subject=subject)


_WHAT: Mapping[str, str] = {"args": "argument", "inputs": "input"}


def _unknown(given: Mapping[str, Json], known: Collection[str]) -> Iterator[str]:
    return (name for name in given if name not in known)
