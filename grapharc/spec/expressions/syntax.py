"""The tree of an expression: each node knows the range of the text it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from grapharc.spec.source import Span

UnaryOperator: TypeAlias = Literal["!", "-"]
BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"]
MacroName: TypeAlias = Literal["all", "exists", "exists_one", "filter", "map"]


@dataclass(frozen=True, slots=True)
class Constant:
    """``null``, a boolean, an integer of 64 bits, a double or a string."""

    value: bool | int | float | str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A field of the scope, or the variable of a macro."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Select:
    """``operand.field``; ``has`` when it stood inside ``has(...)`` and asks whether the field is there."""

    operand: Expression
    field: str
    has: bool
    span: Span
    field_span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """``operand[index]``."""

    operand: Expression
    index: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A function call; the receiver of ``receiver.f(x)`` is the first argument and ``method`` is true."""

    function: str
    arguments: tuple[Expression, ...]
    method: bool
    span: Span
    function_span: Span


@dataclass(frozen=True, slots=True)
class Macro:
    """``range.all(variable, body)`` and its likes; a three-argument ``map`` has a ``condition``."""

    name: MacroName
    range: Expression
    variable: str
    condition: Expression | None
    body: Expression
    span: Span
    variable_span: Span


@dataclass(frozen=True, slots=True)
class ListOfItems:
    """``[a, b]``."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RecordOfItems:
    """``{'k': v}`` with constant keys."""

    items: tuple[tuple[str, Span, Expression], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """``!operand`` or ``-operand``."""

    operator: UnaryOperator
    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """``left operator right``."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression: TypeAlias = (
    "Constant | Name | Select | Index | Call | Macro | ListOfItems | RecordOfItems | Unary | Binary | Conditional"
)
