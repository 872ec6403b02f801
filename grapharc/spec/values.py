"""A type goes in; a function that checks, completes and copies values of it comes out, compiled once.

Values are JSON values in plain Python: ``None``, ``bool``, ``int``, ``float``, ``str``, ``list`` and ``dict``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite
from typing import TypeAlias, TypeGuard

from grapharc.spec.constraints import Check, check
from grapharc.spec.json_value import Json, is_dict, is_list
from grapharc.spec.types import (
    MISSING,
    Constrained,
    ListOf,
    MapOf,
    Member,
    Missing,
    OneOf,
    Record,
    Scalar,
    Singleton,
    Type,
    Variable,
    show,
)

_INT64 = range(-(2**63), 2**63)


class Misfit(Exception):
    """A value is not of its type. ``where`` leads from the value to the part that is wrong, as in ``[2].text``."""

    def __init__(self, where: str, expected: str, found: str) -> None:
        super().__init__(where, expected, found)
        self.where, self.expected, self.found = where, expected, found

    def __str__(self) -> str:
        place = f" at {self.where}" if self.where else ""
        return f"expected {self.expected}{place}, found {self.found}"

    def under(self, step: str) -> Misfit:
        """Return the same misfit seen from the value one level up."""
        return Misfit(step + self.where, self.expected, self.found)


Conform: TypeAlias = "Callable[[object], Json]"
"""Returns a value of the type, its own copy, defaults of records filled in. Raises :class:`Misfit`."""


def describe(value: object) -> str:
    """Say what kind of value something is, without showing a long one."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return f"integer {value}" if value in _INT64 else "an integer beyond 64 bits"
        case float():
            return f"number {value}"
        case str():
            return f"string {value!r}" if len(value) <= 40 else f"a string of {len(value)} characters"
        case list():
            return "a list"
        case dict():
            return "a record"
        case _:
            return f"a Python {type(value).__name__}"


@lru_cache(maxsize=4096)
def conform(type_: Type) -> Conform:
    """Compile a type. A variable is any value: the linker puts its meaning in its place where there is one."""
    match type_:
        case Scalar(name):
            return _SCALARS[name]
        case Singleton(value):
            return _singleton(value)
        case Variable():
            return _json
        case ListOf(item):
            return _list(show(type_), conform(item))
        case MapOf(value):
            return _map(show(type_), conform(value))
        case OneOf(options):
            return _one_of(show(type_), tuple(map(conform, options)))
        case Record(_, members):
            return _record(show(type_), members)
        case Constrained(base, constraints):
            return _constrained(conform(base), tuple(check(word, limit) for word, limit in constraints))


def copy_value(value: Json) -> Json:
    """Return a deep copy of a JSON value; what cannot change is shared."""
    if isinstance(value, dict):
        return {key: item if type(item) in _PARTLESS else copy_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [item if type(item) in _PARTLESS else copy_value(item) for item in value]
    return value


def is_flat(table: Mapping[str, Json]) -> bool:
    """Tell whether a table holds no values that have parts."""
    return _PARTLESS.issuperset(map(type, table.values()))


_PARTLESS = frozenset((str, int, float, bool, type(None)))


def _string(value: object) -> Json:
    if isinstance(value, str):
        return value if type(value) is str else str.__str__(value)
    raise Misfit("", "string", describe(value))


def _integer(value: object) -> Json:
    if type(value) is int and value in _INT64:
        return value
    raise Misfit("", "integer", describe(value))


def _any_number(value: object) -> Json:
    if (type(value) is int and value in _INT64) or (type(value) is float and isfinite(value)):
        return value
    raise Misfit("", "number", describe(value))


def _boolean(value: object) -> Json:
    if isinstance(value, bool):
        return value
    raise Misfit("", "boolean", describe(value))


def _null(value: object) -> Json:
    if value is None:
        return None
    raise Misfit("", "null", describe(value))


def _json(value: object) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int | float):
        return _any_number(value)
    if is_list(value):
        return _items(value, _json)
    if is_dict(value):
        return _entries(value, _json)
    raise Misfit("", "json", describe(value))


