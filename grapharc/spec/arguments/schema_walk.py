"""A JSON Schema goes in; the schemas in it, and where a local reference leads, come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from grapharc.spec.json_value import Json, Path

Schema: TypeAlias = Mapping[str, Json]

ONE = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
"""Keywords that hold a schema."""
SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords that hold a list of schemas."""
NAMED = ("$defs", "dependentSchemas", "patternProperties", "properties")
"""Keywords that hold a table of schemas."""

KEYWORDS = frozenset(
    {
        *ONE,
        *SEVERAL,
        *NAMED,
        *("$anchor", "$comment", "$ref", "$schema", "const", "default", "dependentRequired", "deprecated"),
        *("description", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxContains"),
        *("maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength"),
        *("minProperties", "minimum", "multipleOf", "pattern", "readOnly", "required", "title", "type"),
        *("uniqueItems", "writeOnly"),
    }
)
"""Every keyword that arguments may be described with; a misspelt one would otherwise say nothing."""


NO_PROPERTIES: Mapping[str, Json] = MappingProxyType({})


def schemas_in(schema: Json, path: Path = ()) -> Iterator[tuple[Path, Schema]]:
    """Yield a schema and all those in it, with their paths; ``true`` and ``false`` say nothing and are left out."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for keyword, value in schema.items():
        if keyword in ONE:
            yield from schemas_in(value, (*path, keyword))
        elif keyword in SEVERAL and isinstance(value, list):
            for index, item in enumerate(value):
                yield from schemas_in(item, (*path, keyword, index))
        elif keyword in NAMED and isinstance(value, Mapping):
            for name, item in value.items():
                yield from schemas_in(item, (*path, keyword, name))


def properties_of(schema: Schema) -> Mapping[str, Json]:
    """Return the schemas of a schema's properties, by name."""
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else NO_PROPERTIES


def is_local(reference: str) -> bool:
    """Tell whether a reference leads into the schema that it stands in."""
    return reference.startswith("#")


def follow(root: Schema, reference: str) -> Schema | None:
    """Return the schema that a local reference leads to, or None: a JSON pointer, or an anchor's name."""
    from urllib.parse import unquote

    target = unquote(reference.removeprefix("#"))
    if target and not target.startswith("/"):
        return next((schema for _, schema in schemas_in(root) if schema.get("$anchor") == target), None)
    found: Json = root
    for step in target.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping):
            found = found.get(key)
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found if isinstance(found, Mapping) else None
