"""The tree of a condition and the types of its names go in; the checked condition, or what is wrong, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.spec.expressions.check import NONE_ABSENT, Outcome, outcome
from grapharc.spec.expressions.domains import always
from grapharc.spec.expressions.infer import View, infer
from grapharc.spec.expressions.report import Report, is_open
from grapharc.spec.expressions.syntax import Binary, Expression, Way
from grapharc.spec.types import BOOLEAN, Type
from grapharc.spec.values import show


def check_condition(
    tree: Expression, text: str, scope: Mapping[str, Type], absent: frozenset[Way] = NONE_ABSENT
) -> Outcome:
    """Type an expression that decides something. ``json`` is accepted, and looked at when the expression runs.

    A condition, or a part of one, that comes out the same whatever the values are is remarked on.
    """
    report = Report(text, absent)
    found = report.used(tree, infer(tree, View(scope), report))
    if not is_open(found) and found != BOOLEAN:
        report.refuse("condition_not_boolean", tree.span, expression=report.source(tree), found=show(found))
    if not report.broken:
        for part, value in _constant_parts(tree, scope):
            report.remark("constant_condition", part.span, expression=report.source(part), outcome=str(value).lower())
    return outcome(tree, BOOLEAN, report)


def _constant_parts(node: Expression, scope: Mapping[str, Type]) -> Iterator[tuple[Expression, bool]]:
    value = always(node, scope)
    if value is not None:
        yield node, value
    elif isinstance(node, Binary) and node.operator in ("&&", "||"):
        yield from _constant_parts(node.left, scope)
        yield from _constant_parts(node.right, scope)
