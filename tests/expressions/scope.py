"""The names that the expressions of these tests read, and short ways to check one."""

from __future__ import annotations

from grapharc.spec.expressions.check import Outcome, check
from grapharc.spec.expressions.condition import check_condition
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.reasons import fill, reason
from grapharc.spec.types import (
    BOOLEAN,
    INTEGER,
    JSON,
    NULL,
    NUMBER,
    STRING,
    Constrained,
    ListOf,
    MapOf,
    Member,
    OneOf,
    Record,
    Singleton,
    Type,
    Variable,
)

CLAIM = Record("Claim", (Member("text", STRING), Member("citation", OneOf((STRING, NULL)))))
LEVEL = OneOf((Singleton("low"), Singleton("high")))
SCOPE: dict[str, Type] = {
    "b": BOOLEAN,
    "claim": CLAIM,
    "claims": ListOf(CLAIM),
    "count": INTEGER,
    "few": Constrained(ListOf(INTEGER), (("maxItems", 5),)),
    "j": JSON,
    "level": LEVEL,
    "limits": MapOf(INTEGER),
    "maybe": OneOf((STRING, NULL)),
    "maybe_claim": OneOf((CLAIM, NULL)),
    "maybe_level": OneOf((*LEVEL.options, NULL)),
    "mixed": OneOf((STRING, INTEGER)),
    "ns": ListOf(INTEGER),
    "open": Variable("T"),
    "score": NUMBER,
    "some_claim": Variable("T", CLAIM),
    "text": STRING,
    "xs": ListOf(NUMBER),
}


def checked(text: str, expected: Type | None = None) -> Outcome:
    tree, faults = parse_expression(text, Memo())
    return (None, faults) if tree is None else check(tree, text, SCOPE, expected)


def checked_condition(text: str) -> Outcome:
    tree, faults = parse_expression(text, Memo())
    return (None, faults) if tree is None else check_condition(tree, text, SCOPE)


def said(text: str, faults: tuple[ExpressionFault, ...]) -> list[tuple[str, str, str]]:
    """Of each fault its code, the part of the text that it points at, and its words."""
    return [
        (fault.code, text[fault.span.start : fault.span.end], fill(reason(fault.code).message, fault.values))
        for fault in faults
    ]
