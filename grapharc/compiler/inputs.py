"""What a run is given goes in; checked values by field come out, or every fault of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.runtime.refusals import InputError
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Field
from grapharc.spec.subtype import is_subtype
from grapharc.spec.suggest import suggest
from grapharc.spec.types import MISSING, NULL, Missing, show
from grapharc.spec.values import Misfit, conform


def starting_value(field: Field) -> Json | Missing:
    """Return what a field holds before anything is written to it; one that may be null starts as null.

    It is the default itself and no copy: nothing changes a value of the state in place.
    """
    if not isinstance(field.default, Missing):
        return field.default
    return None if is_subtype(NULL, field.type) and field.reducer == "last" else MISSING


def checked_inputs(fields: Mapping[str, Field], given: Mapping[str, object]) -> dict[str, Json]:
    """Check the inputs of a run. Raises InputError."""
    inputs = {name: field for name, field in fields.items() if field.input}
    problems: list[str] = []
    values: dict[str, Json] = {}
    for name, value in given.items():
        if name not in inputs:
            problems.append(_unknown(name, fields, inputs))
            continue
        try:
            values[name] = conform(inputs[name].type)(value)
        except (Misfit, RecursionError) as misfit:
            problems.append(f"input '{name}': {misfit}")
    problems.extend(_missing(inputs, given))
    if problems:
        raise InputError(tuple(problems))
    return values


def _unknown(name: str, fields: Mapping[str, Field], inputs: Mapping[str, Field]) -> str:
    if name in fields:
        return f"'{name}' is a field of the state and no input"
    near = suggest(name, inputs)
    return f"there is no input '{name}'" + (f", did you mean '{near}'?" if near else "")


def _missing(inputs: Mapping[str, Field], given: Mapping[str, object]) -> Iterator[str]:
    for name, field in inputs.items():
        if name not in given and isinstance(starting_value(field), Missing):
            yield f"input '{name}' is missing: {show(field.type)}"
