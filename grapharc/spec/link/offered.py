"""An offer goes in; what linking a node of it needs, worked out once for all of its nodes, comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping

from grapharc.spec.arguments.defaults import defaults_in
from grapharc.spec.arguments.formats import Shape, shape_of
from grapharc.spec.arguments.misfits import Fit, plain_fit
from grapharc.spec.arguments.prepare import Origin, Prepared, prepare
from grapharc.spec.arguments.schema_walk import Schema
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import Loader
from grapharc.spec.offers import Kind, Offer
from grapharc.spec.subtype import variables
from grapharc.spec.templates import Hole
from grapharc.spec.types import MISSING, Type, Variable


@frozen
class Wanted:
    """One input port of a node: what it takes, and, of a port that only a template has, where it stands."""

    name: str
    type: Type
    generic: tuple[Variable, ...]
    is_required: bool
    format: str | None = None
    hole: Hole | None = None
    origin: Origin | None = None


@frozen
class Offered:
    """An offer with its schema compiled. ``pinned`` are its pins, with what their strings are.

    ``defaults`` is the schema of those arguments that have a default, or may hold one that has.
    """

    offer: Offer
    schema_text: str
    defaults: Schema
    fit: Fit | None
    shape: Shape | None
    pinned: Prepared
    reads: Mapping[str, Wanted]
    generic: Mapping[str, Variable]
    """The type variables of its ports, by name."""


def look_at_offer(offer: Offer, loader: Loader) -> Offered:
    """Work out what all nodes of an offer have in common."""
    kind = offer.kind
    shape = shape_of(kind.args)
    ports = (*kind.reads.values(), *kind.writes.values())
    return Offered(
        offer,
        json.dumps(kind.args, sort_keys=True, separators=(",", ":")),
        defaults_in(kind.args),
        plain_fit(kind.args),
        shape,
        # What is wrong with pins was told where they are written.
        prepare(offer.pins, shape, (), loader, Faults(offer.place.document)),
        wanted(kind),
        {variable.name: variable for port in ports for variable in variables(port.type)},
    )


def wanted(kind: Kind) -> dict[str, Wanted]:
    """Return what each input port of a kind takes."""
    return {
        port.name: Wanted(port.name, port.type, variables(port.type), port.default is MISSING, port.format)
        for port in kind.reads.values()
    }
