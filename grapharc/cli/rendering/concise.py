"""A report goes in, one line a finding comes out, as editors and grep like it."""

from __future__ import annotations

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.cli.rendering.shown import Shown, show
from grapharc.project.report import Report


def render(report: Report, *, colour: bool = False) -> str:
    """Return ``path:line:col: severity: message [code]`` for each finding."""
    return "".join(_line(show(finding, report.texts), colour) for finding in report.findings)


def _line(shown: Shown, colour: bool) -> str:
    where, level = printable(str(shown.spot)), paint(shown.severity, shown.severity, colour)
    return f"{where}: {level}: {printable(shown.message)} [{shown.finding.code}]\n"
