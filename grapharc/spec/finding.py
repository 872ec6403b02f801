"""What is wrong with a document, as data: a code, a place and values; the words are the catalogue's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Json, Path
from grapharc.spec.source import Span

Severity: TypeAlias = Literal["error", "warning", "note"]
Value: TypeAlias = "str | int | float | tuple[str, ...]"

NO_VALUES: Mapping[str, Value] = MappingProxyType({})


def no_values() -> Mapping[str, Value]:
    """Return the shared empty mapping, which a dataclass does not take as a default by itself."""
    return NO_VALUES


@frozen
class Place:
    """Where in which document; offsets, lines and columns are looked up when the finding is shown.

    ``path`` leads to a value, or with ``part = "key"`` to the key that holds it. ``within`` narrows a string value to
    a range of its decoded text (a name inside an expression). ``span`` is exact and used by readers, which find
    faults where there is no value yet.
    """

    document: str
    path: Path = ()
    part: Literal["value", "key"] = "value"
    within: Span | None = None
    span: Span | None = None


Spot: TypeAlias = "Place | tuple[str | int, ...]"
"""A place, or what one is made of when somebody asks, which of most nobody does: a document and a path in it."""


def place_at(spot: Spot) -> Place:
    """Return the place that a spot stands for."""
    return spot if isinstance(spot, Place) else Place(str(spot[0]), spot[1:])


class Placed:
    """What stands somewhere in a document."""

    __slots__ = ()
    spot: Spot

    @property
    def place(self) -> Place:
        """Where it is written, or what asks for it."""
        return place_at(self.spot)


@frozen
class Related:
    """A second place that helps to understand a finding; ``note`` is a slug of the catalogue's ``[notes]``."""

    note: str
    place: Place
    values: Mapping[str, Value] = field(default_factory=no_values)


@frozen
class Step:
    """One step of a witness: what happens, and where that is written."""

    text: str
    place: Place | None = None


@frozen
class Edit:
    """A change: ``append`` to the list at ``path``, ``replace`` or ``remove`` what is there, ``set`` a key."""

    op: Literal["append", "replace", "remove", "set"]
    path: Path
    value: Json = None


@frozen
class Fix:
    """Edits that belong together; a safe fix keeps the meaning and never widens authority."""

    document: str
    edits: tuple[Edit, ...]
    safe: bool


@frozen
class Finding:
    """One fault. ``code`` is a slug of ``reasons.toml``; ``values`` fill its templates.

    ``severity`` is set only where it differs from the catalogue's. ``subject`` names the node, edge, field or kind
    that the finding is about, ``rule`` the policy rule that decided.
    """

    code: str
    place: Place
    values: Mapping[str, Value] = field(default_factory=no_values)
    severity: Severity | None = None
    subject: str = ""
    rule: str | None = None
    related: tuple[Related, ...] = ()
    witness: tuple[Step, ...] = ()
    fixes: tuple[Fix, ...] = field(default=())

    def at(self, severity: Severity) -> Finding:
        """Return this finding with another severity."""
        return replace(self, severity=severity)
