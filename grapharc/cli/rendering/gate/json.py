"""A gate's report goes in, its JSON comes out: the same keys always, so that a program need not ask what is there."""

from __future__ import annotations

from grapharc.cli.rendering import json
from grapharc.cli.rendering.gate.counts import as_report, passes
from grapharc.policy.admission import Admission
from grapharc.policy.diff.words import say
from grapharc.project.gate.report import Approved, GateReport, GraphPair, Told
from grapharc.spec.documents.approvals import ApprovalModel
from grapharc.spec.json_value import Json, pointer

FORMAT = "1"
"""The format of what the gate adds to a report; another one where a reader of this one would be misled."""


def render(report: GateReport) -> dict[str, Json]:
    """Return a report as of a check, and beside it the sides, every change with its fate, and the approvals."""
    return {
        **json.render(as_report(report)),
        "gate": FORMAT,
        "passes": passes(report),
        "base": _side(report.base),
        "head": _side(report.head),
        "fail_on": list(report.fail_on),
        "compared": [_graph(pair) for pair in report.graphs],
        "changes": [_told(told) for told in report.changes],
        "approvals": [_approved(one) for one in report.approvals],
    }


def _side(named: tuple[str, str]) -> Json:
    name, commit = named
    return {"name": name, "commit": commit or None}


def _graph(pair: GraphPair) -> Json:
    return {
        "document": pair.document,
        "before": _state(pair.was, pair.old),
        "after": _state(pair.path, pair.new),
        "renamed": dict(sorted(pair.renamed.items())),
        "can_resume": not pair.obstacles if pair.old and pair.new else None,
        "obstacles": [{"part": one.part, "subject": one.subject, "how": one.how} for one in pair.obstacles],
    }


def _state(path: str, admission: Admission | None) -> Json:
    if admission is None:
        return None
    return {"document": path, "verdict": admission.verdict, "digest": admission.graph_digest}


def _told(told: Told) -> Json:
    change = told.change
    place = change.place
    return {
        "digest": told.digest,
        "document": told.document,
        "what": change.what,
        "category": change.category,
        "direction": change.direction,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "message": say(change),
        "witness": list(change.witness),
        "place": {"document": place.document, "place": pointer(place.path), "earlier": change.earlier}
        if place
        else None,
        "tenants": list(told.tenants),
        "graphs": list(told.graphs),
        "fate": told.fate,
        "approval": _approval(told.approval) if told.approval else None,
    }


def _approved(one: Approved) -> Json:
    return {"state": one.state, **_approval(one.approval)}


def _approval(approval: ApprovalModel) -> dict[str, Json]:
    return {
        "change": approval.change,
        "document": approval.document,
        "says": approval.says,
        "who": approval.who,
        "why": approval.why,
        "until": approval.until,
    }
