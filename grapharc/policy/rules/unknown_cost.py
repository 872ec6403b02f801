"""Where tokens or money are limited, what each node may spend must be known before it runs."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import MEASURES, ceiling_values
from grapharc.spec.finding import Finding
from grapharc.spec.linked import Node
from grapharc.spec.offers import Dimension

LIMITED: tuple[Dimension, ...] = ("tokens", "usd")
"""The dimensions that no clock can hold a node to."""


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node of which nobody knows what it may spend, though that is limited."""
    # What follows from an argument that its kind does not take was told with the argument.
    wrong = {finding.subject for finding in case.graph.findings if finding.code == "args_schema_violation"}
    for dimension in LIMITED:
        ceiling = case.limits.get(MEASURES[dimension])
        for name in case.flow.worst.unknown.get(dimension, ()) if ceiling else ():
            node = case.graph.nodes[name]
            if ceiling is not None and name not in wrong and not _is_unpriced(case, node):
                values = {"dimension": dimension, "kind": node.offer.name, **ceiling_values(ceiling)}
                yield Finding("unknown_cost", node.place, values, subject=name)


def _is_unpriced(case: Case, node: Node) -> bool:
    """Whether a role without a price is to blame, of which another rule speaks."""
    roles = case.graph.registry.roles
    return any(name in roles and roles[name].price is None for name in node.roles)
