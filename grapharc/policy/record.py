"""An admission goes in; its record comes out: the same bytes for the same meaning, wherever and however it is written.

No place of a document is in it: a node that moved to another line means what it meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.policy.admission import RULE_SET, Admission, Approval
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import Decision, Policy, Rule
from grapharc.spec.canonical import canonical
from grapharc.spec.documents.graph import ceilings_by_name
from grapharc.spec.finding import Finding
from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.flow.facts import Flow
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import message, severity
from grapharc.spec.version import VERSION

FORMAT = "1"


def record_bytes(admission: Admission) -> bytes:
    """Return the record as canonical JSON (RFC 8785) in UTF-8."""
    return canonical(record(admission)).encode("utf-8")


def record(admission: Admission) -> dict[str, Json]:
    """Return all that an admission says, as JSON."""
    graph, registry = admission.graph, admission.graph.registry
    return {
        "format": FORMAT,
        "grapharc": VERSION,
        "rule_set": RULE_SET,
        "verdict": admission.verdict,
        "graph": {"name": graph.name, "version": graph.version, "digest": admission.graph_digest},
        "registry": {"name": registry.name, "version": registry.version, "digest": admission.registry_digest},
        "policies": [_policy(policy) for policy in admission.policies],
        "tenant": admission.tenant,
        "capabilities": list(admission.capabilities),
        "labels": list(admission.labels),
        "budget": {**ceilings_by_name(admission.budget)},
        "worst_case": _worst(admission.flow),
        "decisions": [_ruling(ruling) for ruling in admission.rulings],
        "decided_at_run": _left_to_the_run(admission.rulings),
        "approvals": [_approval(approval) for approval in admission.approvals],
        "findings": _findings((*admission.findings, *admission.suppressed)),
    }


def _policy(policy: Policy) -> Json:
    return {"name": policy.name, "version": policy.version, "digest": policy.digest}


def _worst(flow: Flow) -> Json:
    """What a run may spend at worst: of the nodes that are known, and which those are that are not."""
    worst = flow.worst
    return {
        "total": {**worst.known, "steps": flow.steps},
        "unknown": _unknown(flow),
        "nodes": {name: amounts._asdict() for name, amounts in _nodes(flow).items()},
    }


def _unknown(flow: Flow) -> Json:
    found: dict[str, list[str]] = {}
    for known in (flow.worst.unknown, flow.unknown_within):
        for dimension, nodes in known.items():
            found.setdefault(dimension, []).extend(nodes)
    return {dimension: sorted(nodes) for dimension, nodes in found.items()}


def _nodes(flow: Flow) -> Mapping[str, Amounts]:
    """The worst case of each node; of a subgraph none where one of a node inside is not known."""
    found = {**flow.worst_by_node, **flow.worst_within}
    for dimension, nodes in flow.unknown_within.items():
        for name in {node[:end] for node in nodes for end, letter in enumerate(node) if letter == "/"}:
            found[name] = found[name]._replace(**{dimension: None})
    return found


def _ruling(ruling: Ruling) -> Json:
    return {
        **request_record(ruling),
        "effect": ruling.effect,
        "by": [decision_record(decision, decision.rule) for decision in ruling.decisions],
    }


def request_record(ruling: Ruling) -> dict[str, Json]:
    """Return what a ruling is about: the resource, the kinds, and the nodes or edges that make the request."""
    subjects: dict[str, Json] = {}
    if ruling.nodes or not ruling.edges:
        subjects["nodes"] = [node.name for node in ruling.nodes]
    if ruling.edges:
        subjects["edges"] = sorted({f"{edge.source} -> {edge.target}" for edge in ruling.edges})
    return {"resource": ruling.resource, "kinds": list(ruling.ends), **subjects}


def _left_to_the_run(rulings: Iterable[Ruling]) -> Json:
    """Each rule that is decided before each activation: by its condition, or by what will have been spent.

    A node that is a tool makes two requests, of which the same rules decide; they are listed once.
    """
    found: dict[str, Json] = {}
    for ruling in rulings:
        for decision, rule in ruling.pending:
            spend: dict[str, Json] = {"over_usd": rule.over_usd, "basis": rule.basis}
            by: dict[str, Json] = {**decision_record(decision, rule), "effect": rule.effect}
            entry = {**request_record(ruling), **by, **({"when": rule.when} if rule.resource != "spend" else spend)}
            found.setdefault(canonical({**entry, "resource": ""}), entry)
    return list(found.values())


def decision_record(decision: Decision, rule: Rule | None) -> dict[str, Json]:
    """Return what a policy answers, by which rule."""
    return {
        "policy": decision.policy.name,
        "version": decision.policy.version,
        "digest": decision.policy.digest,
        "effect": decision.effect,
        "rule": rule.id if rule else None,
        "reason": rule.reason if rule else None,
    }


def _approval(approval: Approval) -> Json:
    said = decision_record(approval.decision, approval.rule)
    return {"before": approval.before, "role": approval.role, **said, "effect": "ask"}


def _findings(findings: tuple[Finding, ...]) -> Json:
    """Each finding in words, in an order that does not depend on where it stands; suppressed or not, it is true."""
    rows: list[dict[str, Json]] = [
        {
            "code": finding.code,
            "severity": severity(finding),
            "subject": finding.subject,
            "rule": finding.rule,
            "message": message(finding),
            "witness": [step.text for step in finding.witness],
        }
        for finding in findings
    ]
    return sorted(rows, key=canonical)
