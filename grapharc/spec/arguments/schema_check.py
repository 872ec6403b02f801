"""The schema of a kind's arguments goes in; every reason why it could not hold arguments to anything comes out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from grapharc.spec.arguments.formats import FORMATS
from grapharc.spec.arguments.schema_walk import KEYWORDS, Schema, follow, is_local, schemas_in
from grapharc.spec.finding import Value, no_values
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.memo import Memo
from grapharc.spec.suggest import suggest
from grapharc.spec.type_names import known_pattern_fault
from grapharc.spec.values import describe

MOST_REFERENCES = 16
"""The most references that may lead on to each other about one value."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"


@frozen
class SchemaFault:
    """One fault of a schema, with its path in it."""

    code: str
    path: Path
    values: Mapping[str, Value] = field(default_factory=no_values)
    part: Literal["value", "key"] = "value"


def schema_faults(schema: Schema, memo: Memo) -> tuple[SchemaFault, ...]:
    """Return what is wrong with a schema; jsonschema is loaded only for one that nobody has seen yet."""
    ours = (*_own_faults(schema, memo), *_circles(schema))
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"))
    known = memo.get("schema", text)
    if not isinstance(known, list):
        known = [] if ours else [[list(path), expected, found] for path, expected, found in _others_faults(schema)]
        if not ours:
            memo.put("schema", text, known)
    return ours + tuple(_from_json(row) for row in known)


def _own_faults(schema: Schema, memo: Memo) -> Iterator[SchemaFault]:
    """What draft 2020-12 leaves open, or lets pass."""
    if schema.get("type") != "object":
        values: dict[str, Value] = {"expected": "'object'", "found": describe(schema.get("type"))}
        yield SchemaFault("args_schema_invalid", ("type",), values)
    for path, inner in schemas_in(schema):
        for keyword in inner:
            if keyword not in KEYWORDS or (keyword == "unevaluatedProperties" and "patternProperties" in inner):
                values = {"keyword": keyword, "suggestion": suggest(keyword, KEYWORDS)}
                yield SchemaFault("unknown_schema_keyword", (*path, keyword), values, "key")
        yield from _references(schema, path, inner)
        yield from _patterns(path, inner, memo)
        if isinstance(format_ := inner.get("format"), str) and format_ not in FORMATS:
            values = {"format": format_, "known": FORMATS, "suggestion": suggest(format_, FORMATS)}
            yield SchemaFault("unknown_format", (*path, "format"), values)


def _references(root: Schema, path: Path, schema: Schema) -> Iterator[SchemaFault]:
    reference, draft = schema.get("$ref"), schema.get("$schema", DRAFT)
    if draft not in (DRAFT, DRAFT + "#"):
        values: dict[str, Value] = {"expected": f"'{DRAFT}'", "found": describe(draft)}
        yield SchemaFault("args_schema_invalid", (*path, "$schema"), values)
    if not isinstance(reference, str):
        return
    if not is_local(reference):
        yield SchemaFault("remote_reference", (*path, "$ref"), {"reference": reference})
    elif follow(root, reference) is None:
        yield SchemaFault("unresolved_reference", (*path, "$ref"), {"reference": reference})


def _patterns(path: Path, schema: Schema, memo: Memo) -> Iterator[SchemaFault]:
    if isinstance(pattern := schema.get("pattern"), str) and (why := known_pattern_fault(pattern, memo)):
        yield SchemaFault("bad_pattern", (*path, "pattern"), {"pattern": pattern, "why": why})
    table = schema.get("patternProperties")
    for name in table if isinstance(table, Mapping) else ():
        if why := known_pattern_fault(name, memo):
            values: dict[str, Value] = {"pattern": name, "why": why}
            yield SchemaFault("bad_pattern", (*path, "patternProperties", name), values, "key")


def _circles(root: Schema) -> Iterator[SchemaFault]:
    """References that lead back to themselves without going into the value: no check of them would ever end.

    Those that lead on through too many others are told alike.
    """
    done: set[int] = set()
    for path, schema in schemas_in(root):
        if "$ref" in schema and _comes_back(root, schema, done, []):
            yield SchemaFault("circular_reference", (*path, "$ref"), {"reference": str(schema["$ref"])})


def _comes_back(root: Schema, schema: Json, done: set[int], way: list[int]) -> bool:
    if not isinstance(schema, Mapping) or id(schema) in done:
        return False
    if id(schema) in way or len(way) > MOST_REFERENCES:
        return True
    way.append(id(schema))
    found = any(_comes_back(root, inner, done, way) for inner in _same_value(root, schema))
    way.pop()
    done.add(id(schema))
    return found


def _same_value(root: Schema, schema: Schema) -> Iterator[Json]:
    """The schemas that are asked about the same value as this one."""
    if isinstance(reference := schema.get("$ref"), str) and is_local(reference):
        yield follow(root, reference)
    for keyword in ("allOf", "anyOf", "oneOf"):
        if isinstance(inner := schema.get(keyword), list):
            yield from inner
    yield from (schema[keyword] for keyword in ("not", "if", "then", "else") if keyword in schema)
    if isinstance(table := schema.get("dependentSchemas"), Mapping):
        yield from table.values()


def _others_faults(schema: Schema) -> Iterator[tuple[Path, str, str]]:
    """What draft 2020-12 says, and defaults that do not fit where they stand."""
    from grapharc.spec.arguments.json_schema import errors_of, errors_of_schema

    errors = errors_of_schema(schema)
    for error in errors:
        yield tuple(error.absolute_path), _expected(error.validator, error.validator_value), describe(error.instance)
    if errors:
        return
    for path, inner in schemas_in(schema):
        if "default" in inner and errors_of(schema, inner["default"], inner):
            yield (*path, "default"), "what its own schema wants", describe(inner["default"])


def _expected(keyword: str, limit: Json) -> str:
    match keyword, limit:
        case "type", str(name):
            return f"of type {name}"
        case "type", [*names]:
            return f"of type {' or '.join(map(str, names))}"
        case "enum", [*values]:
            return f"one of {', '.join(map(repr, values))}"
        case _:
            return f"as '{keyword}' of JSON Schema's own schema wants it"


def _from_json(row: Json) -> SchemaFault:
    match row:
        case [[*path], str(expected), str(found)]:
            steps = tuple(step for step in path if isinstance(step, str | int))
            return SchemaFault("args_schema_invalid", steps, {"expected": expected, "found": found})
        case _:
            raise ValueError(f"not a row of the memo: {row!r}")
