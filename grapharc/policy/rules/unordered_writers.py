"""Of two nodes that both write a field, neither after the other, nobody knows whose value stays."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import write_place
from grapharc.policy.unordered import unordered
from grapharc.spec.finding import Finding
from grapharc.spec.flow.problems import UnorderedWriters


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each two unordered writers of a field that keeps one value."""
    for problem in case.problems(UnorderedWriters):
        at = write_place(case, problem.second, problem.field)
        yield unordered("unordered_writers", case, problem, at, node=problem.second, writer=problem.first)
