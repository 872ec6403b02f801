"""What is wrong with an expression, as data: a code of the catalogue, the part of the text that is meant, values."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.finding import Value, no_values
from grapharc.spec.frozen import field, frozen
from grapharc.spec.source import Span


@frozen
class ExpressionFault:
    """One fault of an expression. ``span`` counts code points of the expression's own text."""

    code: str
    span: Span
    values: Mapping[str, Value] = field(default_factory=no_values)
