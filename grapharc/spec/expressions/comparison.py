"""Compiled operands go in, a compiled ``==``, ``<``, ``in`` or the like comes out.

Numbers are equal across types, as in CEL, and an integer is then taken as a double; nothing else is. True is no 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt
from typing import TypeAlias

from grapharc.spec.expressions.evaluation import Scope, Step, Variables, wrong_type
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.source import Span

NO_CONSTANT = object()
"""In place of a constant where there is none; null is one."""

_Order: TypeAlias = "Callable[[float | str, float | str], bool]"


def equal(a: object, b: object) -> bool:
    """Tell whether two values are equal, lists and maps by their parts."""
    if type(a) is not type(b):
        if type(a) is int and type(b) is float:
            return float(a) == b
        return type(a) is float and type(b) is int and a == float(b)
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(map(equal, a, b))
    if is_dict(a) and is_dict(b):
        return len(a) == len(b) and all(key in b and equal(value, b[key]) for key, value in a.items())
    return a == b


def equality(operator: str, left: Step, right: Step, constant: object) -> Step:
    """Compile ``==`` or ``!=``. ``constant`` is the right side's value if it is known."""
    wanted = operator == "=="
    if isinstance(constant, str):
        if wanted:
            return lambda scope, variables: left(scope, variables) == constant
        return lambda scope, variables: left(scope, variables) != constant
    if constant is None or isinstance(constant, bool):
        return lambda scope, variables: (left(scope, variables) is constant) is wanted
    return lambda scope, variables: equal(left(scope, variables), right(scope, variables)) is wanted


def ordering(operator: str, left: Step, right: Step, constant: object, span: Span) -> Step:
    """Compile ``<``, ``<=``, ``>`` or ``>=`` of two numbers, strings or booleans. ``constant`` as in equality."""
    holds = ORDERS[operator]

    def compare(a: object, b: object) -> bool:
        if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
            if type(a) is type(b):
                return holds(a, b)
            if type(a) is not bool and type(b) is not bool:
                return holds(float(a), float(b))
        if isinstance(a, str) and isinstance(b, str):
            return holds(a, b)
        raise wrong_type(operator, b if isinstance(a, (int, float, str)) else a, span)

    if type(constant) is int:
        limit = constant

        def run_integer(scope: Scope, variables: Variables) -> object:
            a = left(scope, variables)
            return holds(a, limit) if type(a) is int else compare(a, limit)

        return run_integer
    return lambda scope, variables: compare(left(scope, variables), right(scope, variables))


def membership(left: Step, right: Step, span: Span) -> Step:
    """Compile ``in``: of a list's items or a map's keys."""

    def run(scope: Scope, variables: Variables) -> object:
        value, container = left(scope, variables), right(scope, variables)
        if is_list(container):
            return value in container if type(value) is str else any(equal(value, item) for item in container)
        if is_dict(container):
            return type(value) is str and value in container
        raise wrong_type("in", container, span)

    return run


_NUMBERS = (int, float)
ORDERS: Mapping[str, _Order] = {"<": lt, "<=": le, ">": gt, ">=": ge}
