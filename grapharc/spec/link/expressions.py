"""The text of an expression over state goes in; checked against the fields' types it comes out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.arguments.prepare import Origin
from grapharc.spec.expressions.check import Outcome, check
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.condition import check_condition
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.expressions.syntax import Name, Select
from grapharc.spec.link.scene import Scene
from grapharc.spec.source import Span
from grapharc.spec.templates import Hole
from grapharc.spec.types import Type


def link_expression(text: str, origin: Origin, expected: Type | None, scene: Scene, node: str) -> Checked | None:
    """Parse and check an expression over the graph's state, its faults noted within its text."""
    checked, found = _outcome(text, expected, scene)
    _tell(found, origin, scene, node)
    if checked is None:
        scene.unbound.add(node)
    return checked


def _outcome(text: str, expected: Type | None, scene: Scene) -> Outcome:
    """Return what an expression comes out as. Many nodes say the same: the last outcome of each is kept."""
    asked = (text, tuple(scene.own))
    known = scene.expressions.get(asked)
    if known is not None and known[0] == expected and known[1] == scene.own:
        return known[2]
    tree, found = parse_expression(text, scene.memo)
    outcome = (None, found) if tree is None else check(tree, text, scene.types, expected)
    scene.expressions[asked] = (expected, scene.own, outcome)
    return outcome


def link_condition(text: str, origin: Origin, scene: Scene, node: str) -> Checked | None:
    """Parse and check an expression that decides which way a node's run goes on."""
    tree, found = parse_expression(text, scene.memo)
    checked = None
    if tree is not None:
        checked, found = check_condition(tree, text, scene.types)
    _tell(found, origin, scene, node)
    return checked


def _tell(found: Iterable[ExpressionFault], origin: Origin, scene: Scene, node: str) -> None:
    for fault in found:
        name = fault.values.get("name")
        if fault.code == "unknown_name" and isinstance(name, str) and scene.may_have_field(name):
            continue
        within = None if origin.file else fault.span
        scene.faults.add(fault.code, origin.path, fault.values, within=within, subject=node)


def check_hole(hole: Hole, type_: Type, origin: Origin, scene: Scene, node: str) -> None:
    """Hold ``{port.field}`` to what the port's type has."""
    if hole.field is None:
        return
    text, start = f"{hole.port}.{hole.field}", len(hole.port) + 1
    port, field = Name(hole.port, Span(0, len(hole.port))), Span(start, len(text))
    checked, found = check(Select(port, hole.field, False, Span(0, len(text)), field), text, {hole.port: type_})
    for fault in found:
        # The text of the expression stands in the template after the brace.
        inside = Span(hole.span.start + 1 + fault.span.start, hole.span.start + 1 + fault.span.end)
        within = None if origin.file else inside
        scene.faults.add(fault.code, origin.path, fault.values, within=within, subject=node)
    if checked is None:
        scene.unbound.add(node)
