"""A tree goes in; its value comes out where it has the same in every run."""

from __future__ import annotations

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.reads import reads_nothing
from grapharc.spec.expressions.syntax import Constant, Expression
from grapharc.spec.frozen import frozen
from grapharc.spec.types import JSON

_MOST = 10_000
"""Steps that are spent on finding out a constant; one that needs more is taken for unknown."""


@frozen
class Known:
    """A value that is known before anything runs; null is one too."""

    value: object


def constant(tree: Expression) -> Known | None:
    """Return the value of an expression that reads nothing; None for one that reads something, or always fails."""
    if isinstance(tree, Constant):
        return Known(tree.value)
    if not reads_nothing(tree):
        return None
    return partly_known(Checked("", tree, JSON, (), (), {}, 0), {})


def partly_known(checked: Checked, known: dict[str, object]) -> Known | None:
    """Return the value of an expression whatever the names outside of ``known`` will be, if there is such a value.

    ``args.local && inputs.path.startsWith('/')`` is false as soon as ``args.local`` is.
    """
    try:
        return Known(compile_expression(checked, _MOST)(known))
    except EvaluationError:
        return None