_SCALARS: dict[str, Conform] = {
    "string": _string,
    "integer": _integer,
    "number": _any_number,
    "boolean": _boolean,
    "null": _null,
    "json": _json,
}


def _singleton(only: str) -> Conform:
    def conform_singleton(value: object) -> Json:
        if value == only and isinstance(value, str):
            return only
        raise Misfit("", f'"{only}"', describe(value))

    return conform_singleton


def _list(shown: str, item: Conform) -> Conform:
    texts = item is _string

    def conform_list(value: object) -> Json:
        if not is_list(value):
            raise Misfit("", shown, describe(value))
        if texts and _all_texts(value):
            return value.copy()
        return _items(value, item)

    return conform_list


def _all_texts(value: list[object]) -> TypeGuard[list[str]]:
    return _TEXT.issuperset(map(type, value))


_TEXT = frozenset((str,))


def _items(value: list[object], item: Conform) -> Json:
    made: list[Json] = []
    try:
        for entry in value:
            made.append(item(entry))
    except Misfit as misfit:
        raise misfit.under(f"[{len(made)}]") from None
    return made


def _map(shown: str, item: Conform) -> Conform:
    def conform_map(value: object) -> Json:
        if not is_dict(value):
            raise Misfit("", shown, describe(value))
        return _entries(value, item)

    return conform_map


def _entries(value: dict[object, object], item: Conform) -> Json:
    made: dict[str, Json] = {}
    key: object = None
    try:
        for key, entry in value.items():
            if not isinstance(key, str):
                break
            made[key] = entry if type(entry) is str and item is _json else item(entry)
    except Misfit as misfit:
        raise misfit.under(f".{key}") from None
    if len(made) < len(value):
        raise Misfit("", "string keys", f"the key {key!r}")
    return made


def _one_of(shown: str, options: tuple[Conform, ...]) -> Conform:
    def conform_one(value: object) -> Json:
        inner: Misfit | None = None
        for option in options:
            try:
                return option(value)
            except Misfit as misfit:
                inner = misfit if misfit.where else inner
        raise inner or Misfit("", shown, describe(value))

    return conform_one


def _record(shown: str, members: tuple[Member, ...]) -> Conform:
    fields = tuple((m.name, conform(m.type), conform(m.type) is _string, m.default) for m in members)
    names = frozenset(member.name for member in members)
    texts = all(is_text for _, _, is_text, _ in fields)

    def conform_record(value: object) -> Json:
        if not is_dict(value):
            raise Misfit("", shown, describe(value))
        if texts and len(value) == len(names) and _holds_texts(value, names):
            return value.copy()
        made: dict[str, Json] = {}
        name = ""
        try:
            for name, member, is_text, default in fields:
                item = value.get(name, MISSING)
                if is_text and type(item) is str:
                    made[name] = item
                elif item is not MISSING:
                    made[name] = member(item)
                elif not isinstance(default, Missing):
                    made[name] = copy_value(default)
        except Misfit as misfit:
            raise misfit.under(f".{name}") from None
        if len(made) < len(fields):
            absent = next(member for member, *_ in fields if member not in made)
            raise Misfit("", f"{shown} with '{absent}'", "a record without it")
        return made if made.keys() >= value.keys() else _with_others(made, value)

    return conform_record


def _holds_texts(value: dict[object, object], names: frozenset[str]) -> TypeGuard[dict[str, str]]:
    return _TEXT.issuperset(map(type, value.values())) and names.issuperset(value)


def _with_others(made: dict[str, Json], value: dict[object, object]) -> Json:
    """Keep what a record has beside its members: more fields is a subtype."""
    others = _entries({key: entry for key, entry in value.items() if key not in made}, _json)
    return {**made, **others} if isinstance(others, dict) else made


def _constrained(base: Conform, checks: tuple[Check, ...]) -> Conform:
    def conform_constrained(value: object) -> Json:
        made = base(value)
        for one in checks:
            if (wanted := one(made)) is not None:
                raise Misfit("", f"a value {wanted}", describe(made))
        return made

    return conform_constrained
