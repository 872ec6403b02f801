"""The types of operands go in; the type of what an operator or an index makes of them comes out, or a fault."""

from __future__ import annotations

from grapharc.spec.expressions.open_types import UNKNOWN, is_null, is_open
from grapharc.spec.expressions.overlap import as_map, enum, may_be_equal
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import Binary, Constant, Expression, ListOfItems, Name, Unary, walk
from grapharc.spec.subtype import is_subtype, join
from grapharc.spec.suggest import suggest
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NUMBER, STRING, ListOf, MapOf, OneOf, Type, show

LIST = ListOf(JSON)
_ADDED = (INTEGER, NUMBER, STRING, LIST)
_ORDERED = (NUMBER, STRING, BOOLEAN)


def binary(node: Binary, left: Type, right: Type, report: Report) -> Type:
    """Return the type of ``left operator right``. For ``number`` and ``integer`` together it is ``number``."""
    match node.operator:
        case "==" | "!=":
            return _equality(node, left, right, report)
        case "in":
            return _membership(node, left, right, report)
        case "<" | "<=" | ">" | ">=":
            _family(node, left, right, _ORDERED, report)
            return BOOLEAN
        case "%":
            return _family(node, left, right, (INTEGER,), report)
        case "+":
            return _family(node, left, right, _ADDED, report)
        case "-" | "*" | "/":
            return _family(node, left, right, (INTEGER, NUMBER), report)
        case "&&" | "||":
            boolean(node.left, left, node.operator, report)
            boolean(node.right, right, node.operator, report)
            return BOOLEAN


def unary(node: Unary, operand: Type, report: Report) -> Type:
    """Return the type of ``!operand`` or ``-operand``."""
    if node.operator == "!":
        return boolean(node.operand, operand, "!", report)
    type_ = report.used(node.operand, operand)
    if is_open(type_):
        return NUMBER
    return _accepted(node.operand, type_, "-", (INTEGER, NUMBER), report)


def boolean(node: Expression, type_: Type, operator: str, report: Report) -> Type:
    """Write down a fault unless a value can be asked for true or false."""
    type_ = report.used(node, type_)
    if not is_open(type_):
        _accepted(node, type_, operator, (BOOLEAN,), report)
    return BOOLEAN


def _family(node: Binary, left: Type, right: Type, families: tuple[Type, ...], report: Report) -> Type:
    """Find the first family of types that both operands belong to; what is open belongs to every one."""
    left, right = report.used(node.left, left), report.used(node.right, right)
    sound = True
    for operand, type_ in ((node.left, left), (node.right, right)):
        if not is_open(type_):
            sound = _accepted(operand, type_, node.operator, families, report) is not UNKNOWN and sound
    if not sound:
        return UNKNOWN
    known = [type_ for type_ in (left, right) if not is_open(type_)]
    if not known:
        return JSON if len(families) > 1 else INTEGER
    for family in families:
        if all(is_subtype(type_, family) for type_ in known):
            return _result(family, families, left, right)
    return report.refuse("operands_differ", node.span, operator=node.operator, left=show(left), right=show(right))


def _result(family: Type, families: tuple[Type, ...], left: Type, right: Type) -> Type:
    if family == LIST:
        return ListOf(join(_item(left), _item(right)))
    # An integer together with json may turn out to be a sum of numbers.
    return NUMBER if family == INTEGER and NUMBER in families and (is_open(left) or is_open(right)) else family


def _item(type_: Type) -> Type:
    return type_.item if isinstance(type_, ListOf) else JSON


def _accepted(node: Expression, type_: Type, operator: str, accepted: tuple[Type, ...], report: Report) -> Type:
    if is_subtype(type_, OneOf(accepted)):
        return next((family for family in accepted if is_subtype(type_, family)), type_)
    expected = " or ".join("list" if family == LIST else show(family) for family in accepted)
    values = {"expression": report.source(node), "operator": operator, "found": show(type_), "expected": expected}
    return report.refuse("wrong_operand", node.span, **values)


def _equality(node: Binary, left: Type, right: Type, report: Report) -> Type:
    if not may_be_equal(left, right):
        _never(node, left, right, report)
    return BOOLEAN


def _membership(node: Binary, left: Type, right: Type, report: Report) -> Type:
    container = as_map(report.used(node.right, right))
    match container:
        case ListOf(item):
            _listed(node, left, item, report)
        case MapOf():
            key = report.used(node.left, left)
            if not is_open(key):
                _accepted(node.left, key, "in", (STRING,), report)
        case _ if not is_open(container):
            values = {"expression": report.source(node.right), "operator": "in", "found": show(container)}
            report.refuse("wrong_operand", node.right.span, **values, expected="list or map")
        case _:
            pass
    return BOOLEAN


def _listed(node: Binary, left: Type, item: Type, report: Report) -> None:
    """In a list that is written out every item must be one that can be found."""
    if not isinstance(node.right, ListOfItems):
        if not may_be_equal(left, item):
            values = {"left": report.source(node.left), "right": report.source(node.right)}
            report.refuse("never_in", node.span, **values, left_type=show(left), right_type=show(ListOf(item)))
        return
    for each in node.right.items:
        type_ = report.types[each.span]
        if not may_be_equal(left, type_):
            _never(Binary("==", node.left, each, each.span), left, type_, report)


def _never(node: Binary, left: Type, right: Type, report: Report) -> None:
    """Say why two values are never equal: one is no null, one is no string of an enum, or nothing fits at all."""
    match node.left, node.right:
        case left_side, right_side if _is_constant(left_side) and _is_constant(right_side):
            return  # What only constants decide may be meant; a condition of it is constant, and told so.
        case value, _ if is_null(right):
            report.refuse("never_null", node.span, expression=report.source(value), type=show(left))
        case _, value if is_null(left):
            report.refuse("never_null", node.span, expression=report.source(value), type=show(right))
        case value, Constant(str(literal)) as constant if enum(left):
            _not_among(constant, literal, value, enum(left), report)
        case Constant(str(literal)) as constant, value if enum(right):
            _not_among(constant, literal, value, enum(right), report)
        case _:
            values = {"left": report.source(node.left), "right": report.source(node.right)}
            report.refuse("never_equal", node.span, **values, left_type=show(left), right_type=show(right))


def _is_constant(node: Expression) -> bool:
    return not any(isinstance(inner, Name) for inner, _ in walk(node))


def _not_among(constant: Expression, literal: str, value: Expression, known: tuple[str, ...], report: Report) -> None:
    values = {"value": literal, "expression": report.source(value), "suggestion": suggest(literal, known)}
    report.refuse("never_this_value", constant.span, **values, known=known)
