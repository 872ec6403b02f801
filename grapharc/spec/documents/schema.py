"""A kind of document goes in, the JSON Schema (2020-12) that editors check such documents with comes out.

It accepts whatever ``read`` accepts and refuses unknown keys. It is laxer where JSON Schema is: ``1.0`` is an integer.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from itertools import pairwise
from textwrap import dedent
from typing import TypeAlias

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.forms import Form
from grapharc.spec.documents.kinds import class_of
from grapharc.spec.documents.names import FIELD, NAME, RESERVED
from grapharc.spec.documents.validation import rules_of
from grapharc.spec.documents.words import key_of
from grapharc.spec.json_value import Json

Schema: TypeAlias = dict[str, Json]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_BOUNDS = {
    "int": {"ge": "minimum", "gt": "exclusiveMinimum"},
    "float": {"ge": "minimum", "gt": "exclusiveMinimum"},
    "str": {"min_length": "minLength"},
    "list": {"min_length": "minItems"},
}


def json_schema(kind: DocumentKind) -> Schema:
    """Return the schema of a kind of document, with a definition for each table in it."""
    root = rules_of(kind).form
    tables = sorted({table.name: table for table in _tables(root)}.items())
    definitions: Schema = {_title(name): _table(table) for name, table in tables if name != root.name}
    names: Schema = {_name_title(rule): {"pattern": _pattern(rule)} for rule in sorted(set(_rules(root)))}
    return {"$schema": DIALECT, "title": f"GraphARC {kind}", **_table(root), "$defs": {**definitions, **names}}


def _tables(form: Form) -> Iterator[Form]:
    return (inner for inner in _all(form) if inner.type == "table")


def _rules(form: Form) -> Iterator[str]:
    return (inner.rule for inner in _all(form) if inner.rule)


def _all(form: Form) -> Iterator[Form]:
    yield form
    for inner in (*form.keys.values(), *form.arms, *((form.item,) if form.item else ())):
        yield from _all(inner)


def _name_title(rule: str) -> str:
    return "Name" if rule == "name" else f"{rule.capitalize()}Name"


def _title(name: str) -> str:
    return name.rpartition(".")[2].removesuffix("Model")


def _table(form: Form) -> Schema:
    model = class_of(form.name)
    said = _attribute_docs(model)
    made: Mapping[str, Field[object]] = (
        {key_of(each.name): each for each in fields(model)} if is_dataclass(model) else {}
    )
    properties: Schema = {key: _property(inner, made[key], said) for key, inner in form.keys.items()}
    return {
        "type": "object",
        "description": _plain(model.__doc__ or ""),
        "properties": properties,
        "required": sorted(form.required),
        "additionalProperties": False,
    }


def _property(form: Form, made: Field[object], said: Mapping[str, str]) -> Schema:
    default: Schema = {"default": made.default} if isinstance(made.default, str | bool) and made.default != "" else {}
    return {"description": said.get(made.name, ""), **_value(form), **default}


def _value(form: Form) -> Schema:
    """The schema of what may stand at a place, shorthands included."""
    match form.type:
        case "table":
            table: Schema = {"$ref": f"#/$defs/{_title(form.name)}"}
            return {"anyOf": [_value(form.keys[form.short[0]]), table]} if form.short else table
        case "map":
            return {"type": "object", "additionalProperties": _item(form), **_keys(form)}
        case "rows":
            return {"type": "array", "items": _item(form)}
        case "list":
            many: Schema = {"type": "array", "items": _item(form), **_bounds(form)}
            return {"anyOf": [_item(form), many]} if form.one else many
        case "union":
            return _union(form)
        case "literal":
            return {"enum": list(form.expected)}
        case "str":
            return {"type": "string", **_bounds(form), **_named(form.rule)}
        case "int" | "float" | "bool":
            return {"type": {"int": "integer", "float": "number", "bool": "boolean"}[form.type], **_bounds(form)}
        case "any":
            return {}


def _item(form: Form) -> Schema:
    return _value(form.item) if form.item else {}


def _union(form: Form) -> Schema:
    """One of the arms; an integer with a number beside it says nothing more."""
    numbers = any(arm.type == "float" for arm in form.arms)
    arms = [_value(arm) for arm in form.arms if not (numbers and arm.type == "int")]
    return arms[0] if len(arms) == 1 else {"anyOf": arms}


def _bounds(form: Form) -> Schema:
    words = _BOUNDS.get(form.type, {})
    return {words[bound]: limit for bound, limit in form.bounds.items()}


def _keys(form: Form) -> Schema:
    return {"propertyNames": _named(form.rule)} if form.rule else {}


def _named(rule: str) -> Schema:
    return {"$ref": f"#/$defs/{_name_title(rule)}"} if rule else {}


def _pattern(rule: str) -> str:
    """A regular expression for names under a rule, reserved words left out by looking ahead."""
    reserved = "|".join(sorted(RESERVED[rule]))
    dunder = "" if rule in ("name", "node") else "(?!__)"
    name = NAME if rule in ("name", "node") else FIELD
    return f"^(?!(?:{reserved})$){dunder}{name}$" if reserved else f"^{name}$"


def _attribute_docs(model: type[object]) -> Mapping[str, str]:
    """What the texts beneath the attributes of a dataclass and its bases say."""
    said: dict[str, str] = {}
    for base in reversed([each for each in model.__mro__ if is_dataclass(each)]):
        body = ast.parse(dedent(inspect.getsource(base))).body[0]
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for before, after in pairwise(statements):
            match before, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    said[name] = _plain(text)
                case _:
                    pass
    return said


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("``", "`")).strip()
