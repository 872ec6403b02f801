"""What a node reads while another may be writing it depends on which of them is faster."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import other_writer, read_place
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import UnorderedAccess


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each reader of a field and a writer of it, neither after the other."""
    for problem in case.problems(UnorderedAccess):
        reader, writer, field = problem.reader, problem.writer, problem.field
        values = {"field": field, "other": writer, "fork": problem.fork}
        place, related = read_place(case, reader, field), (other_writer(case, writer, field),)
        yield Finding("unordered_reader", place, values, subject=reader, related=related)
