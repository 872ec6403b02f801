"""The text of an expression goes in; if it is only a name, a path or a constant, its tree comes out without lark.

Most expressions of real documents are that simple. A test holds each result to the grammar's.
"""

from __future__ import annotations

import re

from grapharc.spec.expressions.audit import MAX_DEPTH, RESERVED
from grapharc.spec.expressions.literals import INT64_MAX, number_value
from grapharc.spec.expressions.syntax import Constant, Expression, Name, Select
from grapharc.spec.source import Span

_SPACE = r"[ \t\r\n\f]*"
_PATH = re.compile(rf"{_SPACE}([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*){_SPACE}")
_CONSTANT = re.compile(rf"{_SPACE}(-?[0-9]+(?:\.[0-9]+)?|'[^'\\\r\n]*'|\"[^\"\\\r\n]*\"){_SPACE}")
_KEYWORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_NO_FIELDS = frozenset((*_KEYWORDS, "in"))


def parse_simple(text: str) -> Expression | None:
    """Return the tree of a name, a dotted path or a constant; None for anything else."""
    if path := _PATH.fullmatch(text):
        return _path(path[1], path.start(1))
    if constant := _CONSTANT.fullmatch(text):
        return _constant(constant[1], Span(*constant.span(1)))
    return None


def _path(text: str, start: int) -> Expression | None:
    first, *fields = text.split(".")
    end = start + len(first)
    if not fields and first in _KEYWORDS:
        return Constant(_KEYWORDS[first], Span(start, end))
    if first in RESERVED or not _NO_FIELDS.isdisjoint((first, *fields)) or len(fields) >= MAX_DEPTH:
        return None
    node: Expression = Name(first, Span(start, end))
    for field in fields:
        field_span = Span(end + 1, end + 1 + len(field))
        end = field_span.end
        node = Select(node, field, False, Span(start, end), field_span)
    return node


def _constant(literal: str, span: Span) -> Expression | None:
    if literal[0] in "'\"":
        return Constant(literal[1:-1], span)
    value = number_value(literal.removeprefix("-"))
    if value > INT64_MAX:
        return None
    return Constant(-value if literal[0] == "-" else value, span)
