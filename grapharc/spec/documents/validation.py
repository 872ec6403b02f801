"""A kind of document goes in; its validator, its form and its dataclass come out."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.engine import VERSION, SchemaValidator
from grapharc.spec.documents.forms import Form, form_of
from grapharc.spec.documents.kinds import class_of, model_of
from grapharc.spec.documents.words import Core
from grapharc.spec.frozen import defaults_of, frozen
from grapharc.spec.package_data import package_data


@frozen(slots=False)
class Rules:
    """How one kind of document is validated."""

    model: type[object]
    form: Form
    validator: SchemaValidator


@cache
def rules_of(kind: DocumentKind) -> Rules:
    """Return the rules of a kind of document: the baked ones where they fit this pydantic-core, else made anew."""
    baked = _baked(kind)
    return rules(model_of(kind), baked if baked.get("pydantic_core") == VERSION else _bake(kind))


def _baked(kind: DocumentKind) -> Core:
    try:
        baked: Core = json.loads(package_data(f"spec/documents/baked/{kind}.json"))
    except FileNotFoundError:  # a package that is being built
        return {}
    return baked


def _bake(kind: DocumentKind) -> Core:
    from grapharc.spec.documents.bake import bake

    return bake(model_of(kind))


def rules(model: type[object], baked: Core) -> Rules:
    """Put classes, defaults and tuples back where JSON holds their names, and build the validator."""
    tables: dict[str, Core] = baked["tables"]
    form = form_of(baked["root"], tables)
    for table in tables.values():
        _dress(table)
    core: Any = {"type": "definitions", "schema": baked["root"], "definitions": list(tables.values())}
    return Rules(model, form, SchemaValidator(core))


def _dress(table: Core) -> None:
    table["cls"] = cls = class_of(table["cls"])
    defaults = defaults_of(cls)
    for field in table["schema"]["fields"]:
        schema, (default, factory) = field["schema"], defaults[field["name"]]
        if schema["type"] == "default":
            if factory is not None:
                schema["default_factory"] = factory
            else:
                schema["default"] = default
        _label(schema)


def _label(schema: Core) -> None:
    """Make the numbered arms of unions the tuples that pydantic-core wants."""
    for key in ("schema", "values_schema"):
        if key in schema:
            _label(schema[key])
    if "choices" in schema:
        schema["choices"] = [(arm, label) for arm, label in schema["choices"]]
        for arm, _ in schema["choices"]:
            _label(arm)
