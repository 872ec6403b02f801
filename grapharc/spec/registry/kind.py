"""A row of a manifest goes in; the kind comes out, with everything that it says of itself checked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grapharc.spec.arguments.schema_check import schema_faults
from grapharc.spec.arguments.schema_walk import Schema, properties_of
from grapharc.spec.documents.manifest import KindModel
from grapharc.spec.documents.names import Naming, check_name
from grapharc.spec.finding import Related
from grapharc.spec.json_value import Path
from grapharc.spec.offers import SUBGRAPH_ENTRY, Amount, Dimension, Kind, Port
from grapharc.spec.registry.cost import amounts_of, read_amount
from grapharc.spec.registry.ports import read_ports
from grapharc.spec.type_names import Reader
from grapharc.spec.types import show

NO_ARGS: Schema = {"type": "object", "additionalProperties": False}
"""The schema of a kind that states none: it takes no arguments."""

_ENTRY = re.compile(r"(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|(?!\.)[\w-]+\.py):[A-Za-z_]\w*", re.ASCII)


def read_kind(model: KindModel, path: Path, reader: Reader) -> Kind:
    """Make out one kind. What is wrong with it is noted; the kind is of use only where nothing is."""
    schema = model.args or NO_ARGS
    reads, writes = read_ports(model, path, reader)
    _check_args(schema, path, reader)
    _check_namespace(schema, reads, writes, path, reader)
    if _ENTRY.fullmatch(model.entry) is None:
        reader.faults.add("malformed_entry", (*path, "entry"), {"entry": model.entry}, subject=model.name)
    elif model.entry == SUBGRAPH_ENTRY and not _names_a_graph(schema):
        reader.faults.add("graph_kind_without_path", (*path, "name"), {"kind": model.name}, subject=model.name)
    cost: dict[Dimension, Amount] = {}
    for dimension, written in amounts_of(model.cost).items():
        amount = read_amount(written, (*path, "cost", dimension), schema, reads, reader.memo, reader.faults)
        cost.update({} if amount is None else {dimension: amount})
    if "model" in model.capabilities:
        _check_model_kind(model, schema, path, reader)
    return Kind(
        model.name,
        model.version,
        model.summary,
        model.entry,
        reader.document.path,
        tuple(sorted(set(model.capabilities))),
        tuple(sorted(set(model.labels))),
        tuple(sorted(set(model.endorses))),
        model.idempotent,
        model.tool,
        reads,
        writes,
        schema,
        cost,
        model.env,
        reader.faults.place(path),
    )


def _names_a_graph(schema: Schema) -> bool:
    """Tell whether every node of the kind says which graph it runs."""
    named, required = properties_of(schema).get("path"), schema.get("required")
    found = isinstance(named, Mapping) and named.get("format") == "document-path"
    return found and isinstance(required, list) and "path" in required


def _check_args(schema: Schema, path: Path, reader: Reader) -> None:
    args = (*path, "args")
    for fault in schema_faults(schema, reader.memo):
        reader.faults.add(fault.code, (*args, *fault.path), fault.values, part=fault.part)
    for name in properties_of(schema):
        naming = Naming((*args, "properties", name), name, "port", is_key=True)
        if (finding := check_name(reader.document.path, naming)) is not None:
            reader.faults.found.append(finding)


def _check_namespace(
    schema: Schema, reads: Mapping[str, Port], writes: Mapping[str, Port], path: Path, reader: Reader
) -> None:
    """A function is called with inputs and arguments by keyword; what it gives under an input's name is that again."""
    for name in properties_of(schema):
        if name in reads:
            related = (Related("first_here", reads[name].place),)
            where = (*path, "args", "properties", name)
            reader.faults.add("port_and_arg_share_name", where, {"name": name}, part="key", related=related)
    for name, port in writes.items():
        if name in reads and reads[name].type != port.type:
            values = {"name": name, "type": show(port.type), "input_type": show(reads[name].type)}
            related = (Related("first_here", reads[name].place),)
            reader.faults.add("port_types_differ", (*path, "writes", name), values, part="key", related=related)


def _check_model_kind(model: KindModel, schema: Schema, path: Path, reader: Reader) -> None:
    if model.cost.tokens is None and not reader.document.is_damaged((*path, "cost")):
        reader.faults.add("model_kind_without_tokens", (*path, "name"), {"kind": model.name}, subject=model.name)
    if "max_tokens" not in properties_of(schema):
        reader.faults.add("model_kind_without_max_tokens", (*path, "name"), {"kind": model.name}, subject=model.name)
