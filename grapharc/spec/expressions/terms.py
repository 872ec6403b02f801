"""What conditions look at goes in: each value, and what it is compared with; the cases that matter come out.

One value stands for each case. Conditions over them are then decided for all values there are by trying every case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, inf
from typing import TypeGuard

from grapharc.spec.constraints import check
from grapharc.spec.expressions.literals import INT64_MAX, INT64_MIN
from grapharc.spec.expressions.overlap import options
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.types import (
    BOOLEAN,
    INTEGER,
    JSON,
    NULL,
    NUMBER,
    STRING,
    Constrained,
    ListOf,
    MapOf,
    Record,
    Singleton,
    Type,
    bare,
)


class NotNull:
    """A value of which only one thing is asked: whether it is null, and it is not."""


class Another:
    """A json value that is equal to none of those compared with, and no boolean."""


NOT_NULL, ANOTHER = NotNull(), Another()


@frozen
class Case:
    """A value that stands for all that no condition tells from it. ``certain`` tells whether it surely exists."""

    value: object
    certain: bool

    def __str__(self) -> str:
        if isinstance(self.value, Another):
            return "something else"
        return "not null" if isinstance(self.value, NotNull) else json.dumps(self.value, ensure_ascii=False)


def is_finite(type_: Type) -> bool:
    """Tell whether a type has few values, and each is a case of its own: booleans, enums, null."""
    return all(isinstance(bare(option), Singleton) or bare(option) in (BOOLEAN, NULL) for option in options(type_))


def is_numeric(type_: Type) -> bool:
    """Tell whether a type's values are numbers, null left aside."""
    return all(bare(option) in (INTEGER, NUMBER, NULL) for option in options(type_))


def cases(type_: Type, constants: Iterable[object]) -> tuple[Case, ...]:
    """Return the cases of a type whose values are compared with constants and with nothing else."""
    compared = list(constants)
    return tuple(case for option in options(type_) for case in _cases(option, compared))


def _cases(type_: Type, constants: Sequence[object]) -> Iterator[Case]:
    limits = dict(type_.constraints) if isinstance(type_, Constrained) else {}
    certain = limits.keys() <= _UNDERSTOOD
    match bare(type_):
        case Singleton(value):
            yield Case(value, True)
        case base if base == BOOLEAN:
            yield from (Case(True, True), Case(False, True))
        case base if base == NULL:
            yield Case(None, True)
        case base if base == STRING:
            strings = sorted({value for value in constants if isinstance(value, str)})
            yield from (Case(value, certain) for value in [*strings, _another(strings)])
        case base if base in (INTEGER, NUMBER):
            whole = base == INTEGER
            yield from (Case(value, certain) for value in _numbers(constants, limits, whole))
        case base if base == JSON:
            yield from (Case(value, True) for value in _distinct(constants))
            yield from (Case(True, True), Case(False, True), Case(ANOTHER, True))
        case ListOf() | MapOf() | Record():
            yield Case(NOT_NULL, True)
        case _:
            yield Case(NOT_NULL, False)


_UNDERSTOOD = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxItems", "maxProperties"})


def _another(strings: Sequence[str]) -> str:
    """A string that is none of those given."""
    return next(text for text in ("", "other", *(f"other{n}" for n in range(len(strings)))) if text not in strings)


def _distinct(constants: Sequence[object]) -> list[object]:
    return [value for value in {repr(value): value for value in constants}.values() if not isinstance(value, bool)]


def _numbers(constants: Sequence[object], limits: dict[str, Json], whole: bool) -> list[float]:
    """Every constant and limit, and a number between each two neighbours, as far as they are of the type."""
    points = sorted({value for value in (*constants, *limits.values()) if _is_number(value)}) or [0]
    found = [ceil(points[0]) - 1 if whole else points[0] - 1.0]
    for point, after in pairwise([*points, inf]):
        found.append(int(point) if whole and point == int(point) else point)
        found.append(floor(point) + 1 if whole else min(point + 1.0, (point + after) / 2))
    return [value for value in dict.fromkeys(found) if _is_within(value, limits, whole)]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_within(value: float, limits: dict[str, Json], whole: bool) -> bool:
    if whole and not (isinstance(value, int) and INT64_MIN <= value <= INT64_MAX):
        return False
    return all(check(word, limit)(value) is None for word, limit in limits.items() if word in _UNDERSTOOD)
