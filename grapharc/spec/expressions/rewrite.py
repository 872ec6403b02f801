"""A tree goes in, with what is to stand for some of its parts; the tree with those in their place comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

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
from grapharc.spec.frozen import replace

Change: TypeAlias = Callable[[Expression], "Expression | None"]
"""What stands for a part; None where it stays, and its own parts are looked at."""


def rewrite(node: Expression, change: Change) -> Expression:
    """Return a tree in which parts are changed, the outer before those inside it. Spans stay as they are."""
    changed = change(node)
    if changed is not None:
        return changed

    def inner(part: Expression) -> Expression:
        return rewrite(part, change)

    match node:
        case Constant() | Name():
            return node
        case Select(operand) | Unary(_, operand):
            return replace(node, operand=inner(operand))
        case Index(operand, index):
            return replace(node, operand=inner(operand), index=inner(index))
        case Binary(_, left, right):
            return replace(node, left=inner(left), right=inner(right))
        case Call(_, arguments):
            return replace(node, arguments=tuple(map(inner, arguments)))
        case ListOfItems(items):
            return replace(node, items=tuple(map(inner, items)))
        case RecordOfItems(items):
            return replace(node, items=tuple((key, span, inner(value)) for key, span, value in items))
        case Macro(_, range_, _, condition, body):
            kept = None if condition is None else inner(condition)
            return replace(node, range=inner(range_), condition=kept, body=inner(body))
        case Conditional(condition, then, otherwise):
            return replace(node, condition=inner(condition), then=inner(then), otherwise=inner(otherwise))
