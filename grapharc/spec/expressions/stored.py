"""Trees go in and plain JSON comes out, and back again: what a memo keeps of a text, so that lark is not needed twice.

A node is a list: what it is, its parts, and last the start and end of its span; other spans are pairs.
"""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.syntax import (
    MACROS,
    OPERATORS,
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
)
from grapharc.spec.finding import Value
from grapharc.spec.json_value import Json
from grapharc.spec.source import Span


def store(node: Expression) -> list[Json]:
    """Return a tree as JSON."""
    at = (node.span.start, node.span.end)
    match node:
        case Constant(value):
            return ["constant", value, *at]
        case Name(name):
            return ["name", name, *at]
        case Select(operand, field, has, _, span):
            return ["select", store(operand), field, has, [span.start, span.end], *at]
        case Index(operand, index):
            return ["index", store(operand), store(index), *at]
        case Call(function, arguments, method, _, span):
            return ["call", function, [store(each) for each in arguments], method, [span.start, span.end], *at]
        case Macro(name, range_, variable, condition, body, _, span):
            stored = None if condition is None else store(condition)
            return ["macro", name, store(range_), variable, stored, store(body), [span.start, span.end], *at]
        case ListOfItems(items):
            return ["list", [store(item) for item in items], *at]
        case RecordOfItems(items):
            return ["record", [[key, [span.start, span.end], store(value)] for key, span, value in items], *at]
        case Unary(operator, operand):
            return ["unary", operator, store(operand), *at]
        case Binary(operator, left, right):
            return ["binary", operator, store(left), store(right), *at]
        case Conditional(condition, then, otherwise):
            return ["conditional", store(condition), store(then), store(otherwise), *at]


def restore(stored: Json) -> Expression:
    """Return the tree that was stored. Raises ValueError for anything that :func:`store` did not make."""
    match stored:
        case ["constant", None | bool() | int() | float() | str() as value, start, end]:
            return Constant(value, _span(start, end))
        case ["name", str(name), start, end]:
            return Name(name, _span(start, end))
        case ["select", operand, str(field), bool(has), [first, last], start, end]:
            return Select(restore(operand), field, has, _span(start, end), _span(first, last))
        case ["index", operand, index, start, end]:
            return Index(restore(operand), restore(index), _span(start, end))
        case ["call", str(function), [*arguments], bool(method), [first, last], start, end]:
            parts = tuple(map(restore, arguments))
            return Call(function, parts, method, _span(start, end), _span(first, last))
        case ["macro", str(name), range_, str(variable), condition, body, [first, last], start, end]:
            kept = None if condition is None else restore(condition)
            spans = _span(start, end), _span(first, last)
            return Macro(MACROS[name], restore(range_), variable, kept, restore(body), *spans)
        case ["list", [*items], start, end]:
            return ListOfItems(tuple(map(restore, items)), _span(start, end))
        case ["record", [*items], start, end]:
            return RecordOfItems(tuple(map(_restore_entry, items)), _span(start, end))
        case ["unary", str(operator), operand, start, end]:
            return Unary("!" if operator == "!" else "-", restore(operand), _span(start, end))
        case ["binary", str(operator), left, right, start, end]:
            return Binary(OPERATORS[operator], restore(left), restore(right), _span(start, end))
        case ["conditional", condition, then, otherwise, start, end]:
            return Conditional(restore(condition), restore(then), restore(otherwise), _span(start, end))
        case _:
            raise ValueError(f"not a stored expression: {stored!r}")


def store_fault(fault: ExpressionFault) -> list[Json]:
    """Return a fault as JSON."""
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in fault.values.items()}
    return [fault.code, fault.span.start, fault.span.end, values]


def restore_fault(stored: Json) -> ExpressionFault:
    """Return the fault that was stored. Raises ValueError for anything that :func:`store_fault` did not make."""
    match stored:
        case [str(code), start, end, {**values}]:
            return ExpressionFault(code, _span(start, end), _values(values))
        case _:
            raise ValueError(f"not a stored fault: {stored!r}")


def _restore_entry(stored: Json) -> tuple[str, Span, Expression]:
    match stored:
        case [str(key), [first, last], value]:
            return key, _span(first, last), restore(value)
        case _:
            raise ValueError(f"not a stored entry: {stored!r}")


def _span(start: Json, end: Json) -> Span:
    if isinstance(start, int) and isinstance(end, int):
        return Span(start, end)
    raise ValueError(f"not a stored span: {start!r}, {end!r}")


def _values(stored: Mapping[str, Json]) -> Mapping[str, Value]:
    return {name: _value(value) for name, value in stored.items()}


def _value(stored: Json) -> Value:
    match stored:
        case str() | int() | float():
            return stored
        case [*items]:
            return tuple(map(str, items))
        case _:
            raise ValueError(f"not a stored value: {stored!r}")
