"""The tree of a condition and the types of its names go in; the checked condition, or what is wrong, comes out."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.expressions.check import NONE_ABSENT, Outcome, outcome
from grapharc.spec.expressions.infer import View, infer
from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import Expression, Way
from grapharc.spec.types import BOOLEAN, Type, show


def check_condition(
    tree: Expression, text: str, scope: Mapping[str, Type], absent: frozenset[Way] = NONE_ABSENT
) -> Outcome:
    """Type an expression that decides something. ``json`` is accepted, and looked at when the expression runs.

    A condition, or a part of one, that comes out the same whatever the values are is remarked on.
    """
    from grapharc.spec.expressions.domains import constant_parts  # a graph without a condition does not wait for it

    report = Report(text, absent)
    found = report.used(tree, infer(tree, View(scope), report))
    if not is_open(found) and found != BOOLEAN:
        report.refuse("condition_not_boolean", tree.span, expression=report.source(tree), found=show(found))
    if not report.broken:
        for part, value in constant_parts(tree, scope):
            report.remark("constant_condition", part.span, expression=report.source(part), outcome=str(value).lower())
    return outcome(tree, BOOLEAN, report)
