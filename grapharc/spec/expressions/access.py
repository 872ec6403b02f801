"""A compiled value goes in; a compiled look into it, or at a name of the scope, comes out."""

from __future__ import annotations

from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.expressions.syntax import Name, Select
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.source import Span


def read_variable(slot: int) -> Step:
    """Compile the variable of a macro."""
    return lambda _scope, variables: variables.values[slot]


def read_name(node: Name) -> Step:
    """Compile a name of the scope."""
    name, span = node.name, node.span

    def run(scope: Scope, _variables: Variables) -> object:
        try:
            return scope[name]
        except KeyError:
            raise EvaluationError("name_not_set", span, name=name) from None

    return run


def select(node: Select, operand: Step) -> Step:
    """Compile ``operand.field`` or ``has(operand.field)``."""
    field, span = node.field, node.span

    def has(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if is_dict(value):
            return field in value
        raise wrong_type("has", value, span)

    def read(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if not is_dict(value):
            raise wrong_type(f".{field}", value, span)
        try:
            return value[field]
        except KeyError:
            raise EvaluationError("no_such_key", span, key=field) from None

    return has if node.has else read


def index(operand: Step, position: Step, span: Span) -> Step:
    """Compile ``operand[position]``; the position in a list may be a number without fraction, as json has them."""

    def run(scope: Scope, variables: Variables) -> object:
        value, at = operand(scope, variables), position(scope, variables)
        if is_dict(value) and isinstance(at, str):
            if at in value:
                return value[at]
            raise EvaluationError("no_such_key", span, key=at)
        if isinstance(at, float) and at.is_integer():
            at = int(at)
        if not (is_list(value) and type(at) is int):
            raise wrong_type("[]", at if is_list(value) or is_dict(value) else value, span)
        if 0 <= at < len(value):
            return value[at]
        raise EvaluationError("index_out_of_range", span, index=at, size=len(value))

    return run
