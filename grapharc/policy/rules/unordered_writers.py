"""Of two nodes that both write a field, neither after the other, nobody knows whose value stays."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import write_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.flow.problems import UnorderedWriters


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each two unordered writers of a field that keeps one value."""
    for problem in case.problems(UnorderedWriters):
        first, field = problem.first, problem.field
        yield Finding(
            "unordered_writers",
            write_place(case, problem.second, field),
            {"field": field, "other": first, "fork": problem.fork},
            subject=problem.second,
            related=(Related("other_writer_here", write_place(case, first, field), {"node": first}),),
        )
