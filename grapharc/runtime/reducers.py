"""Two values of a field go in, in order; the one they are folded into comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Reducer

Reduce: TypeAlias = "Callable[[Json, Json], Json]"


def reduce_by(reducer: Reducer) -> Reduce | None:
    """Return the function of a reducer; None for ``last``, which folds nothing."""
    return _REDUCERS[reducer]


def start_of(reducer: Reducer, value: Json) -> Json:
    """Return what a field is after its first write, when it had no default."""
    return _union([], value) if reducer == "union" else value


def _append(old: Json, new: Json) -> Json:
    return [*_list(old), *_list(new)]


def _union(old: Json, new: Json) -> Json:
    """Keep the first of equal values; equal is what has the same canonical text, so that 1 is 1.0 and not true."""
    together = [*_list(old)]
    seen = {canonical(value) for value in together}
    for value in _list(new):
        text = canonical(value)
        if text not in seen:
            seen.add(text)
            together.append(value)
    return together


def _merge(old: Json, new: Json) -> Json:
    return {**_map(old), **_map(new)}


def _sum(old: Json, new: Json) -> Json:
    return _number(old) + _number(new)


def _min(old: Json, new: Json) -> Json:
    return min(_number(old), _number(new))


def _max(old: Json, new: Json) -> Json:
    return max(_number(old), _number(new))


_REDUCERS: Mapping[Reducer, Reduce | None] = {
    "last": None,
    "append": _append,
    "union": _union,
    "merge": _merge,
    "sum": _sum,
    "min": _min,
    "max": _max,
}


def _list(value: Json) -> Sequence[Json]:
    if isinstance(value, list):
        return value
    raise TypeError(f"expected a list, found {type(value).__name__}")


def _map(value: Json) -> Mapping[str, Json]:
    if isinstance(value, dict):
        return value
    raise TypeError(f"expected a map, found {type(value).__name__}")


def _number(value: Json) -> int | float:
    if isinstance(value, int | float):
        return value
    raise TypeError(f"expected a number, found {type(value).__name__}")
