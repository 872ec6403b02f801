"""Arguments and their schema go in; what does not fit, with its place and what would fit, comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.arguments.schema_types import required_by, type_of
from grapharc.spec.arguments.schema_walk import Schema
from grapharc.spec.constraints import WORDS, check
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.memo import Memo
from grapharc.spec.suggest import suggest
from grapharc.spec.values import Misfit, conform, describe

if TYPE_CHECKING:
    from jsonschema import ValidationError


@frozen
class ArgMisfit:
    """One fault of arguments. Of ``unknown``, ``missing`` and ``expected`` one is told.

    ``path`` leads to the value that does not fit: for a missing key to what should hold it.
    """

    path: Path
    unknown: str = ""
    suggestion: str = ""
    missing: str = ""
    expected: str = ""
    found: str = ""


Fit: TypeAlias = "Callable[[Mapping[str, Json]], bool]"
"""Tells whether arguments plainly fit; False may mean that it is not plain."""


def plain_fit(schema: Schema) -> Fit | None:
    """Compile a schema whose properties are plain types and that allows no others; None for any other schema."""
    properties = schema.get("properties", {})
    is_plain = schema.keys() <= {"type", "properties", "required", "additionalProperties", "description", "title"}
    if not (is_plain and schema.get("additionalProperties") is False and isinstance(properties, Mapping)):
        return None
    types = {name: type_of(inner) for name, inner in properties.items()}
    if not all(type_.exact for type_ in types.values()):
        return None
    checks = {name: conform(type_.type) for name, type_ in types.items()}
    needed = required_by(schema)

    def fit(args: Mapping[str, Json]) -> bool:
        if not needed <= args.keys():
            return False
        try:
            for name, value in args.items():
                if name not in checks:
                    return False
                checks[name](value)
        except Misfit:
            return False
        return True

    return fit


def misfits(schema: Schema, schema_text: str, args: Mapping[str, Json], memo: Memo) -> tuple[ArgMisfit, ...]:
    """Return what keeps arguments from fitting; what was found for the same two texts before is known."""
    key = f"{schema_text} {json.dumps(args, sort_keys=True, separators=(',', ':'))}"
    known = memo.get("args", key)
    if not isinstance(known, list):
        known = [_to_json(misfit) for misfit in _all_misfits(schema, args)]
        memo.put("args", key, known)
    return tuple(map(_from_json, known))


def _all_misfits(schema: Schema, args: Mapping[str, Json]) -> list[ArgMisfit]:
    from grapharc.spec.arguments.json_schema import errors_of

    try:
        errors = errors_of(schema, args)
    except RecursionError:
        return [ArgMisfit((), expected="less deeply nested", found=describe(args))]
    found = [misfit for error in errors for misfit in _misfits_of(error)]
    return sorted(dict.fromkeys(found), key=_order)


def _order(misfit: ArgMisfit) -> tuple[list[str], str, str]:
    return [str(step) for step in misfit.path], misfit.unknown, misfit.missing


def _misfits_of(error: ValidationError) -> Iterable[ArgMisfit]:
    path = tuple(error.absolute_path)
    value, limit = error.instance, error.validator_value
    match error.validator:
        case "required" if isinstance(value, Mapping):
            # jsonschema tells each missing key in an error of its own, in words only.
            return [ArgMisfit(path, missing=name) for name in sorted(required_by(error.schema)) if name not in value]
        case "additionalProperties" | "unevaluatedProperties" if path and limit is False:
            return [ArgMisfit(path, unknown=str(path[-1]) or '""', suggestion=_near(error))]
        case "anyOf" | "oneOf" if arm := _nearest_arm(error):
            return [misfit for inner in arm for misfit in _misfits_of(inner)]
        case _:
            return [ArgMisfit(path, expected=_expected(error), found=describe(value))]


def _near(error: ValidationError) -> str:
    properties = error.schema.get("properties")
    return suggest(str(error.absolute_path[-1]), properties) if isinstance(properties, Mapping) else ""


def _nearest_arm(error: ValidationError) -> list[ValidationError]:
    """Of a union only the arm that was probably meant is told: one that takes such a value at all, by fewest faults."""
    arms: dict[str | int, list[ValidationError]] = {}
    for inner in error.context:
        # An arm that is just ``false`` has no place of its own.
        arms.setdefault(next(iter(inner.schema_path), ""), []).append(inner)
    near = [arm for arm in arms.values() if not any(_is_another_kind(inner, error) for inner in arm)]
    return min(near, key=len) if near else []


def _is_another_kind(inner: ValidationError, outer: ValidationError) -> bool:
    return len(inner.absolute_path) == len(outer.absolute_path) and inner.validator in ("type", "const", "enum")


def _expected(error: ValidationError) -> str:
    limit = error.validator_value
    if not error.validator:  # a schema that is just ``false``
        return "left out, since the schema takes no value there"
    match error.validator, limit:
        case "type", str(name):
            return f"of type {name}"
        case "type", [*names]:
            return f"of type {' or '.join(map(str, names))}"
        case "enum", []:
            return "one of no values at all"
        case "enum", [*values]:
            return f"one of {', '.join(map(_show, values))}"
        case "const", _:
            return _show(limit)
        case "format", str(name):
            return f"written as format '{name}' wants it"
        case str(word), _ if word in WORDS:
            return check(word, limit)(error.instance) or f"as {word} {_show(limit)} wants it"
        case "anyOf" | "oneOf", _:
            return f"what one of the {len(limit) if isinstance(limit, list) else 0} alternatives of the schema wants"
        case word, _:
            return f"as '{word}' of the schema wants it"


def _show(value: Json) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def _to_json(misfit: ArgMisfit) -> Json:
    words = (misfit.unknown, misfit.suggestion, misfit.missing, misfit.expected, misfit.found)
    return [list(misfit.path), *words]


def _from_json(row: Json) -> ArgMisfit:
    match row:
        case [[*path], str(unknown), str(suggestion), str(missing), str(expected), str(found)]:
            steps = tuple(step for step in path if isinstance(step, str | int))
            return ArgMisfit(steps, unknown, suggestion, missing, expected, found)
        case _:
            raise ValueError(f"not a row of the memo: {row!r}")
