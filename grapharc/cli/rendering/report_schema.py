"""Nothing goes in; the JSON Schema of reports comes out: what ``--json`` prints of a check, in whatever command."""

from __future__ import annotations

from typing import TypeAlias, get_args

from grapharc.cli.rendering.json import FORMAT
from grapharc.spec.document import DocumentKind
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import ReasonClass

Schema: TypeAlias = dict[str, Json]

_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FROM_ONE: Schema = {"type": "integer", "minimum": 1}
_POINTER: Schema = {"type": ["string", "null"], "description": "a JSON pointer (RFC 6901)"}
_SPAN: Schema = {"anyOf": [{"$ref": "#/$defs/span"}, {"type": "null"}]}
_PLACE: Schema = {"document": _TEXT_OR_NULL, "place": _POINTER, "span": _SPAN}


def report_schema() -> Schema:
    """Return the schema (2020-12). Keys may be added within a format; what is here stays and means the same."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"GraphARC report {FORMAT}",
        "description": "What a check found, or why it could not be made. Commands that do more add keys of their own.",
        "anyOf": [{"$ref": "#/$defs/report"}, {"$ref": "#/$defs/failure"}],
        "$defs": {
            "report": _report(),
            "failure": _failure(),
            "finding": _table(_finding()),
            "accepted": _table({**_finding(), "accepted": _table(_accepted())}),
            "span": _table({"start": {"$ref": "#/$defs/position"}, "end": {"$ref": "#/$defs/position"}}),
            "position": _table({"line": _FROM_ONE, "column": _FROM_ONE, "offset": _COUNT}),
            "settings": _table(_settings()),
        },
    }


def _report() -> Schema:
    return _open(
        {
            "exit": {"enum": [0, 1]},
            "report": {"const": FORMAT},
            "documents": _list(_table({"path": _TEXT, "kind": _one_of(*get_args(DocumentKind), None)})),
            "graphs": _list(_table(_graph())),
            "findings": _list({"$ref": "#/$defs/finding"}),
            "accepted": _list({"$ref": "#/$defs/accepted"}),
            "errors": _COUNT,
            "warnings": _COUNT,
            "notes": _COUNT,
            "settings": {"anyOf": [{"$ref": "#/$defs/settings"}, {"type": "null"}]},
        }
    )


def _failure() -> Schema:
    error = _table(
        {"kind": _one_of("could_not_run", "interrupted", "not_found", "bug"), "message": _TEXT, "hint": _TEXT}
    )
    return _table({"exit": {"enum": [1, 2, 3]}, "error": error})


def _graph() -> Schema:
    return {
        "document": _TEXT,
        "tenant": _TEXT,
        "verdict": _one_of("admitted", "needs_approval", "refused"),
        "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
    }


def _finding() -> Schema:
    edit = _table({"op": _one_of("append", "replace", "remove", "set"), "place": _TEXT, "value": {}})
    return {
        "code": _TEXT,
        "class": _one_of(*get_args(ReasonClass)),
        "severity": _one_of("error", "warning", "note"),
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "document": _TEXT,
        "place": {**_TEXT, "description": "a JSON pointer (RFC 6901)"},
        "span": _SPAN,
        "message": _TEXT,
        "subject": _TEXT,
        "rule": _TEXT_OR_NULL,
        "values": {"type": "object"},
        "related": _list(_table({"message": _TEXT, **_PLACE})),
        "witness": _list(_table({"message": _TEXT, **_PLACE})),
        "remedy": _TEXT,
        "fixes": _list(_table({"document": _TEXT, "safe": {"type": "boolean"}, "edits": _list(edit)})),
    }


def _accepted() -> Schema:
    return {"by": _one_of("document", "baseline"), "reason": _TEXT, "until": _TEXT_OR_NULL, **_PLACE}


def _settings() -> Schema:
    setting = _table({"value": _TEXT_OR_NULL, "layer": _TEXT})
    ceiling = _table({"value": {"type": "number", "minimum": 0}, "layer": _TEXT})
    return {
        "registry": setting,
        "policies": _list(setting),
        "tenant": setting,
        "workspace": setting,
        "ceilings": {"type": "object", "additionalProperties": ceiling},
    }


def _table(properties: Schema) -> Schema:
    return {**_open(properties), "additionalProperties": False}


def _open(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(*values: str | None) -> Schema:
    return {"enum": list(values)}
