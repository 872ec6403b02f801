"""Rulings go in; a finding for each node and edge that is denied, or that waits for a person, comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import Decision
from grapharc.policy.places import kind_place
from grapharc.spec.finding import Finding, Place, Related, Value
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.reasons import severity

ASKS = ("node_needs_approval", "edge_needs_approval")


def say(graph: LinkedGraph, ruling: Ruling, tenant: str | None) -> Iterator[Finding]:
    """Say what stops a request: every policy that denies it, or else every policy that asks."""
    if ruling.effect == "allow":
        return
    of_node, of_edge = ("node_denied", "edge_denied") if ruling.effect == "deny" else ASKS
    for decision in ruling.decisions:
        if decision.effect != ruling.effect or _is_doubtful(decision):
            continue
        for node in ruling.nodes:
            values = {**_values(decision, tenant), "kind": ruling.ends[0], "holder": _holder(node, ruling.ends[0])}
            yield _finding(of_node, kind_place(graph, node), node.name, values, decision)
        for edge in ruling.edges:
            values = {**_values(decision, tenant), "source": ruling.ends[0], "target": ruling.ends[1]}
            yield _finding(of_edge, edge.place, f"{edge.source} -> {edge.target}", values, decision)


def _is_doubtful(decision: Decision) -> bool:
    """Whether a rule that could not be read might have answered otherwise: that rule is reported already."""
    return decision.rule is None and any(severity(finding) == "error" for finding in decision.policy.findings)


def _finding(code: str, place: Place, subject: str, values: dict[str, Value], decision: Decision) -> Finding:
    if decision.rule is None:
        return Finding(code, place, values, subject=subject)
    related = (Related("rule_here", decision.rule.place),)
    return Finding(code, place, values, subject=subject, rule=decision.rule.id, related=related)


def _values(decision: Decision, tenant: str | None) -> dict[str, Value]:
    rule = decision.rule
    return {
        "policy": decision.policy.title,
        "version": decision.policy.version,
        "digest": decision.policy.digest,
        "tenant": tenant or "",
        "reason": rule.reason if rule else "",
        "role": rule.approver_role if rule else "",
        "default": "" if rule else decision.effect,
    }


def _holder(node: Node, kind: str) -> str:
    return "" if node.offer.name == kind else node.offer.name
