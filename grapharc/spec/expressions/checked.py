"""An expression that has been parsed and typed: what the checker gives and the evaluator takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grapharc.spec.expressions.syntax import Expression, Name, Way
from grapharc.spec.frozen import frozen
from grapharc.spec.source import Span
from grapharc.spec.types import Type


@frozen
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


def whole_field(name: str, type_: Type) -> Checked:
    """Return the expression that is one name of its scope, as :func:`check` would; a port bound by name means it."""
    span, way = Span(0, len(name)), (name,)
    return Checked(name, Name(name, span), type_, way, (way,), MappingProxyType({span: type_}), 1)
