"""Two types go in; whether some value may be equal to a value of each, and what is left of one then, comes out."""

from __future__ import annotations

from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.subtype import is_subtype, union_of
from grapharc.spec.types import (
    BOOLEAN,
    JSON,
    MISSING,
    NULL,
    STRING,
    Constrained,
    ListOf,
    MapOf,
    OneOf,
    Record,
    Singleton,
    Type,
    Variable,
    bare,
)


def may_be_equal(left: Type, right: Type) -> bool:
    """Tell whether a value of one type can equal one of the other; integers and numbers compare as numbers."""
    left, right = bare(left), bare(right)
    if is_open(left) or is_open(right):
        return True
    match left, right:
        case OneOf(options), _:
            return any(may_be_equal(option, right) for option in options)
        case _, OneOf(options):
            return any(may_be_equal(left, option) for option in options)
        case Record(), Record():
            return _may_be_equal_records(left, right)
        case (ListOf(), ListOf()) | (MapOf(), MapOf() | Record()) | (Record(), MapOf()):
            return True
        case _:
            return is_subtype(left, right) or is_subtype(right, left)


def equal_to(type_: Type, other: Type) -> Type:
    """Return what is left of a type for values that are equal to one of another type."""
    return union_of(_narrower(option, other) for option in options(type_) if may_be_equal(option, other))


def unequal_to(type_: Type, other: Type) -> Type:
    """Return what is left of a type for values that are unequal to the only value of ``other``, if it has only one."""
    other = bare(other)
    if isinstance(other, Singleton) or other == NULL:
        return union_of(option for option in options(type_) if bare(option) != other)
    return type_


def options(type_: Type) -> tuple[Type, ...]:
    """Return the alternatives of a type, each with its constraints; a type that is no union is the only one."""
    match type_:
        case OneOf(alternatives):
            return tuple(option for each in alternatives for option in options(each))
        case Constrained(base, constraints):
            found = options(base)
            return (type_,) if len(found) == 1 else tuple(Constrained(option, constraints) for option in found)
        case Variable(_, bound) if bound is not None:
            return options(bound)
        case _:
            return (type_,)


def enum(type_: Type) -> tuple[str, ...]:
    """Return the values of a type whose values are a few strings, null left aside; nothing for any other type."""
    found = [bare(option) for option in options(type_)]
    strings = tuple(option.value for option in found if isinstance(option, Singleton))
    return strings if len(strings) == len([option for option in found if option != NULL]) else ()


def as_map(type_: Type) -> Type:
    """Return the map that a record without a name is: one that is written out, as ``{'a': 1}``, is a value of both."""
    if isinstance(type_, Record) and not type_.name:
        return MapOf(union_of(member.type for member in type_.members))
    return type_


def _narrower(option: Type, other: Type) -> Type:
    """Of an open string or json a value keeps what it was found equal to; numbers may be equal across types."""
    other = bare(other)
    exact = isinstance(other, Singleton) or other in (STRING, BOOLEAN, NULL)
    return other if exact and bare(option) in (STRING, JSON) else option


def _may_be_equal_records(left: Record, right: Record) -> bool:
    """Either may have more fields than its type tells; those that both tell of must be able to be equal."""
    others = {member.name: member.type for member in right.members}
    return all(
        may_be_equal(member.type, others[member.name])
        for member in left.members
        if member.name in others and member.default is MISSING
    )
