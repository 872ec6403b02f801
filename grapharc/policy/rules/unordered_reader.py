"""What a node reads while another may be writing it depends on which of them is faster."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import read_place, write_place
from grapharc.spec.finding import Finding, Related
from grapharc.spec.flow.problems import UnorderedAccess


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each reader of a field and a writer of it, neither after the other."""
    for problem in case.problems(UnorderedAccess):
        writer, field = problem.writer, problem.field
        yield Finding(
            "unordered_reader",
            read_place(case, problem.reader, field),
            {"field": field, "other": writer, "fork": problem.fork},
            subject=problem.reader,
            related=(Related("other_writer_here", write_place(case, writer, field), {"node": writer}),),
        )
