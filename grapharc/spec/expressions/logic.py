"""Compiled conditions go in; a compiled ``!``, ``&&``, ``||`` or ``?:`` comes out."""

from __future__ import annotations

from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.source import Span


def negation(operand: Step, span: Span) -> Step:
    """Compile ``!operand``."""

    def run(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if isinstance(value, bool):
            return not value
        raise wrong_type("!", value, span)

    return run


def logic(operator: str, left: Step, right: Step, left_span: Span, right_span: Span) -> Step:
    """Compile ``&&``, false as soon as one side is, or ``||``, true as soon as one is, whatever fails on the other."""
    decisive = operator == "||"

    def run(scope: Scope, variables: Variables) -> object:
        try:
            first = left(scope, variables)
        except EvaluationError:
            if right(scope, variables) is decisive:
                return decisive
            raise
        if first is decisive:
            return decisive
        second = right(scope, variables)
        if second is decisive:
            return decisive
        if isinstance(first, bool) and isinstance(second, bool):
            return second
        if isinstance(first, bool):
            raise wrong_type(operator, second, right_span)
        raise wrong_type(operator, first, left_span)

    return run


def choice(condition: Step, then: Step, otherwise: Step, span: Span) -> Step:
    """Compile ``condition ? then : otherwise``; ``span`` is the condition's."""

    def run(scope: Scope, variables: Variables) -> object:
        chosen = condition(scope, variables)
        if chosen is True:
            return then(scope, variables)
        if chosen is False:
            return otherwise(scope, variables)
        raise wrong_type("?:", chosen, span)

    return run
