"""A worst case as an expression goes in, with what is known before a run; the highest value it can have comes out.

Known are values of names (``args``) and how large others can get (``size(claims)``). What is worked out of sizes lies
between bounds, which grow apart as they are added, multiplied and chosen between: the result is never too low, also
where an expression falls as a size rises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import isfinite, trunc
from typing import TypeAlias

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.reads import names_read
from grapharc.spec.expressions.syntax import Binary, Call, Conditional, Expression, Name, Unary
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.types import INTEGER

Number: TypeAlias = "int | float"


@frozen
class Bounds:
    """A value lies between two numbers, both included."""

    low: Number
    high: Number


def highest(checked: Checked, known: Mapping[str, object], sizes: Mapping[str, int]) -> Number | None:
    """Return the highest value of an expression; None where there is no bound, or it fails.

    ``sizes`` has the most items, keys or code points of the names of which ``size()`` is asked.
    """
    found = _bounds(checked.tree, _Given(checked, known, sizes))
    return found.high if found is not None and isfinite(found.high) else None


@frozen
class _Given:
    checked: Checked
    known: Mapping[str, object]
    sizes: Mapping[str, int]

    def evaluate(self, part: Expression) -> object:
        """Evaluate a part that reads nothing but what is known; None where it fails."""
        try:
            return compile_expression(replace(self.checked, tree=part))(self.known)
        except EvaluationError:
            return None

    def is_known(self, part: Expression) -> bool:
        return self.known.keys() >= set(names_read(part))


def _bounds(node: Expression, given: _Given) -> Bounds | None:
    if given.is_known(node):
        value = given.evaluate(node)
        return Bounds(value, value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    match node:
        case Call("size", (Name(name),)):
            return Bounds(0, given.sizes[name]) if name in given.sizes else None
        case Call("int" | "double" | "min" | "max" as function, arguments):
            return _called(function, [_bounds(argument, given) for argument in arguments])
        case Unary("-", operand):
            inner = _bounds(operand, given)
            return None if inner is None else Bounds(-inner.high, -inner.low)
        case Binary(operator, left, right):
            whole = given.checked.types.get(node.span) == INTEGER
            return _combined(operator, _bounds(left, given), _bounds(right, given), whole)
        case Conditional(condition, then, otherwise) if given.is_known(condition):
            return _bounds(then if given.evaluate(condition) else otherwise, given)
        case Conditional(_, then, otherwise):
            return _either(_bounds(then, given), _bounds(otherwise, given))
        case _:
            return None


def _called(function: str, arguments: list[Bounds | None]) -> Bounds | None:
    known = [argument for argument in arguments if argument is not None]
    if len(known) < len(arguments):
        return None
    match function, known:
        case "int", [argument]:
            return Bounds(trunc(argument.low), trunc(argument.high))
        case "double", [argument]:
            return argument
        case "min", [_, _, *_]:
            return Bounds(min(each.low for each in known), min(each.high for each in known))
        case "max", [_, _, *_]:
            return Bounds(max(each.low for each in known), max(each.high for each in known))
        case _:
            return None


def _combined(operator: str, left: Bounds | None, right: Bounds | None, whole: bool) -> Bounds | None:
    """What an operator makes of two ranges lies between what it makes of their ends."""
    if left is None or right is None:
        return None
    if operator == "%":
        return Bounds(min(left.low, 0), max(left.high, 0))
    if operator not in _OPERATIONS or (operator == "/" and right.low <= 0 <= right.high):
        return None
    apply = _OPERATIONS[operator]
    ends = [apply(a, b) for a, b in product((left.low, left.high), (right.low, right.high))]
    found = [trunc(end) for end in ends] if whole else ends
    return Bounds(min(found), max(found))


def _either(one: Bounds | None, other: Bounds | None) -> Bounds | None:
    return None if one is None or other is None else Bounds(min(one.low, other.low), max(one.high, other.high))


_OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
