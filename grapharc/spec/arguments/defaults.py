"""Arguments go in as far as they are given; the schema's defaults are in them when they come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from grapharc.spec.arguments.schema_walk import Schema, properties_of
from grapharc.spec.json_value import Json
from grapharc.spec.values import copy_value


def defaults_in(schema: Schema) -> Schema:
    """Return a schema of those properties alone that ``with_defaults`` has something to do with."""
    properties = properties_of(schema).items()
    return {
        "properties": {
            name: inner
            for name, inner in properties
            if isinstance(inner, Mapping) and ("default" in inner or "properties" in inner)
        }
    }


def with_defaults(args: Mapping[str, Json], schema: Schema, left_out: Collection[str] = ()) -> dict[str, Json]:
    """Fill in the defaults of properties, of tables inside too; those ``left_out`` are somebody else's to give."""
    filled = dict(args)
    for name, inner in properties_of(schema).items():
        if not isinstance(inner, Mapping):
            continue
        if name not in filled and "default" in inner and name not in left_out:
            filled[name] = copy_value(inner["default"])
        if "properties" in inner and isinstance(item := filled.get(name), Mapping):
            filled[name] = with_defaults(item, inner)
    return filled
