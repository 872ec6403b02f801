"""A ``state`` table goes in; fields whose type, default and reducer agree come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from grapharc.spec.document import Document
from grapharc.spec.documents.typed import FieldModel
from grapharc.spec.finding import Related
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json, value_at
from grapharc.spec.offers import Field, Reducer
from grapharc.spec.subtype import is_subtype, may_be_null
from grapharc.spec.type_names import ANY, Reader
from grapharc.spec.types import JSON, NUMBER, ListOf, MapOf, Missing, Type, bare, show


def declare_fields(state: Mapping[str, FieldModel], reader: Reader) -> dict[str, Field]:
    """Return the fields that could be made out, in the order of the document."""
    fields: dict[str, Field] = {}
    for name, model in state.items():
        path = ("state", name)
        type_ = reader.closed(reader.typed(model, path), model.type, path)
        if type_ is not None and not reader.document.is_damaged(path):
            fields[name] = _field(name, model, type_, reader)
    return fields


def missing_fields(document: Document[object], declared: Mapping[str, Field]) -> frozenset[str]:
    """Return the fields that a document declares and that could not be made out; ANY where nobody can tell which."""
    state = value_at(document.text.value, ("state",))
    written = {str(name) for name in state} if isinstance(state, Mapping) else set[str]()
    written.update(str(hole[1]) for hole in document.damaged if hole[:1] == ("state",) and len(hole) > 1)
    if not document.damaged.isdisjoint(((), ("state",))):
        written.add(ANY)
    return frozenset(written - declared.keys())


def merge_fields(shared: Mapping[str, Field], own: Mapping[str, Field], reader: Reader) -> dict[str, Field]:
    """Return both documents' fields. A field that both declare has one type, and keeps what only one says of it."""
    merged = dict(shared)
    for name, field in own.items():
        other = shared.get(name)
        merged[name] = field if other is None else _merged(other, field, reader)
    return merged


def _merged(shared: Field, own: Field, reader: Reader) -> Field:
    """No label of a shared field can be lost by declaring it again."""
    path = ("state", own.name)
    if not (is_subtype(shared.type, own.type) and is_subtype(own.type, shared.type)):
        values = {"name": own.name, "type": show(own.type), "shared_type": show(shared.type)}
        related = (Related("first_here", shared.place),)
        reader.faults.add("field_type_conflict", path, values, part="key", subject=own.name, related=related)
        return own
    table = value_at(reader.document.text.value, path)
    written: Mapping[str, Json] = table if isinstance(table, Mapping) else {}
    return replace(
        own,
        default=own.default if "default" in written else shared.default,
        input=own.input if "input" in written else shared.input,
        output=own.output if "output" in written else shared.output,
        reducer=own.reducer if "reducer" in written else shared.reducer,
        labels=tuple(sorted({*shared.labels, *own.labels})),
    )


def _field(name: str, model: FieldModel, type_: Type, reader: Reader) -> Field:
    path = ("state", name)
    default = reader.default(model.default, type_, path, name)
    if isinstance(model.default, Missing) and type_ != JSON and may_be_null(type_):
        default = None
    if not _takes(model.reducer, type_):
        values = {"reducer": model.reducer, "type": show(type_), "name": name}
        reader.faults.add("reducer_does_not_fit", (*path, "reducer"), values, subject=name)
    place = reader.faults.place(path, "key")
    return Field(
        name, type_, default, model.input, model.output, tuple(sorted(set(model.labels))), model.reducer, place
    )


def _takes(reducer: Reducer, type_: Type) -> bool:
    """Tell whether a reducer can put two values of a type together."""
    plain = bare(type_)
    match reducer:
        case "last":
            return True
        case "append" | "union":
            return isinstance(plain, ListOf)
        case "merge":
            return isinstance(plain, MapOf)
        case "sum" | "min" | "max":
            return is_subtype(plain, NUMBER)
        case _:
            assert_never(reducer)
