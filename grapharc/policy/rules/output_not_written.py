"""A run owes its outputs: one without a default must be written whatever way the run takes."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import arrows, steps
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import OutputNotWritten


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the way as its witness, for each output that may have no value at the end."""
    for problem in case.problems(OutputNotWritten):
        yield Finding(
            "output_not_written",
            case.graph.fields[problem.field].place,
            {"way": arrows(problem.way)},
            subject=problem.field,
            witness=steps(case.graph, problem.way),
        )
