"""What every compiled part of an expression has in common: how it is called, and how it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.finding import Value
from grapharc.spec.source import Span

_WORDS = {
    "bad_pattern": "'{pattern}' is no pattern: {why}",
    "cannot_convert": "{function}() cannot convert {value}",
    "division_by_zero": "division by zero",
    "empty_list": "{function}() of an empty list",
    "index_out_of_range": "index {index} of a list of {size}",
    "integer_overflow": "the result does not fit in 64 bits",
    "name_not_set": "'{name}' has no value",
    "no_such_key": "there is no key '{key}'",
    "too_costly": "more than {limit} steps",
    "unknown_function": "there is no such function '{function}'",
    "wrong_type": "{operation} does not take {found}",
}


class EvaluationError(Exception):
    """An expression failed while it was evaluated. ``span`` is the part of its text that did."""

    def __init__(self, code: str, span: Span, **values: Value) -> None:
        super().__init__(code, span, values)
        self.code, self.span, self.values = code, span, values

    def __str__(self) -> str:
        return _WORDS[self.code].format(**self.values)


class Variables:
    """The variables of the macros in one evaluation, by slot, and the steps that are left to it."""

    __slots__ = ("steps", "values")

    def __init__(self, slots: int, steps: int) -> None:
        self.values: list[object] = [None] * slots
        self.steps = steps


Scope: TypeAlias = "Mapping[str, object]"
Step: TypeAlias = "Callable[[Scope, Variables], object]"
"""A compiled node: takes the values of the scope and the macros' variables, raises :class:`EvaluationError`."""


def wrong_type(operation: str, value: object, span: Span) -> EvaluationError:
    """Return the error of an operation on a value of a type that it does not take; only ``json`` gets that far."""
    return EvaluationError("wrong_type", span, operation=f"'{operation}'", found=kind(value))


def kind(value: object) -> str:
    """Name the type of a value as documents do."""
    return _KINDS.get(type(value), type(value).__name__)


_KINDS: Mapping[type, str] = {
    bool: "boolean",
    dict: "map",
    float: "number",
    int: "integer",
    list: "list",
    str: "string",
    type(None): "null",
}
