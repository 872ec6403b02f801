"""What a policy can be asked: a request with all that is known of it, or a whole graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from grapharc.policy.owner.policy import BETWEEN_ENDS
from grapharc.policy.owner.situation import Situation
from grapharc.policy.owner.table import Sentinel
from grapharc.spec.documents.policy import Resource
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.offers import Capability, Kind, Offer


@frozen
class Request:
    """One request. ``ends`` are one kind, or the kinds or sentinels at both ends, with ``via`` in between.

    Of what spends, ``usd`` is what this call may cost at worst and ``spent`` what the run has spent before. ``labels``
    are those that data carries beside those of its source.
    """

    resource: Resource
    ends: tuple[Offer | Sentinel, ...]
    situation: Situation
    tenant: str | None = None
    via: tuple[Offer, ...] = ()
    role: str = ""
    usd: float = 0.0
    spent: float = 0.0
    labels: tuple[str, ...] = ()

    @property
    def offer(self) -> Offer | None:
        """The kind that the request is about; None where it has two ends."""
        first = self.ends[0]
        return None if self.resource in BETWEEN_ENDS or isinstance(first, str) else first

    def __str__(self) -> str:
        way = [self.ends[0], *self.via, *self.ends[1:]]
        role = f" as {self.role}" if self.role else ""
        return f"{self.resource}: {' -> '.join(each if isinstance(each, str) else each.name for each in way)}{role}"


@frozen
class WholeGraph:
    """A graph to be judged, as an author would hand it in."""

    graph: LinkedGraph
    tenant: str | None = None

    def __str__(self) -> str:
        return f"graph: {self.graph.name or self.graph.path}"


Question: TypeAlias = "Request | WholeGraph"


def nameless_kind(name: str, capabilities: tuple[Capability, ...] = (), labels: tuple[str, ...] = ()) -> Offer:
    """Return a kind of which nothing is known but its name, for policies that are asked before there is a registry."""
    place = Place("")
    nothing: Mapping[str, Json] = {}
    kind = Kind(name, "", "", "", "", capabilities, labels, (), True, False, {}, {}, nothing, {}, (), place)
    return Offer(name, kind, {}, capabilities, labels, (), {}, place)
