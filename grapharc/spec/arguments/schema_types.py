"""A JSON Schema goes in; the type of the values that it allows comes out, exact or a little too wide."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.arguments.formats import OWN_FORMATS
from grapharc.spec.arguments.schema_walk import Schema, properties_of
from grapharc.spec.constraints import words_for
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.subtype import union_of
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
    Member,
    Record,
    Singleton,
    Type,
)

_SCALARS: Mapping[str, Type] = {
    "string": STRING,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "null": NULL,
}
_REMARKS = frozenset({"title", "description", "default", "examples", "$comment", "$schema", "deprecated", "readOnly"})
_WORDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern"})
_WORDS_OF_LISTS = frozenset({"minItems", "maxItems"})


@frozen
class SchemaType:
    """A type that holds every value a schema allows; ``exact`` when it holds no other."""

    type: Type
    exact: bool


def type_of(schema: Json) -> SchemaType:
    """Return the type of a schema's values; ``json`` where a type cannot say it."""
    if not isinstance(schema, Mapping):
        return SchemaType(JSON, schema is True)
    if isinstance(values := schema.get("enum"), list) and values and all(isinstance(value, str) for value in values):
        plain = union_of(Singleton(value) for value in values if isinstance(value, str))
        return SchemaType(plain, _says_only(schema, "enum", "type") and schema.get("type", "string") == "string")
    match schema.get("type"):
        case "array":
            return _list(schema)
        case "object":
            return _object(schema)
        case str(name) if name in _SCALARS:
            return _constrained(schema, _SCALARS[name])
        case [*names] if all(isinstance(name, str) and name in _SCALARS for name in names) and names:
            types = [_SCALARS[name] for name in names if isinstance(name, str)]
            return SchemaType(union_of(types), _says_only(schema, "type"))
        case _:
            return SchemaType(JSON, False)


def arguments_record(schema: Schema) -> Record:
    """Return the record that arguments are, with those that need not be there."""
    return Record(
        "a record of arguments",
        tuple(Member(name, type_of(inner).type) for name, inner in properties_of(schema).items()),
    )


def optional_arguments(schema: Schema) -> tuple[str, ...]:
    """Return the arguments that need not be there: neither required nor with a default. Sorted."""
    needed = required_by(schema)
    properties = properties_of(schema)
    return tuple(sorted(name for name in properties if name not in needed and not _has_default(properties[name])))


def required_by(schema: Schema) -> frozenset[str]:
    """Return the properties that a schema requires."""
    names = schema.get("required")
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def _has_default(schema: Json) -> bool:
    return isinstance(schema, Mapping) and "default" in schema


def _constrained(schema: Schema, base: Type) -> SchemaType:
    words = _WORDS.intersection(words_for(base), schema)
    constraints = tuple((word, schema[word]) for word in sorted(words))
    exact = _says_only(schema, "type", "format", *words) and schema.get("format", "role") in OWN_FORMATS
    return SchemaType(Constrained(base, constraints) if constraints else base, exact)


def _list(schema: Schema) -> SchemaType:
    item = type_of(schema.get("items", True))
    words = _WORDS_OF_LISTS.intersection(schema)
    constraints = tuple((word, schema[word]) for word in sorted(words))
    list_ = ListOf(item.type)
    exact = item.exact and _says_only(schema, "type", "items", *words)
    return SchemaType(Constrained(list_, constraints) if constraints else list_, exact)


def _object(schema: Schema) -> SchemaType:
    """A table of the same values is a map; one with named members is a record, which never says it is closed."""
    if "properties" in schema:
        return SchemaType(arguments_record(schema), False)
    value = type_of(schema.get("additionalProperties", True))
    return SchemaType(MapOf(value.type), value.exact and _says_only(schema, "type", "additionalProperties"))


def _says_only(schema: Schema, *keywords: str) -> bool:
    return schema.keys() <= {*keywords, *_REMARKS}
