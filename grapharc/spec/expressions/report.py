"""Where the checker writes down what it finds in one expression: the type of each node, and faults."""

from __future__ import annotations

from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.narrow import Outcomes, assume
from grapharc.spec.expressions.open_types import UNKNOWN
from grapharc.spec.expressions.syntax import Constant, Expression, Way
from grapharc.spec.finding import Value
from grapharc.spec.frozen import field, record
from grapharc.spec.source import Span
from grapharc.spec.subtype import may_be_null, without_null
from grapharc.spec.types import JSON, NEVER, OneOf, Type, bare, show


def _no_faults() -> list[ExpressionFault]:
    return []


def _no_types() -> dict[Span, Type]:
    return {}


@record
class Report:
    """What has been found so far. ``broken`` tells whether the expression cannot be evaluated."""

    text: str
    absent: frozenset[Way]
    faults: list[ExpressionFault] = field(default_factory=_no_faults)
    types: dict[Span, Type] = field(default_factory=_no_types)
    outcomes: dict[Span, Outcomes] = field(default_factory=dict[Span, Outcomes])
    broken: bool = False
    dynamic: Span | None = None

    def refuse(self, code: str, span: Span, **values: Value) -> Type:
        """Write down a fault that the expression cannot be evaluated with; its type is then unknown."""
        self.faults.append(ExpressionFault(code, span, values))
        self.broken = True
        return UNKNOWN

    def remark(self, code: str, span: Span, **values: Value) -> None:
        """Write down something that does not keep the expression from being evaluated."""
        self.faults.append(ExpressionFault(code, span, values))

    def assume(self, condition: Expression) -> Outcomes:
        """Return what follows from the outcomes of a condition whose types are in the report."""
        return assume(condition, self.types, self.outcomes)

    def source(self, node: Expression) -> str:
        """Return a node's text, cut short in the middle where it is long."""
        text = " ".join(self.text[node.span.start : node.span.end].split())
        if isinstance(node, Constant) and isinstance(node.value, str):
            text = f'"{node.value}"'
        return text if len(text) <= 60 else f"{text[:40]} ... {text[-15:]}"

    def used(self, node: Expression, type_: Type) -> Type:
        """Return the type that a node has where its value is worked with: not null, constraints left aside.

        Null is a fault here. That ``json`` is only looked at when the expression runs is remarked once.
        """
        type_ = bare(type_)
        if isinstance(type_, OneOf) and may_be_null(type_) and type_ != NEVER:
            self.refuse("null_unguarded", node.span, expression=self.source(node), type=show(type_))
            return bare(without_null(type_))
        if type_ == JSON and self.dynamic is None:
            self.dynamic = node.span
            self.remark("expression_dynamic", node.span, expression=self.source(node))
        return type_
