"""A node's input ports go in, those of its kind and those of its templates; bound to expressions they come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.arguments.formats import ROOT, WORKSPACE_PATH
from grapharc.spec.arguments.prepare import Origin
from grapharc.spec.arguments.workspace_path import normal_path
from grapharc.spec.documents.graph import NodeModel
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.syntax import Constant
from grapharc.spec.finding import Place, Related, Spot, place_at
from grapharc.spec.json_value import Path
from grapharc.spec.link.arguments import Arguments
from grapharc.spec.link.expressions import check_hole, link_expression
from grapharc.spec.link.offered import Offered, Wanted
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import Read
from grapharc.spec.subtype import fits, solve, substitute, union_of, variables
from grapharc.spec.suggest import suggest
from grapharc.spec.templates import Hole
from grapharc.spec.types import JSON, NULL, Type, show


def link_reads(
    model: NodeModel, path: Path, offered: Offered, arguments: Arguments, scene: Scene, solution: dict[str, Type]
) -> tuple[Read, ...]:
    """Bind each input port. What the kind's type variables stand for is added to ``solution``."""
    holes = _holes(arguments) if arguments.templates else []
    wanted = _wanted(offered, holes) if holes else offered.reads
    if not model.reads.keys() <= wanted.keys():
        _tell_unknown_ports(model, path, wanted, scene)
    reads = {name: read for name, port in wanted.items() if (read := _bind(port, model, path, scene)) is not None}
    if offered.generic:
        _solve(reads, wanted, solution)
    wrong = [name for name, read in reads.items() if not _check_type(read, wanted[name], solution, scene, model)]
    for name in wrong:
        for variable in wanted[name].generic:
            # What a wrong value would have made of it is no reason to refuse a write, too.
            solution.pop(variable.name, None)
    for hole, origin in holes:
        if hole.field is not None and hole.port in reads:
            check_hole(hole, reads[hole.port].expression.type, origin, scene, model.name)
    return tuple(reads.values())


def _wanted(offered: Offered, holes: Iterable[tuple[Hole, Origin]]) -> dict[str, Wanted]:
    """The ports of the kind, and those that only its templates have."""
    wanted = dict(offered.reads)
    for hole, origin in holes:
        if hole.port not in wanted:
            wanted[hole.port] = Wanted(hole.port, JSON, (), True, None, hole, origin)
    return wanted


def _holes(arguments: Arguments) -> list[tuple[Hole, Origin]]:
    return [
        (part, found.origin)
        for found in arguments.templates
        for part in found.arg.template.parts
        if isinstance(part, Hole)
    ]


def _tell_unknown_ports(model: NodeModel, path: Path, wanted: Mapping[str, Wanted], scene: Scene) -> None:
    for name in model.reads:
        if name not in wanted:
            known = tuple(wanted)
            values = {"port": name, "kind": model.kind_name, "known": known, "suggestion": suggest(name, known)}
            scene.tell("unknown_port", (*path, "reads", name), values, model.name, part="key")


def _bind(port: Wanted, model: NodeModel, path: Path, scene: Scene) -> Read | None:
    text = model.reads.get(port.name)
    if text is not None:
        where = (*path, "reads", port.name)
        expected = None if port.generic else port.type
        checked = scene.read_field(text)
        if checked is None or not (expected is None or checked.type == expected):
            checked = link_expression(text, Origin(where), expected, scene, model.name)
        if checked is None:
            return None
        _check_constant(checked, port, where, scene, model)
        return Read(port.name, checked, scene.fields_of(checked), False, (scene.faults.document, *where))
    if scene.document.damaged and scene.document.is_damaged((*path, "reads")):
        return None
    field = scene.read_field(port.name)
    if field is not None:
        return Read(port.name, field, scene.fields_of(field), True, _spot(port, path, scene))
    if scene.may_have_field(port.name):
        scene.unbound.add(model.name)
    elif port.is_required:
        values = {"port": port.name, "kind": model.kind_name, "suggestion": scene.field_names.nearest(port.name)}
        place = place_at(_spot(port, path, scene))
        scene.tell("unbound_port", place.path, values, model.name, within=place.within)
    return None


def _check_constant(checked: Checked, port: Wanted, where: Path, scene: Scene, model: NodeModel) -> None:
    """A path that the document itself gives is looked at here; any other when the node runs."""
    is_path = port.format in (ROOT, WORKSPACE_PATH)
    if is_path and isinstance(checked.tree, Constant) and isinstance(checked.tree.value, str):
        _, fault = normal_path(checked.tree.value)
        if fault is not None:
            scene.tell(fault, where, {"path": checked.tree.value}, model.name, within=checked.tree.span)


def _spot(port: Wanted, path: Path, scene: Scene) -> Spot:
    """Where a port is asked for that the node does not bind itself: in a template, or by the choice of its kind."""
    if port.hole is None or port.origin is None:
        return (scene.faults.document, *path, "kind")
    return Place(scene.document.path, port.origin.path, within=None if port.origin.file else port.hole.span)


def _solve(reads: Mapping[str, Read], wanted: Mapping[str, Wanted], solution: dict[str, Type]) -> None:
    """Find what type variables mean. Null is no part of it, unless a port takes a value that may be null."""
    generic = [
        (read.expression.type, wanted[name].type) for name, read in reads.items() if variables(wanted[name].type)
    ]
    for actual, pattern in generic:
        solve(pattern, actual, solution)
    for actual, pattern in generic:
        found = [variable.name for variable in variables(pattern) if variable.name in solution]
        nullable = {name: union_of((solution[name], NULL)) for name in found}
        if not fits(actual, substitute(pattern, solution)) and fits(actual, substitute(pattern, nullable)):
            solution.update(nullable)


def _check_type(read: Read, port: Wanted, solution: Mapping[str, Type], scene: Scene, model: NodeModel) -> bool:
    generic = port.generic
    if not generic and (not read.implicit or read.expression.type == port.type):
        return True
    if not generic and fits(read.expression.type, port.type):
        return True
    actual, wanted = read.expression.type, substitute(port.type, solution)
    bounds = {variable.name: variable.bound for variable in generic if variable.bound is not None}
    own: dict[str, Type] = {}
    solve(port.type, actual, own)
    in_bounds = all(fits(own[name], bound) for name, bound in bounds.items() if name in own)
    if in_bounds and fits(actual, wanted):
        return True
    expected = substitute(port.type, bounds)
    values = {"port": port.name, "kind": model.kind_name, "found": show(actual), "expected": show(expected)}
    related = tuple(Related("field_here", scene.fields[name].place) for name in read.fields if name in scene.fields)
    scene.tell("read_type_mismatch", read.place.path, values, model.name, within=read.place.within, related=related)
    return False
