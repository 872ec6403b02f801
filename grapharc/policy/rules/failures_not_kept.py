"""What failed items say is lost unless it goes to a field."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import under
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each mapped node that leaves failed items out without a word."""
    for node in case.graph.nodes.values():
        if (
            node.map is not None
            and node.map.collect
            and node.map.failures is None
            and node.name not in case.graph.unbound
        ):
            yield Finding("failures_not_kept", under(node.map.place, "on_item_error"), subject=node.name)
