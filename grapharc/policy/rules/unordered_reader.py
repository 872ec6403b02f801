"""What a node reads while another may be writing it depends on which of them is faster."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import read_place
from grapharc.policy.unordered import unordered
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import UnorderedAccess


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each reader of a field and a writer of it, neither after the other."""
    for problem in case.problems(UnorderedAccess):
        at = read_place(case, problem.reader, problem.field)
        yield unordered("unordered_reader", case, problem, at, node=problem.reader, writer=problem.writer)
