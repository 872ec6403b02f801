"""The tree of an expression: each node knows the range of the text it came from.

Round brackets are no nodes. A node's span leaves out brackets round itself and takes in those round its parts, so
that no two nodes of a tree have the same span.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from grapharc.spec.frozen import frozen
from grapharc.spec.source import Span

UnaryOperator: TypeAlias = Literal["!", "-"]
BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"]
MacroName: TypeAlias = Literal["all", "exists", "exists_one", "filter", "map"]

Way: TypeAlias = "tuple[str, ...]"
"""A name and the fields that lead on from it: ``("claim", "text")`` is ``claim.text``."""

OPERATORS: Mapping[str, BinaryOperator] = {
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "/",
    "%": "%",
    "==": "==",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "in": "in",
    "&&": "&&",
    "||": "||",
}
MACROS: Mapping[str, MacroName] = {
    "all": "all",
    "exists": "exists",
    "exists_one": "exists_one",
    "filter": "filter",
    "map": "map",
}


@frozen
class Constant:
    """``null``, a boolean, an integer of 64 bits, a double or a string."""

    value: bool | int | float | str | None
    span: Span


@frozen
class Name:
    """A field of the scope, or the variable of a macro."""

    name: str
    span: Span


@frozen
class Select:
    """``operand.field``; ``has`` when it stood inside ``has(...)`` and asks whether the field is there."""

    operand: Expression
    field: str
    has: bool
    span: Span
    field_span: Span


@frozen
class Index:
    """``operand[index]``."""

    operand: Expression
    index: Expression
    span: Span


@frozen
class Call:
    """A function call; the receiver of ``receiver.f(x)`` is the first argument and ``method`` is true."""

    function: str
    arguments: tuple[Expression, ...]
    method: bool
    span: Span
    function_span: Span


@frozen
class Macro:
    """``range.all(variable, body)`` and its likes; a ``map`` of three arguments has a ``condition``."""

    name: MacroName
    range: Expression
    variable: str
    condition: Expression | None
    body: Expression
    span: Span
    variable_span: Span


@frozen
class ListOfItems:
    """``[a, b]``."""

    items: tuple[Expression, ...]
    span: Span


@frozen
class RecordOfItems:
    """``{'k': v}`` with constant keys."""

    items: tuple[tuple[str, Span, Expression], ...]
    span: Span


@frozen
class Unary:
    """``!operand`` or ``-operand``."""

    operator: UnaryOperator
    operand: Expression
    span: Span


@frozen
class Binary:
    """``left operator right``."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span


@frozen
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression: TypeAlias = (
    Constant | Name | Select | Index | Call | Macro | ListOfItems | RecordOfItems | Unary | Binary | Conditional
)


def children(node: Expression) -> tuple[Expression, ...]:
    """Return the expressions directly inside one, in the order of the text."""
    match node:
        case Constant() | Name():
            return ()
        case Select(operand) | Unary(_, operand):
            return (operand,)
        case Index(left, right) | Binary(_, left, right):
            return (left, right)
        case Call(_, items) | ListOfItems(items):
            return items
        case Macro(_, range_, _, condition, body):
            return (range_, body) if condition is None else (range_, condition, body)
        case RecordOfItems(entries):
            return tuple(value for _, _, value in entries)
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)


def walk(tree: Expression) -> Iterator[tuple[Expression, int]]:
    """Yield every expression of a tree with its depth, each before those inside it; without recursion."""
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting.extend((child, depth + 1) for child in reversed(children(node)))


def way_of(node: Expression) -> Way | None:
    """Return the way that a node reads, for ``a``, ``a.b`` and ``a['b']``; None for anything else."""
    match node:
        case Name(name):
            return (name,)
        case Select(operand, field, False):
            before = way_of(operand)
            return None if before is None else (*before, field)
        case Index(operand, Constant(str(field))):
            before = way_of(operand)
            return None if before is None else (*before, field)
        case _:
            return None
