"""Where money is limited, what a model costs must be known before it is called."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.over import ceiling_values
from grapharc.spec.finding import Finding, Related
from grapharc.spec.linked import Node


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding, at the first node that uses it, for each role without a price under a ceiling in usd."""
    ceiling = case.limits.get("max_usd")
    if ceiling is None or "usd" not in case.flow.worst.unknown:
        return
    roles = case.graph.registry.roles
    first: dict[str, Node] = {}
    for node in case.graph.nodes.values():
        for name in node.roles:
            if name in roles and roles[name].price is None:
                first.setdefault(name, node)
    for name, node in sorted(first.items()):
        values = {"role": name, **ceiling_values(ceiling)}
        related = (Related("role_here", roles[name].place),)
        yield Finding("unpriced_role", node.place, values, subject=node.name, related=related)
