"""A schema and a value go in; jsonschema's errors come out, with RE2's patterns and without fetching anything.

Importing jsonschema takes 80 ms: this module is loaded only for a schema, or for arguments, that are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from grapharc.spec.json_value import Json
from grapharc.spec.patterns import matches, pattern_fault

Schema = Mapping[str, Json]


def errors_of(root: Schema, value: Json, inner: Schema | None = None) -> list[ValidationError]:
    """Return what keeps a value from fitting a schema, or one in it. References are looked up in the root alone.

    Raises RecursionError where schema and value lead into each other too deeply.
    """
    nowhere: Registry[Json] = Registry()
    validator = _validator()(root, format_checker=_formats(), registry=nowhere)
    return list((validator if inner is None else validator.evolve(schema=inner)).iter_errors(value))


def errors_of_schema(schema: Json) -> list[ValidationError]:
    """Return what keeps a schema from being one of draft 2020-12."""
    return list(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema))


@cache
def _validator() -> type[Draft202012Validator]:
    """jsonschema's own patterns are Python's, which a hostile one can keep busy for hours."""
    own = {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _other_properties}
    return extend(Draft202012Validator, own)


def _pattern(
    _validator: Draft202012Validator, pattern: Json, instance: Json, _schema: Schema
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and isinstance(pattern, str) and not matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Draft202012Validator, patterns: Json, instance: Json, _schema: Schema
) -> Iterator[ValidationError]:
    if not (isinstance(instance, Mapping) and isinstance(patterns, Mapping)):
        return
    for pattern, inner in patterns.items():
        for key, value in instance.items():
            if matches(pattern, key):
                yield from validator.descend(value, inner, path=key, schema_path=pattern)


def _other_properties(
    validator: Draft202012Validator, inner: Json, instance: Json, schema: Schema
) -> Iterator[ValidationError]:
    if not isinstance(instance, Mapping):
        return
    for key in others(instance, schema):
        if inner is False:
            yield ValidationError(f"{key!r} is not allowed", path=(key,))
        else:
            yield from validator.descend(instance[key], inner, path=key)


def others(instance: Mapping[str, Json], schema: Schema) -> Iterator[str]:
    """Yield the keys that neither ``properties`` nor ``patternProperties`` speak of."""
    properties, patterns = schema.get("properties"), schema.get("patternProperties")
    for key in instance:
        if isinstance(properties, Mapping) and key in properties:
            continue
        if not (isinstance(patterns, Mapping) and any(matches(pattern, key) for pattern in patterns)):
            yield key


@cache
def _formats() -> FormatChecker:
    checker = FormatChecker(["date", "email", "ipv4", "ipv6", "uuid"])
    checker.checks("date-time", raises=ValueError)(_is_date_time)
    checker.checks("uri", raises=ValueError)(_is_uri)
    checker.checks("regex")(lambda value: not isinstance(value, str) or pattern_fault(value) is None)
    return checker


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value.upper() and datetime.fromisoformat(value).tzinfo is not None)


def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value).scheme) and value.isascii() and " " not in value)
