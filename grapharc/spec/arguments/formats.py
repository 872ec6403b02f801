"""What ``format`` says a string of an argument or a port is, and where such strings stand in given arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from grapharc.spec.arguments.schema_walk import Schema, follow, is_local, schemas_in
from grapharc.spec.frozen import field, record
from grapharc.spec.json_value import Json, Path
from grapharc.spec.patterns import matches

OWN_FORMATS = (
    "approver-role",
    "document-path",
    "expression",
    "kind",
    "role",
    "store-path",
    "template",
    "workspace-path",
    "workspace-root",
)
"""Formats that documents give a meaning to: FORMATS section 1, *Arguments*."""

JSON_SCHEMA_FORMATS = ("date", "date-time", "email", "ipv4", "ipv6", "regex", "uri", "uuid")
"""Formats of JSON Schema that arguments are held to."""

STORE = "store-path"
WORKSPACE_PATH = "workspace-path"
ROOT = "workspace-root"
"""The folder from which the other paths that a kind is given are meant."""

FORMATS = tuple(sorted((*OWN_FORMATS, *JSON_SCHEMA_FORMATS)))


def _no_shapes() -> Mapping[str, Shape]:
    return MappingProxyType({})


@record
class Shape:
    """What a schema says about formats: of the value itself, and of the values in it. Recursive where the schema is."""

    format: str | None = None
    properties: Mapping[str, Shape] = field(default_factory=_no_shapes)
    patterns: Sequence[tuple[str, Shape]] = ()
    other_properties: Shape | None = None
    first_items: Sequence[Shape] = ()
    items: Shape | None = None
    also: Sequence[Shape] = ()
    is_silent: bool = False
    """Whether it surely says nothing, so that no value needs to be looked at for it."""


_SILENT = Shape(is_silent=True)


def shape_of(schema: Schema) -> Shape | None:
    """Return what a schema says about formats of ours, or None where it says nothing."""
    if any(found.get("format") in OWN_FORMATS for _, found in schemas_in(schema)):
        return _shape(schema, schema, {})
    return None


def formatted(shape: Shape | None, value: Json, path: Path = ()) -> Iterator[tuple[Path, str, Json]]:
    """Yield path, format and value of each string with a format of ours in a value.

    A table of one key ``file`` stands for a string where a template may stand, and is yielded in its place.
    """
    if shape is None or shape.is_silent:
        return
    if shape.format and (isinstance(value, str) or (shape.format == "template" and file_of(value) is not None)):
        yield path, shape.format, value
    for other in shape.also:
        yield from formatted(other, value, path)
    if isinstance(value, dict):
        for key, item in value.items():
            for inner in _of_property(shape, key):
                if isinstance(item, str) and not inner.also:
                    if inner.format:
                        yield (*path, key), inner.format, item
                elif not inner.is_silent:
                    yield from formatted(inner, item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            inner = shape.first_items[index] if index < len(shape.first_items) else shape.items
            yield from formatted(inner, item, (*path, index))


def file_of(value: Json) -> str | None:
    """Return FILE of ``{ file = "FILE" }``, None for any other value."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(name := value.get("file"), str):
        return name
    return None


def store_args(schema: Schema) -> tuple[str, ...]:
    """Name the arguments that are stores: only a registry says which, by a pin."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ()
    return tuple(name for name, one in properties.items() if isinstance(one, Mapping) and one.get("format") == STORE)


def _of_property(shape: Shape, key: str) -> Sequence[Shape]:
    named = shape.properties.get(key)
    found = () if named is None else (named,)
    if shape.patterns:
        found = (*found, *(inner for pattern, inner in shape.patterns if matches(pattern, key)))
    return found if found or shape.other_properties is None else (shape.other_properties,)


_MOST_DEPTH = 100
"""No argument goes deeper, so that no format can be missed below."""


def _shape(root: Schema, schema: Json, known: dict[int, Shape], depth: int = 0) -> Shape:
    if not isinstance(schema, Mapping) or depth > _MOST_DEPTH:
        return _SILENT
    if (found := known.get(id(schema))) is not None:
        return found
    shape = known[id(schema)] = Shape()
    shape.format = next((format_ for format_ in OWN_FORMATS if format_ == schema.get("format")), None)
    shape.properties = {name: _shape(root, inner, known, depth + 1) for name, inner in _table(schema, "properties")}
    shape.patterns = [
        (pattern, _shape(root, inner, known, depth + 1)) for pattern, inner in _table(schema, "patternProperties")
    ]
    shape.first_items = [_shape(root, inner, known, depth + 1) for inner in _list(schema, "prefixItems")]
    if "additionalProperties" in schema:
        shape.other_properties = _shape(root, schema["additionalProperties"], known, depth + 1)
    if "items" in schema:
        shape.items = _shape(root, schema["items"], known, depth + 1)
    shape.also = [_shape(root, inner, known, depth + 1) for inner in _beside(root, schema)]
    shape.is_silent = not shape.format and all(inner.is_silent for inner in _inner(shape))
    return shape


def _inner(shape: Shape) -> Iterator[Shape]:
    yield from (*shape.properties.values(), *shape.first_items, *shape.also)
    yield from (inner for _, inner in shape.patterns)
    yield from (inner for inner in (shape.other_properties, shape.items) if inner is not None)


def _beside(root: Schema, schema: Schema) -> Iterator[Json]:
    """Schemas that say something about the same value."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from _list(schema, keyword)
    for keyword in ("then", "else"):
        if keyword in schema:
            yield schema[keyword]
    for _, inner in _table(schema, "dependentSchemas"):
        yield inner
    if isinstance(reference := schema.get("$ref"), str) and is_local(reference):
        yield follow(root, reference)


def _table(schema: Schema, keyword: str) -> list[tuple[str, Json]]:
    value = schema.get(keyword)
    return list(value.items()) if isinstance(value, Mapping) else []


def _list(schema: Schema, keyword: str) -> list[Json]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []
