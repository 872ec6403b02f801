"""JSON Schema's words on types: which word fits which type, what a value must satisfy, and what implies what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.json_value import Json, is_dict, is_list
from grapharc.spec.patterns import matches
from grapharc.spec.types import Constrained, ListOf, MapOf, OneOf, Scalar, Singleton, Type

Check: TypeAlias = "Callable[[object], str | None]"
"""Returns None for a value that is as it must be, else what it must be."""

_STRING_WORDS = ("maxLength", "minLength", "pattern")
_NUMBER_WORDS = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf")
_LIST_WORDS = ("maxItems", "minItems", "uniqueItems")
_MAP_WORDS = ("maxProperties", "minProperties")

WORDS = tuple(sorted((*_STRING_WORDS, *_NUMBER_WORDS, *_LIST_WORDS, *_MAP_WORDS)))
"""Every constraint that a field, a record's member or a type may carry."""


def words_for(type_: Type) -> tuple[str, ...]:
    """Return the words that say something about a type's values."""
    match type_:
        case Scalar("string") | Singleton():
            return _STRING_WORDS
        case Scalar("integer" | "number"):
            return _NUMBER_WORDS
        case ListOf():
            return _LIST_WORDS
        case MapOf():
            return _MAP_WORDS
        case Constrained(base, _):
            return words_for(base)
        case OneOf(options):
            return tuple(sorted({word for option in options for word in words_for(option)}))
        case _:
            return ()


def implied(type_: Type, word: str, limit: Json) -> bool:
    """Tell whether a type's own values all satisfy a constraint, as far as the type says so itself."""
    match type_:
        case Singleton(value):
            return check(word, limit)(value) is None
        case Constrained(base, constraints):
            own = dict(constraints)
            return (word in own and _is_tighter(word, own[word], limit)) or implied(base, word, limit)
        case OneOf(options):
            return all(implied(option, word, limit) for option in options)
        case _:
            return word not in words_for(type_)


def _is_tighter(word: str, own: Json, limit: Json) -> bool:
    if own == limit:
        return True
    if not (isinstance(own, int | float) and isinstance(limit, int | float)):
        return False
    if word.startswith("max") or word == "exclusiveMaximum":
        return own <= limit
    if word.startswith("min") or word == "exclusiveMinimum":
        return own >= limit
    return word == "multipleOf" and own % limit == 0


def check(word: str, limit: Json) -> Check:
    """Return a function that checks values against one constraint; values it says nothing about pass."""
    if word == "pattern" and isinstance(limit, str):
        return lambda value: None if not isinstance(value, str) or matches(limit, value) else f"a match of {limit!r}"
    if word == "uniqueItems":
        return lambda value: None if not (limit and is_list(value)) or _unique(value) else "free of duplicates"
    if isinstance(limit, int | float) and word in _COMPARISONS:
        measure, holds, wording = _COMPARISONS[word]
        return lambda value: (
            None if (size := measure(value)) is None or holds(size, limit) else wording.format(limit=limit)
        )
    raise ValueError(f"no constraint {word!r} with {limit!r}")


def _unique(value: list[object]) -> bool:
    seen: list[object] = []
    for item in value:
        if any(item == other and isinstance(item, bool) == isinstance(other, bool) for other in seen):
            return False
        seen.append(item)
    return True


Measure: TypeAlias = "Callable[[object], int | float | None]"


def _number(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _characters(value: object) -> int | None:
    return len(value) if isinstance(value, str) else None


def _items(value: object) -> int | None:
    return len(value) if is_list(value) else None


def _keys(value: object) -> int | None:
    return len(value) if is_dict(value) else None


def _at_most(size: float, limit: float) -> bool:
    return size <= limit


def _at_least(size: float, limit: float) -> bool:
    return size >= limit


def _is_multiple(size: float, limit: float) -> bool:
    return limit != 0 and size % limit == 0


_COMPARISONS: Mapping[str, tuple[Measure, Callable[[float, float], bool], str]] = {
    "maximum": (_number, _at_most, "at most {limit}"),
    "minimum": (_number, _at_least, "at least {limit}"),
    "exclusiveMaximum": (_number, lambda size, limit: size < limit, "less than {limit}"),
    "exclusiveMinimum": (_number, lambda size, limit: size > limit, "more than {limit}"),
    "multipleOf": (_number, _is_multiple, "a multiple of {limit}"),
    "maxLength": (_characters, _at_most, "at most {limit} characters long"),
    "minLength": (_characters, _at_least, "at least {limit} characters long"),
    "maxItems": (_items, _at_most, "of at most {limit} items"),
    "minItems": (_items, _at_least, "of at least {limit} items"),
    "maxProperties": (_keys, _at_most, "of at most {limit} keys"),
    "minProperties": (_keys, _at_least, "of at least {limit} keys"),
}
