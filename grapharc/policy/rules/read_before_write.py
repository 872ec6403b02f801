"""A field that is no input and has no default must be written before it is read, whatever way a run takes."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import arrows, read_place, steps
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import ReadBeforeWrite


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, with the way as its witness, for each read of a field that may have no value yet."""
    for problem in case.problems(ReadBeforeWrite):
        yield Finding(
            "read_before_write",
            read_place(case, problem.node, problem.field),
            {"field": problem.field, "way": arrows(problem.way[1:] and problem.way)},
            subject=problem.node,
            witness=steps(case.graph, problem.way),
        )
