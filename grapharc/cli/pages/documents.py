"""The models of the documents go in, the page of every key comes out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from grapharc.cli.pages import GENERATED
from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.schema import json_schema
from grapharc.spec.json_value import Json

_TITLES: Mapping[DocumentKind, str] = {
    "graph": "Graph",
    "policy": "Policy",
    "registry": "Registry selection",
    "manifest": "Kind manifest",
    "project": "Project, `grapharc.toml`",
    "test": "Policy tests",
    "approvals": "Approvals, `grapharc.approvals.toml`",
}

_HEAD = """# Documents

Every key of every document. TOML and JSON say the same things, with one digest; unknown keys are errors at every depth.
A document's kind is told by its top-level keys. `grapharc schema KIND` prints the JSON Schema for editors: name it with
`"$schema"` in JSON, with `#:schema` in TOML.
"""


def page() -> str:
    """Return the page."""
    return GENERATED + "\n".join([_HEAD, *(_document(kind, title) for kind, title in _TITLES.items())])


def _document(kind: DocumentKind, title: str) -> str:
    schema = json_schema(kind)
    parts = [f"## {title}\n", *_table(schema)]
    for name, definition in sorted(_objects(schema.get("$defs")).items()):
        if "properties" in definition:
            parts += [f"### {title.partition(',')[0]}: {name}\n", *_table(definition)]
    return "\n".join(parts)


def _table(schema: Mapping[str, Json]) -> Iterator[str]:
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    yield f"{schema.get('description', '')}\n"
    yield "| key | value | says |\n|---|---|---|"
    for key, value in _objects(schema.get("properties")).items():
        mark = " (required)" if key in needed else ""
        says = str(value.get("description", "")).replace("|", "\\|")
        yield f"| `{key}`{mark} | {_shape(value)} | {says} |"
    yield ""


def _shape(schema: Mapping[str, Json]) -> str:
    """A value in a few words: ``string``, ``list of Node``, ``"deny" or "allow"``."""
    options = schema.get("anyOf")
    if isinstance(options, list):
        return " or ".join(dict.fromkeys(_shape(option) for option in options if isinstance(option, Mapping)))
    if isinstance(choices := schema.get("enum"), list):
        return " or ".join(f"`{json.dumps(choice)}`" for choice in choices)
    if isinstance(reference := schema.get("$ref"), str):
        return reference.rpartition("/")[2]
    match schema.get("type"):
        case "array":
            return f"list of {_inner(schema.get('items'))}"
        case "object":
            return f"table of {_inner(schema.get('additionalProperties'))}"
        case str(name):
            return name
        case _:
            return "any value"


def _inner(schema: Json) -> str:
    shape = _shape(schema) if isinstance(schema, Mapping) else "any value"
    return f"({shape})" if " or " in shape else shape


def _objects(value: Json) -> Mapping[str, Mapping[str, Json]]:
    if not isinstance(value, Mapping):
        return {}
    return {key: inner for key, inner in value.items() if isinstance(inner, Mapping)}
