"""The name of a function and its compiled arguments go in, the compiled call comes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import copysign, isfinite, isinf, isnan, trunc
from typing import TypeAlias

from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.expressions.literals import INT64_MAX, INT64_MIN
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.patterns import matches, pattern_fault
from grapharc.spec.source import Span

_One: TypeAlias = "Callable[[object, Span], object]"
_Two: TypeAlias = "Callable[[str, str], bool]"

_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)|(?i:nan)")
_BOOLEANS = {
    **dict.fromkeys(("1", "t", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "false", "FALSE", "False"), False),
}


def call(name: str, arguments: Sequence[Step], pattern: str | None, span: Span) -> Step:
    """Compile a call. ``pattern`` is that of ``matches``, if it is known."""
    match arguments:
        case [_, *_] if name in ("min", "max"):
            return _extreme(name, arguments, span)
        case [text, _] if name == "matches" and pattern is not None:
            return _constant_match(text, pattern, span)
        case [text, part] if name in _TEXT:
            return _text(name, text, part, span)
        case [argument] if name in _UNARY:
            convert = _UNARY[name]
            return lambda scope, variables: convert(argument(scope, variables), span)
        case _:
            return _unknown(name, span)


def _unknown(name: str, span: Span) -> Step:
    def run(_scope: Scope, _variables: Variables) -> object:
        raise EvaluationError("unknown_function", span, function=name)

    return run


def _text(name: str, text: Step, part: Step, span: Span) -> Step:
    holds = _TEXT[name]

    def run(scope: Scope, variables: Variables) -> object:
        a, b = text(scope, variables), part(scope, variables)
        if not (isinstance(a, str) and isinstance(b, str)):
            raise wrong_type(name, b if isinstance(a, str) else a, span)
        if name == "matches" and (why := pattern_fault(b)):
            raise EvaluationError("bad_pattern", span, pattern=b, why=why)
        return holds(a, b)

    return run


def _constant_match(text: Step, pattern: str, span: Span) -> Step:
    def run(scope: Scope, variables: Variables) -> object:
        value = text(scope, variables)
        if isinstance(value, str):
            return matches(pattern, value)
        raise wrong_type("matches", value, span)

    return run


def _extreme(name: str, arguments: Sequence[Step], span: Span) -> Step:
    """The least or greatest of a list, or of all arguments; the first of equal ones."""

    def run(scope: Scope, variables: Variables) -> object:
        values = [argument(scope, variables) for argument in arguments]
        if len(values) == 1:
            if not is_list(values[0]):
                raise wrong_type(name, values[0], span)
            values = values[0]
        return _extreme_of(name, values, span)

    return run


def _extreme_of(name: str, values: Sequence[object], span: Span) -> object:
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < len(values):
        other = next(value for value in values if isinstance(value, bool) or not isinstance(value, int | float))
        raise wrong_type(name, other, span)
    if not numbers:
        raise EvaluationError("empty_list", span, function=name)
    return min(numbers) if name == "min" else max(numbers)


def _size(value: object, span: Span) -> int:
    if isinstance(value, str) or is_list(value) or is_dict(value):
        return len(value)
    raise wrong_type("size", value, span)


def _int(value: object, span: Span) -> int:
    match value:
        case bool():
            raise wrong_type("int", value, span)
        case int():
            return value
        case float() if isfinite(value) and INT64_MIN < value < INT64_MAX:
            return trunc(value)
        case str() if _INTEGER.fullmatch(value) and INT64_MIN <= int(value) <= INT64_MAX:
            return int(value)
        case float() | str():
            raise _cannot_convert("int", value, span)
        case _:
            raise wrong_type("int", value, span)


def _double(value: object, span: Span) -> float:
    match value:
        case bool():
            raise wrong_type("double", value, span)
        case int() | float():
            return float(value)
        case str() if _DOUBLE.fullmatch(value):
            return float(value)
        case str():
            raise _cannot_convert("double", value, span)
        case _:
            raise wrong_type("double", value, span)


def _bool(value: object, span: Span) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise wrong_type("bool", value, span)
    if value not in _BOOLEANS:
        raise _cannot_convert("bool", value, span)
    return _BOOLEANS[value]


def _string(value: object, span: Span) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return show_double(value)
        case _:
            raise wrong_type("string", value, span)


def show_double(value: float) -> str:
    """Write a double with the fewest digits that mean it; with an exponent below 0.0001 and from a million on."""
    if isnan(value):
        return "nan"
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    sign = "-" if copysign(1.0, value) < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0") or "0"
    return sign + (_plain(digits, point) if -3 <= point <= 6 else _scientific(digits, point - 1))


def _plain(digits: str, point: int) -> str:
    if point <= 0:
        return f"0.{'0' * -point}{digits}" if digits != "0" else "0"
    padded = digits.ljust(point, "0")
    return padded if len(padded) == point else f"{padded[:point]}.{padded[point:]}"


def _scientific(digits: str, exponent: int) -> str:
    point = "." if len(digits) > 1 else ""
    return f"{digits[0]}{point}{digits[1:]}e{exponent:+03d}"


def _cannot_convert(function: str, value: object, span: Span) -> EvaluationError:
    shown = f"'{value[:40]}'" if isinstance(value, str) else str(value)
    return EvaluationError("cannot_convert", span, function=function, value=shown)


_UNARY: Mapping[str, _One] = {"bool": _bool, "double": _double, "int": _int, "size": _size, "string": _string}
_TEXT: Mapping[str, _Two] = {
    "contains": lambda text, part: part in text,
    "endsWith": str.endswith,
    "matches": lambda text, pattern: matches(pattern, text),
    "startsWith": str.startswith,
}
