"""What is known of a request goes in; the values that a rule's ``when`` asks for come out, as far as they are known.

A ``when`` reads ``args``, ``inputs``, ``node``, ``graph`` and ``tenant``, and of the first four one field at a time:
each is a value by itself, ``args.path`` and whether there is one ``has args.path``, so that what is not known yet
leaves the rest known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.arguments.workspace_path import normal_path
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Json

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


def in_normal_form(values: Mapping[str, Json], formats: Mapping[str, str | None]) -> Values:
    """Return values with paths in the workspace as rules know them; one that leads out cannot be looked at."""
    known: dict[str, Json] = {}
    broken: set[str] = set()
    for name, value in values.items():
        if formats.get(name) == "workspace-path" and isinstance(value, str):
            path, fault = normal_path(value)
            known[name] = path
            broken.update([name] if fault is not None else [])
        else:
            known[name] = value
    return Values({name: value for name, value in known.items() if name not in broken}, broken=frozenset(broken))
