"""The tree of an expression and the types of its names go in; the checked expression, or what is wrong, comes out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.cost import MAX_COST, cost
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.infer import View, infer
from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.expressions.reads import ways_read
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import Conditional, Expression, ListOfItems, RecordOfItems, Way
from grapharc.spec.subtype import fits, may_be_null, without_null
from grapharc.spec.types import JSON, ListOf, Record, Type, bare, show

Outcome: TypeAlias = "tuple[Checked | None, tuple[ExpressionFault, ...]]"
"""None where the expression cannot be evaluated as written; faults there may be in either case."""

NONE_ABSENT: frozenset[Way] = frozenset()


def check(
    tree: Expression,
    text: str,
    scope: Mapping[str, Type],
    expected: Type | None = None,
    absent: frozenset[Way] = NONE_ABSENT,
) -> Outcome:
    """Type an expression whose value goes where ``expected`` is asked for.

    ``absent`` are ways that a value need not have, an optional argument for one: they must be asked for by ``has()``
    before they are read. ``json`` is no subtype of anything else: ``string(payload.kind)`` converts it.
    """
    report = Report(text, absent)
    type_ = infer(tree, View(scope), report)
    if expected is not None:
        _expect(tree, expected, report)
    return outcome(tree, type_, report)


def outcome(tree: Expression, type_: Type, report: Report) -> Outcome:
    """Return what came of an expression whose nodes are all in the report."""
    steps, unbounded = cost(tree, report.types)
    if steps > MAX_COST and not report.broken:
        report.refuse("expression_unbounded", unbounded.span, limit=MAX_COST, expression=report.source(unbounded))
    faults = tuple(sorted(report.faults, key=lambda fault: (fault.span, fault.code)))
    if report.broken:
        return None, faults
    types = MappingProxyType(report.types)
    ways = ways_read(tree)
    reads = tuple(sorted({way[0] for way in ways}))
    return Checked(report.text, tree, type_, reads, ways, types, steps), faults


def _expect(node: Expression, expected: Type, report: Report) -> None:
    """Hold a value to the type it is for; in a list, a record or a choice that is written out, each part to its own."""
    found, wanted = report.types[node.span], bare(expected)
    if fits(found, expected) or (is_open(found) and found != JSON):
        return
    match node, wanted:
        case ListOfItems(items), ListOf(item):
            for each in items:
                _expect(each, item, report)
        case RecordOfItems(items), Record(_, members) if {m.name for m in members} <= {key for key, _, _ in items}:
            types = {member.name: member.type for member in members}
            for key, _, value in items:
                _expect(value, types.get(key, report.types[value.span]), report)
        case Conditional(_, then, otherwise), _:
            _expect(then, expected, report)
            _expect(otherwise, expected, report)
        case _ if may_be_null(found) and fits(without_null(found), expected):
            report.refuse("null_unguarded", node.span, expression=report.source(node), type=show(found))
        case _:
            values = {"expression": report.source(node), "found": show(found), "expected": show(expected)}
            report.refuse("wrong_result", node.span, **values)
