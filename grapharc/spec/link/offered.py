"""An offer goes in; what linking a node of it needs, worked out once for all of its nodes, comes out."""

from __future__ import annotations

import json
from dataclasses import dataclass

from grapharc.spec.arguments.formats import Shape, shape_of
from grapharc.spec.arguments.misfits import Fit, plain_fit
from grapharc.spec.arguments.prepare import Prepared, prepare
from grapharc.spec.faults import Faults
from grapharc.spec.linked import Offer
from grapharc.spec.loader import Loader


@dataclass(frozen=True, slots=True)
class Offered:
    """An offer with its schema compiled. ``pinned`` are its pins, with what their strings are."""

    offer: Offer
    schema_text: str
    fit: Fit | None
    shape: Shape | None
    pinned: Prepared


def look_at_offer(offer: Offer, loader: Loader) -> Offered:
    """Work out what all nodes of an offer have in common."""
    schema = offer.kind.args
    shape = shape_of(schema)
    # What is wrong with pins was told where they are written.
    pinned = prepare(offer.pins, shape, (), loader, Faults(offer.place.document))
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"))
    return Offered(offer, text, plain_fit(schema), shape, pinned)
