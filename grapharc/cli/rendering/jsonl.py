"""A report goes in, JSON lines come out: a head, a line a finding, and a sum at the end."""

from __future__ import annotations

import json

from grapharc.cli.rendering.json import accepted_json, finding_json, head_json, sum_json
from grapharc.cli.rendering.shown import show
from grapharc.project.report import Report
from grapharc.spec.json_value import Json


def render(report: Report) -> str:
    """Return lines whose ``type`` is ``report``, ``finding``, ``accepted`` or ``sum``."""
    lines: list[dict[str, Json]] = [{"type": "report", **head_json(report)}]
    for finding, mark in report.marked():
        lines.append({"type": "finding", **finding_json(show(finding, report.texts), mark)})
    lines += [{"type": "accepted", **accepted_json(each, report)} for each in report.accepted]
    lines.append({"type": "sum", **sum_json(report)})
    return "".join(f"{json.dumps(line)}\n" for line in lines)
