"""A node's output ports go in; bound to fields they come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.spec.documents.graph import NodeModel
from grapharc.spec.finding import Related
from grapharc.spec.json_value import Path
from grapharc.spec.link.offered import Offered
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import Write
from grapharc.spec.offers import Field, Kind, Port
from grapharc.spec.subtype import fits, solve, substitute, unconstrained, variables
from grapharc.spec.suggest import suggest
from grapharc.spec.types import JSON, ListOf, Type, show


def link_writes(
    model: NodeModel, path: Path, offered: Offered, scene: Scene, solution: dict[str, Type], mapped: bool
) -> tuple[Write, ...]:
    """Bind each output port that goes to a field: those that are told, or else all that have a field's name.

    What type variables that no input tells stand for is added to ``solution``. Of a mapped node, what a port gives
    for each item lands in a list of them, or is concatenated.
    """
    kind = offered.offer.kind
    if model.writes is None:
        writes = tuple(_by_name(model, path, kind, scene))
    else:
        writes = tuple(_told(model.writes, model, path, kind, scene))
    if offered.generic:
        _solve(writes, offered, scene, solution, mapped)
    for write in writes:
        _check_type(write, kind, solution, scene, model, mapped)
    return writes


def lands_as(port: Port, field: Field, mapped: bool) -> Type:
    """Return the type of what arrives in a field: of a mapped node a list of what its items give.

    A port that is declared a list, and goes to a field that lists are added to, is concatenated instead.
    """
    return ListOf(port.type) if mapped and not is_joined(port, field) else port.type


def is_joined(port: Port, field: Field) -> bool:
    """Tell whether a mapped node's lists are put together to one; what a type variable stands for never is."""
    return isinstance(unconstrained(port.type), ListOf) and field.reducer in ("append", "union")


def _by_name(model: NodeModel, path: Path, kind: Kind, scene: Scene) -> Iterator[Write]:
    if scene.document.is_damaged((*path, "writes")):
        return
    spot = (scene.faults.document, *path, "kind")
    for name in kind.writes:
        if name in scene.fields:
            yield Write(name, name, True, spot)
        elif scene.may_have_field(name):
            scene.unbound.add(model.name)


def _told(told: Mapping[str, str], model: NodeModel, path: Path, kind: Kind, scene: Scene) -> Iterator[Write]:
    taken: dict[str, str] = {}
    for port, field in told.items():
        if port in kind.writes and field in scene.fields and field not in taken:
            taken[field] = port
            yield Write(port, field, False, (scene.faults.document, *path, "writes", port))
            continue
        where = (*path, "writes", port)
        if port not in kind.writes:
            known = tuple(kind.writes)
            values = {"port": port, "kind": model.kind_name, "known": known, "suggestion": suggest(port, known)}
            scene.tell("unknown_port", where, values, model.name, part="key")
        elif field not in scene.fields:
            scene.unbound.add(model.name)
            if not scene.may_have_field(field):
                values = {"field": field, "suggestion": scene.field_names.nearest(field)}
                scene.tell("unknown_field", where, values, model.name)
        else:
            related = (Related("first_here", scene.faults.place((*path, "writes", taken[field]))),)
            values = {"field": field, "port": port, "other": taken[field]}
            scene.tell("field_bound_twice", where, values, model.name, related=related)


def _solve(writes: tuple[Write, ...], offered: Offered, scene: Scene, solution: dict[str, Type], mapped: bool) -> None:
    """Variables of outputs alone are what their fields are, without null; those of no field, whatever is allowed."""
    told = frozenset(solution)
    for write in writes:
        field = scene.fields[write.field]
        pattern = lands_as(offered.offer.kind.writes[write.port], field, mapped)
        if any(variable.name not in told for variable in variables(pattern)):
            solve(substitute(pattern, {name: solution[name] for name in told}), field.type, solution)
    for name, variable in offered.generic.items():
        solution.setdefault(name, JSON if variable.bound is None else variable.bound)


def _check_type(
    write: Write, kind: Kind, solution: Mapping[str, Type], scene: Scene, model: NodeModel, mapped: bool
) -> None:
    field = scene.fields[write.field]
    pattern = lands_as(kind.writes[write.port], field, mapped)
    if pattern is field.type or pattern == field.type:
        return
    generic = variables(pattern)
    bounds = {variable.name: variable.bound for variable in generic if variable.bound is not None}
    in_bounds = all(fits(solution[name], bound) for name, bound in bounds.items())
    given = substitute(pattern, solution)
    if in_bounds and fits(given, field.type):
        return
    values = {
        "port": write.port,
        "field": write.field,
        "kind": model.kind_name,
        "found": show(given if in_bounds else substitute(pattern, bounds)),
        "expected": show(field.type),
    }
    related = (Related("field_here", field.place),)
    scene.tell("write_type_mismatch", write.place.path, values, model.name, related=related)
