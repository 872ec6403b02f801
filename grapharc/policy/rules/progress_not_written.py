"""A field that no round writes is the same after every round."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each loop none of whose nodes writes a field in which it looks for progress."""
    for found in case.flow.no_progress:
        loop = case.graph.edges[found.edge].loop
        if not found.fixed and loop is not None:
            values = {"fields": loop.progress}
            subject = case.graph.edges[found.edge].target
            yield Finding("progress_not_written", under(loop.place, "progress"), values, subject=subject)
