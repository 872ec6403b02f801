"""What is known of a request goes in; the values that a rule's ``when`` asks for come out, as far as they are known.

A ``when`` reads ``args``, ``inputs``, ``node``, ``graph`` and ``tenant``, and of the first four one field at a time:
each is a value by itself, ``args.path`` and whether there is one ``has args.path``, so that what is not known yet
leaves the rest known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.arguments.opened import paths_of
from grapharc.spec.arguments.schema_walk import properties_of
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Offer

ROOTS = ("args", "inputs", "node", "graph")
"""The names of which fields are read; ``tenant`` is a value."""


@frozen
class Need:
    """One value that a condition reads, under the name that the condition has for it."""

    name: str
    root: str
    field: str | None = None
    asks: bool = False
    """Whether it is asked only if the field is there."""


@frozen
class Values:
    """The fields of ``args``, ``inputs``, ``node`` or ``graph``.

    ``unknown`` are there with a value that only the run knows; of ``perhaps`` only the run knows whether they are
    there; ``broken`` are there with a value that cannot be looked at. Whatever is named nowhere is not there.
    """

    known: Mapping[str, Json] = field(default_factory=dict[str, Json])
    unknown: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether all is known."""
        return not (self.unknown or self.perhaps or self.broken)

    def look(self, need: Need, found: dict[str, object]) -> bool:
        """Put what is asked for, if it is there, under its name; tell whether only the run knows it."""
        name = need.field
        if name is None:
            if self.is_whole:
                found[need.name] = dict(self.known)
            return bool(self.unknown or self.perhaps)
        if name in self.perhaps:
            return True
        if need.asks:
            found[need.name] = name in self.known or name in self.unknown or name in self.broken
        elif name in self.known:
            found[need.name] = self.known[name]
        return not need.asks and name in self.unknown


NOTHING = Values()


@frozen
class Situation:
    """What is known of one request. ``kinds`` are the names of the kind of the node that makes it: in use, its own."""

    tenant: str
    graph: Values
    node: Values = NOTHING
    kinds: tuple[str, ...] = ()
    args: Values = NOTHING
    inputs: Values = NOTHING

    def given(self, args: Values, inputs: Values) -> Situation:
        """Return the situation with other arguments and inputs."""
        return replace(self, args=args, inputs=inputs)

    def of_kind(self, kind: str) -> Situation:
        """Return the situation in which the node's kind goes by one of its names."""
        return replace(self, node=replace(self.node, known={**self.node.known, "kind": kind}))

    def values(self, needs: Iterable[Need]) -> tuple[dict[str, object], bool]:
        """Return the values that are asked for by their names, and whether some of them only the run knows."""
        found: dict[str, object] = {}
        is_open = False
        for need in needs:
            match need.root:
                case "args":
                    is_open |= self.args.look(need, found)
                case "inputs":
                    is_open |= self.inputs.look(need, found)
                case "node":
                    is_open |= self.node.look(need, found)
                case "graph":
                    is_open |= self.graph.look(need, found)
                case _:
                    found[need.name] = self.tenant
        return found, is_open


def node_facts(
    offer: Offer,
    roles: Iterable[str],
    capabilities: Iterable[str],
    labels: Iterable[str],
    *,
    in_loop: bool = False,
    in_map: bool = False,
    timeout_seconds: float | None = None,
) -> dict[str, Json]:
    """Return what is known of a node of a kind, apart from what it is given; a ``when`` reads it as ``node``."""
    return {
        "kind": offer.name,
        "capabilities": list(capabilities),
        "labels": list(labels),
        "roles": list(roles),
        "in_loop": in_loop,
        "in_map": in_map,
        "timeout_seconds": timeout_seconds,
    }


def told(offer: Offer, values: Mapping[str, Json], unknown: frozenset[str] = frozenset()) -> tuple[Values, Values]:
    """Return the arguments and the inputs of a kind as rules see them, by what is given and what only the run knows.

    Paths in the workspace are as they are opened; one that leads nowhere cannot be looked at, and of one that begins at
    a folder which only the run knows nobody knows more.
    """
    paths, ports = paths_of(offer.kind), offer.kind.reads.keys()
    if paths.root in unknown:
        unknown |= {str(place[0]) for place, _, _ in paths.within(values)}
        values = {name: value for name, value in values.items() if name not in unknown}
    found, broken = paths.opened(values)
    args, inputs = (
        Values(
            {name: value for name, value in found.items() if (name in ports) is is_port and name not in broken},
            frozenset(name for name in unknown if (name in ports) is is_port),
            broken=frozenset(name for name in broken if (name in ports) is is_port),
        )
        for is_port in (False, True)
    )
    return args, inputs


def pinned(offer: Offer) -> Values:
    """Return the arguments of a kind of which nothing is known but what is pinned."""
    rest = frozenset(properties_of(offer.kind.args).keys() - offer.pins.keys())
    args, _ = told(offer, offer.pins, rest)
    return replace(args, unknown=args.unknown - rest, perhaps=rest)
