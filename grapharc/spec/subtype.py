"""Types go in; whether one may stand for another, what two have in common and what variables mean come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.constraints import implied
from grapharc.spec.frozen import replace
from grapharc.spec.types import (
    JSON,
    MISSING,
    NULL,
    Constrained,
    ListOf,
    MapOf,
    OneOf,
    Record,
    Scalar,
    Singleton,
    Type,
    Variable,
)


def is_subtype(sub: Type, sup: Type) -> bool:
    """Tell whether every value of ``sub`` is one of ``sup``. Nothing is cast; an ``integer`` is a ``number``.

    Records compare by structure, and one with more members is a subtype. A type variable is only itself and what
    its bound is.
    """
    if sub == sup or sup == JSON:
        return True
    match sub, sup:
        case OneOf(options), _:
            return all(is_subtype(option, sup) for option in options)
        case _, OneOf(options):
            return any(is_subtype(sub, option) for option in options)
        case _, Constrained(base, constraints):
            return is_subtype(sub, base) and all(implied(sub, word, limit) for word, limit in constraints)
        case Constrained(base, _), _:
            return is_subtype(base, sup)
        case Variable(_, bound), _:
            return bound is not None and is_subtype(bound, sup)
        case Scalar("integer"), Scalar("number"):
            return True
        case Singleton(), Scalar("string"):
            return True
        case (ListOf(item), ListOf(other)) | (MapOf(item), MapOf(other)):
            return is_subtype(item, other)
        case Record(), Record():
            return _is_wider_record(sub, sup)
        case _:
            return False


def fits(sub: Type, sup: Type) -> bool:
    """Like :func:`is_subtype`, but leaves the constraints of ``sup`` to the check when a value is written."""
    return is_subtype(sub, unconstrained(sup))


def unconstrained(type_: Type) -> Type:
    """Return a type without its constraints, at any depth."""
    match type_:
        case Constrained(base, _):
            return unconstrained(base)
        case ListOf(item):
            return ListOf(unconstrained(item))
        case MapOf(value):
            return MapOf(unconstrained(value))
        case OneOf(options):
            return union_of(map(unconstrained, options))
        case Record(name, members):
            return Record(name, tuple(replace(member, type=unconstrained(member.type)) for member in members))
        case _:
            return type_


def union_of(types: Iterable[Type]) -> Type:
    """Return the union of types: flat, without duplicates, in the order given; NEVER of none."""
    flat: dict[Type, None] = {}
    for type_ in types:
        flat.update(dict.fromkeys(type_.options if isinstance(type_, OneOf) else (type_,)))
    if JSON in flat:
        return JSON
    return next(iter(flat)) if len(flat) == 1 else OneOf(tuple(flat))


def join(left: Type, right: Type) -> Type:
    """Return the narrowest type that both are subtypes of, as far as a union is no better."""
    if is_subtype(left, right):
        return right
    if is_subtype(right, left):
        return left
    if isinstance(left, ListOf) and isinstance(right, ListOf):
        return ListOf(join(left.item, right.item))
    return union_of((left, right))


def without_null(type_: Type) -> Type:
    """Return a type with null taken out; ``null`` alone stays what it is."""
    if isinstance(type_, OneOf) and NULL in type_.options:
        return union_of(option for option in type_.options if option != NULL)
    return type_


def may_be_null(type_: Type) -> bool:
    """Tell whether null is a value of a type; of ``json`` it is."""
    return is_subtype(NULL, type_)


def solve(pattern: Type, actual: Type, solution: dict[str, Type]) -> None:
    """Find what the variables of ``pattern`` mean where ``actual`` stands in its place, null taken out of it.

    A variable that is in ``solution`` already becomes the join of both. Whether the result fits the variable's bound
    and the pattern is for the caller to check, after :func:`substitute`.
    """
    actual = without_null(actual)
    if isinstance(actual, Constrained) and not isinstance(pattern, Variable):
        actual = actual.base
    match pattern, actual:
        case Variable(name, _), _:
            solution[name] = join(solution[name], actual) if name in solution else actual
        case (ListOf(inner), ListOf(other)) | (MapOf(inner), MapOf(other)):
            solve(inner, other, solution)
        case OneOf(options), _:
            for option in options:
                if variables(option):
                    solve(option, actual, solution)
        case Record(_, members), Record(_, others):
            found = {other.name: other.type for other in others}
            for member in members:
                if member.name in found:
                    solve(member.type, found[member.name], solution)
        case _:
            return


def substitute(type_: Type, solution: Mapping[str, Type]) -> Type:
    """Put what variables mean in their places; one without a meaning stays."""
    match type_:
        case Variable(name, _):
            return solution.get(name, type_)
        case ListOf(item):
            return ListOf(substitute(item, solution))
        case MapOf(value):
            return MapOf(substitute(value, solution))
        case OneOf(options):
            return union_of(substitute(option, solution) for option in options)
        case Record(name, members):
            return Record(name, tuple(replace(m, type=substitute(m.type, solution)) for m in members))
        case Constrained(base, constraints):
            return Constrained(substitute(base, solution), constraints)
        case _:
            return type_


def variables(type_: Type) -> tuple[Variable, ...]:
    """Return the variables of a type in the order of their first appearance."""
    match type_:
        case Variable():
            return (type_,)
        case ListOf(inner) | MapOf(inner) | Constrained(inner, _):
            return variables(inner)
        case OneOf(options):
            return tuple(dict.fromkeys(found for option in options for found in variables(option)))
        case Record(_, members):
            return tuple(dict.fromkeys(found for member in members for found in variables(member.type)))
        case _:
            return ()


def _is_wider_record(sub: Record, sup: Record) -> bool:
    """A member that ``sup`` has a default for may be missing: it is filled in when the value is written."""
    found = {member.name: member for member in sub.members}
    return all(
        is_subtype(found[member.name].type, member.type) if member.name in found else member.default is not MISSING
        for member in sup.members
    )
