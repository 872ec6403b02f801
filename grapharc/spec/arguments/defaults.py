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


def with_defaults(args: Mapping[str, Json], schema: Schema, left_out: Collection[str] = ()) -> Mapping[str, Json]:
    """Fill in the defaults of properties, of tables inside too; those ``left_out`` are somebody else's to give.

    Where there is nothing to fill in, the arguments come back as they are.
    """
    missing: dict[str, Json] = {}
    for name, inner in properties_of(schema).items():
        if not isinstance(inner, dict):
            continue
        item = args.get(name)
        if name not in args and "default" in inner and name not in left_out:
            item = missing[name] = copy_value(inner["default"])
        if "properties" in inner and isinstance(item, dict) and (filled := with_defaults(item, inner)) is not item:
            missing[name] = filled
    return {**args, **missing} if missing else args
