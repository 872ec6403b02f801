"""Rulings go in; a finding for each request that is denied, or that waits for a person, comes out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TypeVar

from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import Decision, Policy, Rule
from grapharc.policy.places import kind_place
from grapharc.spec.documents.policy import Resource
from grapharc.spec.finding import Finding, Place, Related, Value
from grapharc.spec.linked import Edge, LinkedGraph, Node
from grapharc.spec.reasons import severity

PlacedT = TypeVar("PlacedT", Node, Edge)

DENIED: Mapping[Resource, str] = {
    "node": "node_denied",
    "tool": "tool_denied",
    "edge": "edge_denied",
    "spend": "spend_denied",
    "path": "path_denied",
    "flow": "flow_denied",
}
ASKS: Mapping[Resource, str] = {
    "node": "node_needs_approval",
    "tool": "tool_needs_approval",
    "edge": "edge_needs_approval",
    "spend": "spend_needs_approval",
    "path": "path_needs_approval",
    "flow": "flow_needs_approval",
}
"""What is said of a request by its resource."""


def say(
    graph: LinkedGraph, ruling: Ruling, tenant: str | None, broken: Container[Rule | None] = frozenset()
) -> Iterator[Finding]:
    """Say what stops a request: every policy that denies it, or else every rule that asks for a person.

    Rules that are ``broken`` are reported by themselves, and nothing is said of what they answer. What stops a path or
    a flow has a witness, and is said where that is found.
    """
    if ruling.resource in ("path", "flow"):
        return
    if ruling.effect == "deny":
        for decision in ruling.decisions:
            if decision.effect == "deny" and decision.rule not in broken and not _is_doubtful(decision):
                yield from _tell(graph, ruling, decision, decision.rule, DENIED[ruling.resource], tenant)
    else:
        for decision, rule in ((each, rule) for each, rule in ruling.holds if rule not in broken):
            yield from _tell(graph, ruling, decision, rule, ASKS[ruling.resource], tenant)


def _tell(
    graph: LinkedGraph, ruling: Ruling, decision: Decision, rule: Rule | None, code: str, tenant: str | None
) -> Iterator[Finding]:
    """Tell it at each node or edge; what stands in a graph that is nested twice is told once."""
    values = _values(decision, rule, tenant)
    if rule is not None and rule in decision.pending:
        values["condition"] = rule.when
    for node in _first(ruling.nodes if ruling.resource != "spend" or ruling.worst is not None else ()):
        if not (ruling.resource == "tool" and _is_told(node, ruling.ends[0], decision, rule)):
            more = {"kind": ruling.ends[0], "holder": _holder(node, ruling.ends[0]), **_amount(ruling)}
            yield _finding(code, kind_place(graph, node), node.name, {**values, **more}, rule)
    for edge in _first(ruling.edges):
        ends = {"source": ruling.ends[0], "target": ruling.ends[1]}
        yield _finding(code, edge.place, f"{edge.source} -> {edge.target}", {**values, **ends}, rule)


def _is_told(node: Node, kind: str, decision: Decision, rule: Rule | None) -> bool:
    """Whether the same is said of the node itself, to which rules over tools apply as well."""
    if node.offer.name != kind:
        return False
    return rule is not None or decision.policy.default("node") == decision.effect


def _first(found: Iterable[PlacedT]) -> Iterator[PlacedT]:
    known = {each.place: each for each in reversed(list(found))}
    yield from reversed(known.values())


def _is_doubtful(decision: Decision) -> bool:
    """Whether a rule that could not be read might have answered otherwise: that rule is reported already."""
    return decision.rule is None and any(severity(finding) == "error" for finding in decision.policy.findings)


def _finding(code: str, place: Place, subject: str, values: dict[str, Value], rule: Rule | None) -> Finding:
    if rule is None:
        return Finding(code, place, values, subject=subject)
    return Finding(code, place, values, subject=subject, rule=rule.id, related=(Related("rule_here", rule.place),))


def said_of(policy: Policy, rule: Rule | None, tenant: str | None) -> dict[str, Value]:
    """Return what every message says of who answers, and for whom."""
    return {
        "policy": policy.title,
        "version": policy.version,
        "digest": policy.digest,
        "tenant": tenant or "",
        "reason": rule.reason if rule else "",
        "role": rule.approver_role if rule else "",
    }


def _values(decision: Decision, rule: Rule | None, tenant: str | None) -> dict[str, Value]:
    return {
        **said_of(decision.policy, rule, tenant),
        "default": "" if rule else decision.effect,
        "over_usd": rule.over_usd if rule and rule.resource == "spend" else "",
        "basis": rule.basis if rule and rule.resource == "spend" else "",
    }


def _amount(ruling: Ruling) -> dict[str, Value]:
    return {} if ruling.worst is None else {"amount": round(ruling.worst, 6)}


def _holder(node: Node, kind: str) -> str:
    return "" if node.offer.name == kind else node.offer.name
