"""An expression that has been parsed and typed: what the checker gives and the evaluator takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grapharc.spec.expressions.syntax import Expression, Way
from grapharc.spec.source import Span
from grapharc.spec.types import Type


@dataclass(frozen=True, slots=True)
class Checked:
    """A well-typed expression. ``reads`` are the names of its scope that it reads, sorted.

    ``ways`` say how far into them it reads (``("args", "max_claims")``), sorted; ``types`` has the type of every
    node by its span; ``cost`` bounds the steps of one evaluation.
    """

    text: str
    tree: Expression
    type: Type
    reads: tuple[str, ...]
    ways: tuple[Way, ...]
    types: Mapping[Span, Type]
    cost: int
