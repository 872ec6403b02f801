"""The ports of a kind go in as they are written; with their types, type variables bounded, they come out."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.arguments.formats import OWN_FORMATS
from grapharc.spec.documents.manifest import KindModel
from grapharc.spec.documents.typed import PortModel
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Path
from grapharc.spec.offers import Port
from grapharc.spec.subtype import is_subtype, substitute, variables, without_null
from grapharc.spec.suggest import suggest
from grapharc.spec.type_names import Reader
from grapharc.spec.types import MISSING, STRING, Type, Variable, show


def read_ports(model: KindModel, path: Path, reader: Reader) -> tuple[dict[str, Port], dict[str, Port]]:
    """Return the inputs and the outputs of a kind, those left out whose type could not be made out."""
    within = replace(reader, names=replace(reader.names, variables=True), known={})
    reads = _ports(model.reads, (*path, "reads"), within)
    writes = _ports(model.writes, (*path, "writes"), within)
    for name in writes:
        if writes[name].default is not MISSING:
            reader.faults.add("default_on_output", (*path, "writes", name, "default"), {"name": name}, part="key")
    bounds = _bounds((*reads.values(), *writes.values()), reader)
    return _bounded(reads, bounds), _bounded(writes, bounds)


def _ports(models: Mapping[str, PortModel], path: Path, reader: Reader) -> dict[str, Port]:
    ports: dict[str, Port] = {}
    for name, model in models.items():
        where = (*path, name)
        type_ = reader.typed(model, where)
        if type_ is None:
            continue
        _check_format(model, type_, where, reader)
        default = reader.default(model.default, type_, where, name)
        ports[name] = Port(name, type_, default, model.format, reader.faults.place(where, "key"))
    return ports


def _check_format(model: PortModel, type_: Type, path: Path, reader: Reader) -> None:
    if model.format is None:
        return
    if model.format not in OWN_FORMATS:
        values = {"format": model.format, "known": OWN_FORMATS, "suggestion": suggest(model.format, OWN_FORMATS)}
        reader.faults.add("unknown_format", (*path, "format"), values)
    elif not is_subtype(without_null(type_), STRING):
        reader.faults.add("format_needs_string", (*path, "format"), {"format": model.format, "type": show(type_)})


def _bounds(ports: tuple[Port, ...], reader: Reader) -> dict[str, Type]:
    """Each variable as it is bounded where it is; one bound holds wherever the variable stands."""
    bounds: dict[str, Variable] = {}
    for port in ports:
        for found in variables(port.type):
            known = bounds.get(found.name)
            if known is None or known.bound is None:
                bounds[found.name] = found
            elif found.bound is not None and found.bound != known.bound:
                values = {"name": found.name, "bound": show(found.bound), "other": show(known.bound)}
                reader.faults.add("variable_bounds_differ", port.place.path, values, part="key")
    return dict(bounds)


def _bounded(ports: dict[str, Port], bounds: Mapping[str, Type]) -> dict[str, Port]:
    if not bounds:
        return ports
    return {name: replace(port, type=substitute(port.type, bounds)) for name, port in ports.items()}
