"""The text of an expression goes in; its tree, or where the grammar stopped, comes out. lark is loaded on first use."""

from __future__ import annotations

import re
from functools import cache

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput

from grapharc.spec.expressions.build import Build
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.package_data import package_data
from grapharc.spec.source import Span

_MEANT = {
    "=": "==",
    "===": "==",
    "&": "&&",
    "|": "||",
    "and": "&&",
    "or": "||",
    "not": "!",
    "is": "==",
    "if": "condition ? then : otherwise",
    "else": "condition ? then : otherwise",
    "for": "list.map(item, ...)",
}
"""What people type who come from another language."""

_LAST_WORD = re.compile(r"([a-z]+)[ \t\r\n\f]*\Z")


def parse_with_grammar(text: str) -> Expression | ExpressionFault:
    """Return the tree of an expression as the grammar sees it, not yet audited, or its first syntax fault."""
    try:
        return _root(_grammar().parse(text))  # pyright: ignore[reportUnknownMemberType] -- lark leaves a type open
    except UnexpectedCharacters as error:
        start = _start(error)
        return _unexpected(text, start, text[start])
    except UnexpectedInput as error:
        token: object = getattr(error, "token", None)
        if isinstance(token, Token) and token.type != "$END":
            return _unexpected(text, token.start_pos or 0, str(token))
        return ExpressionFault("expression_incomplete", Span(len(text), len(text)))


def _root(parsed: object) -> Expression:
    # With a transformer of its own lark gives back what the transformer made, and types say Tree.
    if isinstance(parsed, Expression):
        return parsed
    raise TypeError(f"the grammar made no expression: {parsed!r}")


@cache
def _grammar() -> Lark:
    grammar = package_data("spec/expressions/grammar.lark").decode()
    return Lark(grammar, parser="lalr", transformer=Build(), maybe_placeholders=False, keep_all_tokens=True)


def _start(error: UnexpectedInput) -> int:
    return error.pos_in_stream or 0


def _unexpected(text: str, start: int, found: str) -> ExpressionFault:
    if found in ("'", '"'):
        return ExpressionFault("unclosed_string", Span(start, len(text)))
    before = _LAST_WORD.search(text, 0, start)
    if found not in _MEANT and before and before[1] in _MEANT:
        start, found = before.start(1), before[1]
    values = {"found": found, "suggestion": _MEANT.get(found, "")}
    return ExpressionFault("expression_syntax", Span(start, start + len(found)), values)
