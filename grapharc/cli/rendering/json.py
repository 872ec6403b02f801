"""A report goes in, its JSON comes out: the same keys always, so that a program need not ask what is there."""

from __future__ import annotations

from grapharc.cli.rendering.shown import Shown, Spot, show, spot
from grapharc.policy.suppress import Accepted
from grapharc.project.report import Judged, Report
from grapharc.project.settings import Named, Setting, Settings
from grapharc.spec.finding import Finding, Fix
from grapharc.spec.json_value import Json, pointer
from grapharc.spec.reasons import reason
from grapharc.spec.source import Position

FORMAT = "1"
"""The format of reports; another one where a reader of this one would be misled. ``schema report`` describes it."""


def render(report: Report) -> dict[str, Json]:
    """Return the documents, the findings and how many there are of each severity."""
    return {
        **head_json(report),
        "findings": [finding_json(show(finding, report.texts), mark) for finding, mark in report.marked()],
        "accepted": [accepted_json(each, report) for each in report.accepted],
        **sum_json(report),
        "settings": _settings(report.settings) if report.settings else None,
    }


def head_json(report: Report) -> dict[str, Json]:
    """Return what was looked at."""
    return {
        "report": FORMAT,
        "documents": [{"path": looked.path, "kind": looked.kind} for looked in report.documents],
        "graphs": [_graph(judged) for judged in report.judged],
    }


def sum_json(report: Report) -> dict[str, Json]:
    """Return how many findings there are of each severity."""
    return {"errors": report.count("error"), "warnings": report.count("warning"), "notes": report.count("note")}


def accepted_json(accepted: Accepted, report: Report) -> dict[str, Json]:
    """Return a finding that counts for nothing, and who accepts it: its ``document`` or a ``baseline``."""
    place = _spot(spot(accepted.place, report.texts)) if accepted.place else _NOWHERE
    by: dict[str, Json] = {
        "by": "document" if accepted.place else "baseline",
        "reason": accepted.reason,
        "until": accepted.until or None,
        **place,
    }
    return {**finding_json(show(accepted.finding, report.texts), accepted.fingerprint), "accepted": by}


def finding_json(shown: Shown, fingerprint: str) -> dict[str, Json]:
    """Return one finding with its words."""
    finding = shown.finding
    return {
        "code": finding.code,
        "class": reason(finding.code).reason_class,
        "severity": shown.severity,
        "fingerprint": fingerprint,
        **_spot(shown.spot),
        "message": shown.message,
        "subject": finding.subject,
        "rule": finding.rule,
        "values": _values(finding),
        "related": [{"message": beside.note, **_spot(beside.spot)} for beside in shown.related],
        "witness": [{"message": step.text, **(_spot(step.spot) if step.spot else _NOWHERE)} for step in shown.witness],
        "remedy": shown.remedy,
        "fixes": [_fix(fix) for fix in finding.fixes],
    }


def _graph(judged: Judged) -> Json:
    """What was decided about a graph for one tenant; ``run --check-only --json`` has the whole record."""
    return {
        "document": judged.document,
        "tenant": judged.tenant,
        "verdict": judged.verdict,
        "digest": judged.digest,
    }


def _settings(settings: Settings) -> Json:
    """Every setting with the layer that gave it."""

    def one(setting: Setting[Named | None] | Setting[str | None]) -> Json:
        value = setting.value.path if isinstance(setting.value, Named) else setting.value
        return {"value": value, "layer": setting.layer}

    return {
        "registry": one(settings.registry),
        "policies": [{"value": policy.value.path, "layer": policy.layer} for policy in settings.policies],
        "tenant": one(settings.tenant),
        "workspace": one(settings.workspace),
        "ceilings": {
            name: {"value": ceiling.value, "layer": ceiling.layer} for name, ceiling in settings.ceilings.items()
        },
    }


_NOWHERE: dict[str, Json] = {"document": None, "place": None, "span": None}


def _spot(found: Spot) -> dict[str, Json]:
    span: Json = None
    if found.start and found.end:
        span = {"start": _position(found.start), "end": _position(found.end)}
    return {"document": found.document, "place": found.pointer, "span": span}


def _position(position: Position) -> dict[str, Json]:
    return {"line": position.line, "column": position.column, "offset": position.offset}


def _values(finding: Finding) -> dict[str, Json]:
    return {
        name: sorted(value) if isinstance(value, tuple) else value for name, value in sorted(finding.values.items())
    }


def _fix(fix: Fix) -> dict[str, Json]:
    edits: list[Json] = [{"op": edit.op, "place": pointer(edit.path), "value": edit.value} for edit in fix.edits]
    return {"document": fix.document, "safe": fix.safe, "edits": edits}
