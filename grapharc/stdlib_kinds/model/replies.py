"""A model's reply and a type go in; the one value of that type that the reply holds comes out."""

from __future__ import annotations

from grapharc.runtime.models.json_reply import json_values
from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.spec.types import Type, show
from grapharc.spec.values import Misfit, conform


class NoSuchValue(Exception):
    """A reply does not hold exactly one value of the type. ``expected`` as documents write it; ``why`` in words."""

    def __init__(self, expected: str, why: str) -> None:
        super().__init__(expected, why)
        self.expected, self.why = expected, why

    def __str__(self) -> str:
        return f"the reply holds no single value of type {self.expected}: {self.why}"


def value_in(reply: str, type_: Type) -> Json:
    """Return the one value of the type that stands in the reply; two that differ are refused."""
    misfits: list[str] = []
    found: dict[str, Json] = {}
    for candidate in json_values(reply):
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
