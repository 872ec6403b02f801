"""A rule and the kind that it is asked about go in; the types of what its ``when`` may read come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.arguments.schema_types import arguments_record, optional_arguments
from grapharc.spec.documents.policy import Resource
from grapharc.spec.expressions.syntax import Way
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import CAPABILITIES, Offer
from grapharc.spec.subtype import substitute, union_of, variables
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NULL, NUMBER, STRING, ListOf, Member, Record, Singleton, Type

_CAPABILITIES = ListOf(union_of(Singleton(name) for name in CAPABILITIES))

GRAPH = Record(
    "graph",
    (
        Member("capabilities", _CAPABILITIES),
        Member("labels", ListOf(STRING)),
        Member("node_count", INTEGER),
        Member("depth", INTEGER),
    ),
)
NODE = Record(
    "node",
    (
        Member("kind", STRING),
        Member("capabilities", _CAPABILITIES),
        Member("labels", ListOf(STRING)),
        Member("roles", ListOf(STRING)),
        Member("in_loop", BOOLEAN),
        Member("in_map", BOOLEAN),
        Member("timeout_seconds", union_of((NUMBER, NULL))),
    ),
)

READS: Mapping[Resource, tuple[str, ...]] = {
    "node": ("args", "inputs", "node", "graph", "tenant"),
    "tool": ("args", "inputs", "node", "graph", "tenant"),
    "spend": ("node", "graph", "tenant"),
    "edge": ("graph", "tenant"),
    "path": ("graph", "tenant"),
    "flow": ("graph", "tenant"),
}
"""What a ``when`` may read: what has two ends has no arguments of its own, and spend is looked at before they are."""


@frozen
class Scope:
    """Types by name, and the ways that need not be there."""

    types: Mapping[str, Type]
    absent: frozenset[Way] = frozenset()


def open_scope(resource: Resource, tenants: Iterable[str] | None) -> Scope:
    """Return what may be read where no kind is known: arguments and inputs may be anything."""
    types: dict[str, Type] = {"args": JSON, "inputs": JSON, "node": NODE, "graph": GRAPH, "tenant": _tenant(tenants)}
    return Scope({name: types[name] for name in READS[resource]})


def scope_of(resource: Resource, offer: Offer, matched: Sequence[Offer], tenants: Iterable[str] | None) -> Scope:
    """Return what may be read of a kind. What only another kind has that the rule matches may be asked for."""
    args, missing_args = _together(arguments_of(offer), map(arguments_of, matched))
    inputs, missing_inputs = _together(inputs_of(offer), map(inputs_of, matched))
    optional = set(optional_arguments(offer.kind.args)) - offer.pins.keys()
    absent = {("args", name) for name in (*optional, *missing_args)} | {("inputs", name) for name in missing_inputs}
    scope = open_scope(resource, tenants)
    return Scope({**scope.types, "args": args, "inputs": inputs}, frozenset(absent))


def arguments_of(offer: Offer) -> Record:
    """Return the type of a kind's arguments."""
    return arguments_record(offer.kind.args)


def inputs_of(offer: Offer) -> Record:
    """Return the type of a kind's input ports; what a type variable stands for may be anything."""
    members = (Member(port.name, _closed(port.type)) for port in offer.kind.reads.values())
    return Record("a record of inputs", tuple(members))


def _together(own: Record, others: Iterable[Record]) -> tuple[Record, tuple[str, ...]]:
    members = {member.name: member for member in own.members}
    missing: list[str] = []
    for other in others:
        for member in other.members:
            if member.name not in members:
                members[member.name] = member
                missing.append(member.name)
    return Record(own.name, tuple(members.values())), tuple(missing)


def _closed(type_: Type) -> Type:
    return substitute(type_, {variable.name: JSON for variable in variables(type_)})


def _tenant(tenants: Iterable[str] | None) -> Type:
    return STRING if tenants is None else union_of(Singleton(tenant) for tenant in sorted(set(tenants)))
