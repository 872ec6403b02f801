"""The text of an expression goes in; its tree, or everything that is wrong with the text, comes out."""

from __future__ import annotations

from grapharc.spec.expressions.audit import MAX_LENGTH, audit
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.simple import parse_simple
from grapharc.spec.expressions.stored import restore, restore_fault, store, store_fault
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.json_value import Json
from grapharc.spec.memo import Memo
from grapharc.spec.source import Span

ROOM = "expression"
"""The memo's table of expressions."""


def parse_expression(text: str, memo: Memo) -> tuple[Expression | None, tuple[ExpressionFault, ...]]:
    """Return the tree of an expression and no fault, or None and its faults.

    The grammar is asked only about a text that is neither trivial nor in the memo.
    """
    if len(text) > MAX_LENGTH:
        return None, (ExpressionFault("expression_too_long", Span(0, len(text)), {"limit": MAX_LENGTH}),)
    if simple := parse_simple(text):
        return simple, ()
    known = memo.get(ROOM, text)
    if known is not None:
        return _restored(known)
    tree, faults = _parse(text)
    memo.put(ROOM, text, [None if tree is None else store(tree), [store_fault(fault) for fault in faults]])
    return tree, faults


def _parse(text: str) -> tuple[Expression | None, tuple[ExpressionFault, ...]]:
    from grapharc.spec.expressions.grammar import parse_with_grammar

    parsed = parse_with_grammar(text)
    if isinstance(parsed, ExpressionFault):
        return None, (parsed,)
    faults = tuple(audit(parsed, text))
    return (None if faults else parsed), faults


def _restored(known: Json) -> tuple[Expression | None, tuple[ExpressionFault, ...]]:
    match known:
        case [None, [*faults]]:
            return None, tuple(map(restore_fault, faults))
        case [tree, [*_]]:
            return restore(tree), ()
        case _:
            raise ValueError(f"not a stored expression: {known!r}")
