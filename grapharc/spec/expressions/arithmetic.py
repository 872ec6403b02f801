"""Compiled operands go in, a compiled ``+ - * / %`` or ``-x`` comes out, with the 64-bit integers of CEL.

Two integers make an integer, rounded toward zero, and a result beyond 64 bits is an error. Where the checker saw a
``number``, both are taken as doubles, which overflow to infinity; where it saw ``json``, the values decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import copysign, inf, isnan, nan
from typing import TypeAlias, TypeGuard

from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.expressions.literals import INT64_MAX, INT64_MIN
from grapharc.spec.json_value import is_list
from grapharc.spec.source import Span

_Integers: TypeAlias = "Callable[[int, int, Span], int]"
_Doubles: TypeAlias = "Callable[[float, float], float]"


def arithmetic(operator: str, left: Step, right: Step, span: Span, as_doubles: bool) -> Step:
    """Compile ``left operator right``. ``as_doubles`` takes integers as numbers, whatever the other side is."""
    if as_doubles:
        return _of_doubles(operator, left, right, span)
    integers, doubles = _INTEGERS[operator], _DOUBLES.get(operator)

    def run(scope: Scope, variables: Variables) -> object:
        a, b = left(scope, variables), right(scope, variables)
        if type(a) is int and type(b) is int:
            result = integers(a, b, span)
            if INT64_MIN <= result <= INT64_MAX:
                return result
            raise EvaluationError("integer_overflow", span)
        if doubles is not None and _is_number(a) and _is_number(b):
            return doubles(a, b)
        return _joined(operator, a, b, span)

    return run


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (float, int)) and not isinstance(value, bool)


def _of_doubles(operator: str, left: Step, right: Step, span: Span) -> Step:
    doubles = _DOUBLES[operator]

    def run(scope: Scope, variables: Variables) -> object:
        a, b = left(scope, variables), right(scope, variables)
        if _is_number(a) and _is_number(b):
            return doubles(a, b)
        raise wrong_type(operator, b if _is_number(a) else a, span)

    return run


def negative(operand: Step, span: Span) -> Step:
    """Compile ``-operand``."""

    def run(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if type(value) is int:
            if value == INT64_MIN:
                raise EvaluationError("integer_overflow", span)
            return -value
        if type(value) is float:
            return -value
        raise wrong_type("-", value, span)

    return run


def _joined(operator: str, a: object, b: object, span: Span) -> object:
    """``+`` of strings and lists."""
    if operator == "+":
        if type(a) is str and type(b) is str:
            return a + b
        if is_list(a) and is_list(b):
            return a + b
    numbers_or_more = (int, float, str, list) if operator == "+" else (int, float)
    raise wrong_type(operator, b if type(a) in numbers_or_more else a, span)


def _divided(a: int, b: int, span: Span) -> int:
    if b == 0:
        raise EvaluationError("division_by_zero", span)
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int, span: Span) -> int:
    if b == 0:
        raise EvaluationError("division_by_zero", span)
    if a == INT64_MIN and b == -1:
        raise EvaluationError("integer_overflow", span)
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


def _divided_doubles(a: float, b: float) -> float:
    a, b = float(a), float(b)
    if b != 0:
        return a / b
    return nan if a == 0 or isnan(a) else copysign(inf, a) * copysign(1.0, b)


_INTEGERS: Mapping[str, _Integers] = {
    "+": lambda a, b, _: a + b,
    "-": lambda a, b, _: a - b,
    "*": lambda a, b, _: a * b,
    "/": _divided,
    "%": _remainder,
}
_DOUBLES: Mapping[str, _Doubles] = {
    "+": lambda a, b: float(a) + float(b),
    "-": lambda a, b: float(a) - float(b),
    "*": lambda a, b: float(a) * float(b),
    "/": _divided_doubles,
}
