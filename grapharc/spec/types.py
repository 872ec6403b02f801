"""The types of fields, ports and record members, as values."""

from __future__ import annotations

from typing import Literal, TypeAlias

from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json


class Missing:
    """The absence of a default; ``null`` is a default like any other."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


@frozen
class Scalar:
    """``string``, ``integer``, ``number``, ``boolean``, ``null`` or ``json`` (any value)."""

    name: Literal["string", "integer", "number", "boolean", "null", "json"]


@frozen
class Singleton:
    """The type of one string, written ``"green"``."""

    value: str


@frozen
class ListOf:
    """``list[T]``."""

    item: Type


@frozen
class MapOf:
    """``map[T]``: string keys, values of one type."""

    value: Type


@frozen
class OneOf:
    """``A | B``: two or more options, flat, without duplicates, in the order written; none in ``NEVER`` alone."""

    options: tuple[Type, ...]


@frozen
class Member:
    """One field of a record. It may be left out of a value iff it has a default."""

    name: str
    type: Type
    default: Json | Missing = field(default=MISSING, hash=False)


@frozen
class Record:
    """A record, compared by structure; ``name`` is what messages call it."""

    name: str
    members: tuple[Member, ...]


@frozen
class Variable:
    """A type variable of a kind's port, solved from the bound fields; ``bound`` limits it (``T: Claim``)."""

    name: str
    bound: Type | None = None


@frozen
class Constrained:
    """A type narrowed by JSON Schema's words: ``minimum``, ``maxLength``, ``pattern``, ``maxItems`` and the like."""

    base: Type
    constraints: tuple[tuple[str, Json], ...]


Type: TypeAlias = "Scalar | Singleton | ListOf | MapOf | OneOf | Record | Variable | Constrained"

STRING = Scalar("string")
INTEGER = Scalar("integer")
NUMBER = Scalar("number")
BOOLEAN = Scalar("boolean")
NULL = Scalar("null")
JSON = Scalar("json")

NEVER = OneOf(())
"""The type without values: that of the items of ``[]``."""


def bare(type_: Type) -> Type:
    """Return what a type is apart from its constraints; for a type variable with a bound, the bound."""
    while isinstance(type_, Constrained | Variable):
        inner = type_.base if isinstance(type_, Constrained) else type_.bound
        if inner is None:
            return type_
        type_ = inner
    return type_


def show(type_: Type) -> str:
    """Write a type as documents do; a record by its name, or by its members where it has none."""
    match type_:
        case Scalar(name) | Variable(name, _):
            return name
        case Singleton(value):
            return f'"{value}"'
        case ListOf(item):
            return f"list[{show(item)}]"
        case MapOf(value):
            return f"map[{show(value)}]"
        case OneOf(options):
            return " | ".join(map(show, options)) or "nothing"
        case Constrained(base, _):
            return show(base)
        case Record(name, members):
            return name or "{ " + ", ".join(f"{member.name}: {show(member.type)}" for member in members) + " }"
