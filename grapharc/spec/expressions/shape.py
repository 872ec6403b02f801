"""A tree goes in; a text that is the same for every way of writing the same thing comes out."""

from __future__ import annotations

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
)


def shape(node: Expression) -> str:
    """Write a tree without regard to brackets, spaces, and the two ways to write a field or a call."""
    match node:
        case Constant(value):
            return repr(value)
        case Name(name):
            return name
        case Select(operand, field, has):
            return f"has({shape(operand)}.{field})" if has else f"{shape(operand)}.{field}"
        case Index(operand, Constant(str(field))):
            return f"{shape(operand)}.{field}"
        case Index(operand, index):
            return f"{shape(operand)}[{shape(index)}]"
        case Unary(operator, operand):
            return f"{operator}({shape(operand)})"
        case Binary(operator, left, right):
            return f"({shape(left)} {operator} {shape(right)})"
        case _:
            return _compound(node)


def _compound(node: Call | Macro | ListOfItems | RecordOfItems | Conditional) -> str:
    match node:
        case Call(function, arguments):
            return f"{function}({', '.join(map(shape, arguments))})"
        case Macro(name, range_, variable, condition, body):
            parts = [variable, *([] if condition is None else [shape(condition)]), shape(body)]
            return f"{shape(range_)}.{name}({', '.join(parts)})"
        case ListOfItems(items):
            return f"[{', '.join(map(shape, items))}]"
        case RecordOfItems(items):
            return f"{{{', '.join(f'{key!r}: {shape(value)}' for key, _, value in items)}}}"
        case Conditional(condition, then, otherwise):
            return f"({shape(condition)} ? {shape(then)} : {shape(otherwise)})"
