"""Without an edge from the start nothing would ever run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding, Place
from grapharc.spec.flow.problems import NoEntry


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for a graph with nodes and no edge from the start."""
    for _ in case.problems(NoEntry):
        written = case.graph.document.value
        key = "edges" if isinstance(written, Mapping) and "edges" in written else "nodes"
        yield Finding("no_entry_edge", Place(case.graph.path, (key,)))
