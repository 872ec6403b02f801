"""Of two nodes that both write a field, neither after the other, nobody knows whose value stays."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import other_writer, write_place
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import UnorderedWriters


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each two unordered writers of a field that keeps one value."""
    for problem in case.problems(UnorderedWriters):
        first, second, field = problem.first, problem.second, problem.field
        values = {"field": field, "other": first, "fork": problem.fork}
        place, related = write_place(case, second, field), (other_writer(case, first, field),)
        yield Finding("unordered_writers", place, values, subject=second, related=related)
