"""A condition goes in; a function that holds values by field to it comes out, and says where it failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grapharc.compiler.places import whereabouts
from grapharc.runtime.errors import ConditionFailed
from grapharc.runtime.outcomes import Scope
from grapharc.spec.document import Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.linked import Edge
from grapharc.spec.source import Span
from grapharc.spec.values import describe


def condition(edge: Edge, checked: Checked, texts: Mapping[str, Text]) -> Callable[[Scope], bool]:
    """Compile the condition of an edge. What comes out raises ConditionFailed."""
    evaluate, where = compile_expression(checked), whereabouts(edge.part("when"), checked.text, texts)

    def failed(why: str, span: Span) -> ConditionFailed:
        at = f"the condition of the edge to '{edge.target}'"
        return ConditionFailed(edge.source, at, checked.text, why, where(span))

    def holds(scope: Scope) -> bool:
        try:
            value = evaluate(scope)
        except EvaluationError as error:
            raise failed(str(error), error.span) from error
        if isinstance(value, bool):
            return value
        raise failed(f"it is {describe(value)}, true or false would be right", checked.tree.span)

    return holds
