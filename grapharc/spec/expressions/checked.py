"""An expression that has been parsed and typed: what the checker gives and the evaluator takes."""

from __future__ import annotations

from dataclasses import dataclass

from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.types import Type


@dataclass(frozen=True, slots=True)
class Checked:
    """A well-typed expression: its text, its tree, its type, the scope names it reads and its cost bound."""

    text: str
    tree: Expression
    type: Type
    reads: tuple[str, ...]
    cost: int
