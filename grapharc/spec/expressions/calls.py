"""A call and the types of its arguments go in; the type of its result comes out, or a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from grapharc.spec.expressions.open_types import UNKNOWN, is_open
from grapharc.spec.expressions.overlap import as_map
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import MACROS, Call, Constant
from grapharc.spec.frozen import frozen
from grapharc.spec.patterns import pattern_fault
from grapharc.spec.subtype import is_subtype
from grapharc.spec.suggest import suggest
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NUMBER, STRING, ListOf, MapOf, OneOf, Type, show


@frozen
class Function:
    """How a function may be called: ``f(x)``, ``x.f()`` or either, what it takes and what it gives."""

    form: Literal["function", "method", "either"]
    takes: tuple[Type, ...]
    gives: Type


_SIZED = OneOf((STRING, ListOf(JSON), MapOf(JSON)))
_NUMBERS = ListOf(NUMBER)

FUNCTIONS: Mapping[str, Function] = {
    "bool": Function("function", (OneOf((BOOLEAN, STRING)),), BOOLEAN),
    "contains": Function("method", (STRING, STRING), BOOLEAN),
    "double": Function("function", (OneOf((NUMBER, STRING)),), NUMBER),
    "endsWith": Function("method", (STRING, STRING), BOOLEAN),
    "int": Function("function", (OneOf((NUMBER, STRING)),), INTEGER),
    "matches": Function("either", (STRING, STRING), BOOLEAN),
    "size": Function("either", (_SIZED,), INTEGER),
    "startsWith": Function("method", (STRING, STRING), BOOLEAN),
    "string": Function("function", (OneOf((NUMBER, STRING, BOOLEAN)),), STRING),
}
"""All functions but ``min`` and ``max``, which take a list of numbers or two numbers and more."""

NAMES = tuple(sorted((*FUNCTIONS, *MACROS, "has", "max", "min")))

_MEANT = {
    "any": "exists",
    "count": "size",
    "float": "double",
    "includes": "contains",
    "len": "size",
    "length": "size",
    "str": "string",
}
"""What functions are called elsewhere."""


def call(node: Call, arguments: Sequence[Type], report: Report) -> Type:
    """Return the type of a call's result."""
    if node.function in ("min", "max") and not node.method:
        return _extreme(node, arguments, report)
    function = FUNCTIONS.get(node.function)
    if function is None:
        if node.function in NAMES:
            return report.refuse("wrong_call_form", node.function_span, call=_form(node.function))
        suggestion = _MEANT.get(node.function) or suggest(node.function, NAMES)
        return report.refuse("unknown_function", node.function_span, function=node.function, suggestion=suggestion)
    if function.form not in ("either", "method" if node.method else "function"):
        return report.refuse("wrong_call_form", node.function_span, call=_form(node.function))
    if len(arguments) != len(function.takes):
        return _wrong_count(node, str(len(function.takes) - node.method), report)
    for position, (argument, wanted) in enumerate(zip(arguments, function.takes, strict=True)):
        _argument(node, position, argument, wanted, report)
    if node.function == "matches":
        _pattern(node, report)
    return function.gives


def _form(name: str) -> str:
    """Show how a function is called."""
    match FUNCTIONS.get(name):
        case None if name in MACROS:
            return f"list.{name}(item, ...)"
        case None:
            return "has(value.field)" if name == "has" else f"{name}(a, b)"
        case Function("method"):
            return f"text.{name}('...')"
        case Function():
            return f"{name}(value)"


def _argument(node: Call, position: int, type_: Type, wanted: Type, report: Report) -> bool:
    argument = node.arguments[position]
    type_ = as_map(report.used(argument, type_))
    if is_open(type_) or is_subtype(type_, wanted) or (wanted == _NUMBERS and _is_list_of_json(type_)):
        return True
    values = {"expression": report.source(argument), "function": node.function, "found": show(type_)}
    expected = "a string, a list or a map" if wanted == _SIZED else show(wanted)
    report.refuse("wrong_argument", argument.span, **values, expected=expected)
    return False


def _is_list_of_json(type_: Type) -> bool:
    return isinstance(type_, ListOf) and is_open(type_.item)


def _extreme(node: Call, arguments: Sequence[Type], report: Report) -> Type:
    """The least or greatest of a list of numbers, or of two and more numbers."""
    if not arguments:
        return _wrong_count(node, "a list, or two and more numbers", report)
    wanted: Type = _NUMBERS if len(arguments) == 1 else NUMBER
    taken = [_argument(node, each, type_, wanted, report) for each, type_ in enumerate(arguments)]
    if not all(taken):
        return UNKNOWN
    whole = ListOf(INTEGER) if len(arguments) == 1 else INTEGER
    return INTEGER if all(is_subtype(type_, whole) for type_ in arguments) else NUMBER


def _wrong_count(node: Call, expected: str, report: Report) -> Type:
    found = len(node.arguments) - node.method
    return report.refuse("wrong_argument_count", node.span, function=node.function, expected=expected, found=found)


def _pattern(node: Call, report: Report) -> None:
    pattern = node.arguments[1]
    if isinstance(pattern, Constant) and isinstance(pattern.value, str) and (why := pattern_fault(pattern.value)):
        report.refuse("bad_pattern", pattern.span, pattern=pattern.value, why=why)
