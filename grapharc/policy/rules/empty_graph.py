"""A graph without nodes runs nothing and authorises nothing, which is seldom what was meant."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding, Place


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for a graph that has no node."""
    graph = case.graph
    if not graph.nodes and not graph.unlinked and not graph.missing_edges:
        yield Finding("empty_graph", Place(graph.path))
