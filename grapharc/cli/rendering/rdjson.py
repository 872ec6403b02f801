"""A report goes in, reviewdog's diagnostic format (rdjson) comes out, with suggestions where a finding has a fix."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grapharc.cli.rendering.forge import path_in_repository
from grapharc.cli.rendering.shown import Shown, Spot, show
from grapharc.project.candidates import Candidate, candidates_of_each
from grapharc.project.report import Report
from grapharc.spec.json_value import Json
from grapharc.spec.source import Position, Source

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(report: Report) -> str:
    """Return one JSON document with a diagnostic a finding. Columns count bytes of UTF-8, as that format wants it."""
    shown = [show(finding, report.texts) for finding in report.findings]
    fixes = candidates_of_each([each.finding for each in shown], report.texts, unsafe=True)
    diagnostics = [_diagnostic(report, *each) for each in zip(shown, fixes, strict=True)]
    return json.dumps({"source": {"name": "grapharc"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(report: Report, shown: Shown, fixes: Sequence[Candidate]) -> Json:
    diagnostic: dict[str, Json] = {
        "message": f"{shown.message}\n{shown.remedy}" if shown.remedy else shown.message,
        "location": _location(report, shown.spot),
        "severity": _SEVERITIES[shown.severity],
        "code": {"value": shown.finding.code},
    }
    if shown.related:
        diagnostic["related_locations"] = [
            {"message": beside.note, "location": _location(report, beside.spot)} for beside in shown.related
        ]
    suggestions = _suggestions(report, fixes)
    if suggestions:
        diagnostic["suggestions"] = suggestions
    return diagnostic


def _suggestions(report: Report, fixes: Sequence[Candidate]) -> list[Json]:
    """Fixes of one edit; one of several would be several suggestions there, each to be taken or left by itself."""
    found: list[Json] = []
    for candidate in fixes:
        if len(candidate.replacements) == 1:
            (made,) = candidate.replacements
            source = report.texts[candidate.document].source
            where = _range(source, source.position(made.span.start), source.position(made.span.end))
            found.append({"range": where, "text": made.text})
    return found


def _location(report: Report, spot: Spot) -> Json:
    location: dict[str, Json] = {"path": path_in_repository(spot.document, report.way)}
    text = report.texts.get(spot.document)
    if text is not None and spot.start and spot.end:
        location["range"] = _range(text.source, spot.start, spot.end)
    return location


def _range(source: Source, start: Position, end: Position) -> Json:
    return {"start": _position(source, start), "end": _position(source, end)}


def _position(source: Source, position: Position) -> Json:
    before = source.line(position.line)[: position.column - 1]
    return {"line": position.line, "column": len(before.encode("utf-8", "replace")) + 1}
