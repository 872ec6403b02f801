"""A model's reply and a type go in; the one value of that type that the reply holds comes out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.spec.types import Type
from grapharc.spec.values import Misfit, conform, show

_MAX_OPENERS = 200
"""Places in a reply where a value may begin that are tried; a longer reply is prose."""


class NoSuchValue(Exception):
    """A reply does not hold exactly one value of the type. ``expected`` as documents write it; ``why`` in words."""

    def __init__(self, expected: str, why: str) -> None:
        super().__init__(expected, why)
        self.expected, self.why = expected, why

    def __str__(self) -> str:
        return f"the reply holds no single value of type {self.expected}: {self.why}"


def value_in(reply: str, type_: Type) -> Json:
    """Return the value. The whole reply is tried, then each JSON value in it; two different ones are refused.

    Values are looked for from left to right and do not overlap, so that nothing inside a value is taken for it.
    """
    misfits: list[str] = []
    found: dict[str, Json] = {}
    for candidate in _candidates(reply):
        try:
            value = conform(type_)(candidate)
        except Misfit as misfit:
            misfits.append(str(misfit))
        else:
            found[canonical(value)] = value
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise NoSuchValue(show(type_), f"it holds {len(found)} different ones")
    raise NoSuchValue(show(type_), misfits[0] if misfits else "there is no JSON in it")


def _candidates(reply: str) -> Iterator[object]:
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    try:
        yield decoder.decode(reply)
    except (ValueError, RecursionError):
        yield from _embedded(reply, decoder)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _embedded(reply: str, decoder: json.JSONDecoder) -> Iterator[object]:
    position = 0
    for _ in range(_MAX_OPENERS):
        openers = [at for at in (reply.find("{", position), reply.find("[", position)) if at >= 0]
        if not openers:
            return
        position = min(openers)
        try:
            value, position = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError):
            position += 1
        else:
            yield value
