"""A report goes in, a code quality report comes out, which GitLab shows in merge requests."""

from __future__ import annotations

import json

from grapharc.cli.rendering.forge import path_in_repository
from grapharc.cli.rendering.shown import show
from grapharc.project.report import Report
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Json

_SEVERITIES = {"error": "critical", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    """Return one JSON array with an object a finding."""
    return json.dumps([_issue(report, finding, mark) for finding, mark in report.marked()], indent=2) + "\n"


def _issue(report: Report, finding: Finding, mark: str) -> Json:
    shown = show(finding, report.texts)
    start, end = shown.spot.start, shown.spot.end
    return {
        "description": shown.message,
        "check_name": finding.code,
        "fingerprint": mark,
        "severity": _SEVERITIES[shown.severity],
        "location": {
            "path": path_in_repository(shown.spot.document, report.way),
            "lines": {"begin": start.line if start else 1, "end": end.line if end else 1},
        },
    }
