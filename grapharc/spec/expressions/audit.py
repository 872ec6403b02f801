"""A tree as the grammar made it goes in; what the grammar lets through and the language does not comes out."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.literals import INT64_MAX, INT64_MIN, string_value
from grapharc.spec.expressions.syntax import MACROS, Call, Constant, Expression, Macro, Name, RecordOfItems, walk
from grapharc.spec.finding import Value
from grapharc.spec.source import Span

MAX_LENGTH = 8_192
"""Code points that an expression may have."""

MAX_DEPTH = 100
"""Levels that an expression may have. The checker and the evaluator recurse; this keeps them off Python's limit."""

_RESERVED_FIRST = frozenset({"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"})
RESERVED = _RESERVED_FIRST | {"loop", "namespace", "package", "return", "var", "void", "while"}
"""Words that CEL keeps; fields of a value may be called so, names may not."""


def audit(tree: Expression, text: str) -> Iterator[ExpressionFault]:
    """Yield every fault of a tree, from left to right."""
    for node, depth in walk(tree):
        if depth > MAX_DEPTH:
            yield ExpressionFault("expression_too_deep", node.span, {"limit": MAX_DEPTH})
            return
        match node:
            case Constant():
                yield from _constant(node, text)
            case Name(name, span) | Macro(variable=name, variable_span=span) if name in RESERVED:
                yield ExpressionFault("reserved_word", span, {"name": name})
            case Call():
                yield from _call(node)
            case RecordOfItems():
                yield from _record(node, text)
            case _:
                pass


def _constant(node: Constant, text: str) -> Iterator[ExpressionFault]:
    literal = text[node.span.start : node.span.end]
    match node.value:
        case int() | float() if literal[-1] in "uU":
            yield ExpressionFault("unsupported_literal", node.span, {"literal": literal})
        case str() if "b" in literal[:2].lower().partition(literal[-1])[0]:
            yield ExpressionFault("unsupported_literal", node.span, {"literal": literal})
        case str():
            for start, end in string_value(literal)[1]:
                span = Span(node.span.start + start, node.span.start + end)
                yield ExpressionFault("unknown_escape", span, {"escape": text[span.start : span.end]})
        case int() | float() if not INT64_MIN <= node.value <= INT64_MAX and not _is_finite_float(node.value):
            yield ExpressionFault("literal_out_of_range", node.span, {"literal": literal})
        case _:
            pass


def _is_finite_float(value: float) -> bool:
    return isinstance(value, float) and isfinite(value)


def _call(node: Call) -> Iterator[ExpressionFault]:
    """What a macro was written as and is none: ``has`` wants a field, the others a variable and what to do with it."""
    if node.function == "has" and not node.method:
        yield ExpressionFault("has_without_field", node.span)
    elif node.method and node.function in MACROS:
        found = len(node.arguments) - 1
        if found == 2 or (found == 3 and node.function == "map"):
            yield ExpressionFault("macro_without_variable", node.arguments[1].span, {"macro": node.function})
        else:
            values: dict[str, Value] = {"function": node.function, "expected": "2", "found": found}
            yield ExpressionFault("wrong_argument_count", node.span, values)


def _record(node: RecordOfItems, text: str) -> Iterator[ExpressionFault]:
    seen: set[str] = set()
    for key, span, _ in node.items:
        if not _is_string(text[span.start : span.end]):
            yield ExpressionFault("record_key_not_constant", span)
        elif key in seen:
            yield ExpressionFault("duplicate_record_key", span, {"key": key})
        seen.add(key)


def _is_string(literal: str) -> bool:
    return literal[0] in "'\"" or (literal[0] in "rR" and literal[1:2] in ("'", '"'))
