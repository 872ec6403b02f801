"""Nothing leads to the start, and nothing leads on from the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding, Value
from grapharc.spec.linked import END, START, Edge


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge into the start or out of the end."""
    for edge in case.graph.every_edge:
        if edge.target == START:
            yield _finding(edge, {"into_start": edge.source})
    for edge in case.graph.edges:
        if edge.source == END and edge.target != START:
            yield _finding(edge, {"out_of_end": edge.target})


def _finding(edge: Edge, values: Mapping[str, Value]) -> Finding:
    return Finding("sentinel_wrong_direction", edge.place, values, subject=f"{edge.source} -> {edge.target}")
