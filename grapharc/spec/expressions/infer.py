"""A tree and what its names mean go in; the type of every node goes into a report, with everything that is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from grapharc.spec.expressions import members, operators
from grapharc.spec.expressions.narrow import NO_FACTS, Facts
from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.expressions.overlap import as_map, enum, options
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import (
    Binary,
    Call,
    Conditional,
    Constant,
    Expression,
    Index,
    ListOfItems,
    Macro,
    Name,
    RecordOfItems,
    Select,
    Unary,
    Way,
    way_of,
)
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.subtype import join, union_of
from grapharc.spec.suggest import suggest
from grapharc.spec.types import (
    BOOLEAN,
    INTEGER,
    JSON,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    ListOf,
    MapOf,
    Member,
    Record,
    Singleton,
    Type,
    show,
)

_MEANT = {"True": "true", "False": "false", "None": "null", "nil": "null", "undefined": "null"}
"""What constants are called elsewhere."""


@frozen
class View:
    """What can be seen from one place of an expression: names, and what earlier conditions say about ways."""

    names: Mapping[str, Type]
    facts: Facts = NO_FACTS

    def given(self, facts: Facts) -> View:
        """Return the view from a place that is reached only when ``facts`` hold."""
        return replace(self, facts=self.facts.also(facts))


def infer(node: Expression, view: View, report: Report) -> Type:
    """Return the type of a node; it and those of all nodes inside are in the report afterwards."""
    type_ = _type(node, view, report)
    way = way_of(node)
    if way is not None:
        type_ = _seen(node, way, type_, view, report)
    report.types[node.span] = type_
    return type_


def _type(node: Expression, view: View, report: Report) -> Type:
    match node:
        case Constant(value):
            return _constant(value)
        case Name():
            return _name(node, view, report)
        case Select(operand):
            return members.select(node, infer(operand, view, report), report)
        case Index(operand, position):
            return members.index(node, infer(operand, view, report), infer(position, view, report), report)
        case Call(_, arguments):
            from grapharc.spec.expressions import calls  # many expressions call nothing

            return calls.call(node, [infer(argument, view, report) for argument in arguments], report)
        case Macro():
            return _macro(node, view, report)
        case ListOfItems(items):
            return ListOf(_item_type([infer(item, view, report) for item in items]))
        case RecordOfItems(items):
            return Record("", tuple(Member(key, infer(value, view, report)) for key, _, value in items))
        case Unary(_, operand):
            return operators.unary(node, infer(operand, view, report), report)
        case Binary():
            return _binary(node, view, report)
        case Conditional():
            return _conditional(node, view, report)


def _item_type(items: Sequence[Type]) -> Type:
    """Strings alone are an enum; beside other values they are just strings."""
    joined = reduce(join, items, NEVER)
    if enum(joined):
        return joined
    return union_of(STRING if isinstance(option, Singleton) else option for option in options(joined))


def _constant(value: bool | int | float | str | None) -> Type:
    match value:
        case None:
            return NULL
        case bool():
            return BOOLEAN
        case int():
            return INTEGER
        case float():
            return NUMBER
        case str():
            return Singleton(value)


def _name(node: Name, view: View, report: Report) -> Type:
    found = view.names.get(node.name)
    if found is not None:
        return found
    suggestion = _MEANT.get(node.name) or suggest(node.name, view.names)
    return report.refuse("unknown_name", node.span, name=node.name, suggestion=suggestion)


def _seen(node: Expression, way: Way, type_: Type, view: View, report: Report) -> Type:
    """What is read is what an earlier condition left of it; what may be absent must have been asked for."""
    if way in report.absent and way not in view.facts.present:
        return report.refuse("absent_unguarded", node.span, expression=report.source(node))
    return view.facts.types.get(way, type_)


def _binary(node: Binary, view: View, report: Report) -> Type:
    left = infer(node.left, view, report)
    if node.operator in ("&&", "||"):
        outcomes = report.assume(node.left)
        view = view.given(outcomes.true if node.operator == "&&" else outcomes.false)
    return operators.binary(node, left, infer(node.right, view, report), report)


def _conditional(node: Conditional, view: View, report: Report) -> Type:
    operators.boolean(node.condition, infer(node.condition, view, report), "?:", report)
    outcomes = report.assume(node.condition)
    then = infer(node.then, view.given(outcomes.true), report)
    otherwise = infer(node.otherwise, view.given(outcomes.false), report)
    return join(then, otherwise)


def _macro(node: Macro, view: View, report: Report) -> Type:
    item = _item(node, infer(node.range, view, report), report)
    if node.variable in view.names:
        report.refuse("variable_shadows", node.variable_span, variable=node.variable)
    inner = View({**view.names, node.variable: item}, view.facts.without(node.variable))
    if node.condition is not None:
        operators.boolean(node.condition, infer(node.condition, inner, report), "map", report)
        inner = inner.given(report.assume(node.condition).true)
    body = infer(node.body, inner, report)
    if node.name == "map":
        return ListOf(body)
    operators.boolean(node.body, body, node.name, report)
    if node.name != "filter":
        return BOOLEAN
    return ListOf(report.assume(node.body).true.types.get((node.variable,), item))


def _item(node: Macro, range_: Type, report: Report) -> Type:
    """A macro goes through the items of a list or the keys of a map."""
    range_ = as_map(report.used(node.range, range_))
    if isinstance(range_, ListOf):
        return range_.item
    if isinstance(range_, MapOf):
        return STRING
    if is_open(range_):
        return JSON if range_ == JSON else range_
    values = {"expression": report.source(node.range), "operator": node.name, "found": show(range_)}
    return report.refuse("wrong_operand", node.range.span, **values, expected="list or map")
