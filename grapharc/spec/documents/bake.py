"""A model goes in, its pydantic-core schema as plain JSON comes out; run as a module it keeps those of all documents.

pydantic makes the schema, and making it costs more than all else that a check does. So it is made when the models
change, kept beside them for the version of pydantic-core it was made with, and made again at run time under any other.
On the way it is brought into the form that documents need: no value is converted, null is no value, defaults stay with
the dataclasses, and the arms of a union are numbered.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.engine import VERSION
from grapharc.spec.documents.kinds import KINDS, model_of
from grapharc.spec.documents.words import Core

_SCALARS = {"str", "int", "float", "bool"}
_BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length")


def bake(model: type[object]) -> Core:
    """Return the schema of a model's documents: ``root``, the tables by name, and the version that it is for."""
    tables: dict[str, Core] = {}
    made: Any = TypeAdapter(model).core_schema
    root = _plain(made, {}, tables)
    return {"pydantic_core": VERSION, "root": root, "tables": tables}


def baked_path(kind: DocumentKind) -> Path:
    """Return the file that keeps the schema of a kind of document."""
    return Path(__file__).parent / "baked" / f"{kind}.json"


def main() -> int:
    """Write every schema that is out of date and say which."""
    for kind in KINDS:
        path, text = baked_path(kind), json.dumps(bake(model_of(kind)), indent=None, separators=(",", ":")) + "\n"
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            sys.stdout.write(f"{path.name}\n")
    return 0


def _plain(core: Core, known: dict[str, Core], tables: dict[str, Core]) -> Core:
    """Bring a schema into our form; dataclasses go to ``tables`` and leave a reference behind."""
    match core["type"]:
        case "definitions":
            known = {**known, **{definition["ref"]: definition for definition in core["definitions"]}}
            return _plain(core["schema"], known, tables)
        case "definition-ref":
            return _plain(known[core["schema_ref"]], known, tables)
        case "nullable":
            return _plain(core["schema"], known, tables)
        case "default":
            return {"type": "default", "schema": _plain(core["schema"], known, tables)}
        case "dataclass":
            return _table(core, known, tables)
        case "dict":
            values = _plain(core["values_schema"], known, tables)
            keys = _plain(core["keys_schema"], known, tables)
            return {"type": "dict", "keys_schema": keys, "values_schema": values, **_marks(core)}
        case "tuple":
            items = [_plain(item, known, tables) for item in core["items_schema"]]
            return {"type": "tuple", "items_schema": items, "variadic_item_index": 0, **_marks(core)}
        case "union":
            arms = [[_plain(arm, known, tables), str(index)] for index, arm in enumerate(core["choices"])]
            return {"type": "union", "mode": "left_to_right", "choices": arms}
        case "literal":
            return {"type": "literal", "expected": core["expected"]}
        case "any":
            return {"type": "any"}
        case scalar if scalar in _SCALARS:
            finite = {"allow_inf_nan": False} if scalar == "float" else {}
            return {"type": scalar, "strict": True, **finite, **_marks(core)}
        case other:
            raise ValueError(f"no document model may need a schema of type {other!r}")


def _table(core: Core, known: dict[str, Core], tables: dict[str, Core]) -> Core:
    model: Any = core["cls"]
    if core.get("config", {}).get("extra_fields_behavior") != "forbid":
        raise ValueError(f"{model.__name__} must be CLOSED: an unknown key would be accepted")
    name = f"{model.__module__.rpartition('.')[2]}.{model.__name__}"
    if name not in tables:
        tables[name] = {}
        fields = [_field(field, known, tables) for field in core["schema"]["fields"]]
        short: str | None = getattr(model, "__short__", None)
        tables[name] = {
            "type": "dataclass",
            "cls": name,
            "ref": name,
            "fields": core["fields"],
            "slots": True,
            "config": {"extra_fields_behavior": "forbid"},
            "schema": {"type": "dataclass-args", "dataclass_name": model.__name__, "fields": fields},
            **({"metadata": {"short": short}} if short else {}),
        }
    return {"type": "definition-ref", "schema_ref": name}


def _field(field: Core, known: dict[str, Core], tables: dict[str, Core]) -> Core:
    alias = {} if field["validation_alias"] == field["name"] else {"validation_alias": field["validation_alias"]}
    schema = _plain(field["schema"], known, tables)
    return {"type": "dataclass-field", "name": field["name"], **alias, "schema": schema}


def _marks(core: Core) -> Core:
    bounds = {bound: core[bound] for bound in _BOUNDS if bound in core}
    marks = {name: mark for name, mark in core.get("metadata", {}).items() if not name.startswith("pydantic")}
    return {**bounds, **({"metadata": marks} if marks else {})}


if __name__ == "__main__":
    sys.exit(main())
