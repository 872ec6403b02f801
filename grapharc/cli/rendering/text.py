"""A report goes in, what a person reads comes out, in the manner of rustc: words, place, source line with carets."""

from __future__ import annotations

from grapharc.cli.rendering.paint import paint
from grapharc.project.report import Report
from grapharc.spec.finding import Severity

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


def render(report: Report, *, colour: bool = False) -> str:
    """Return every finding in full, and a line that sums up."""
    if not report.findings:
        return summary(report, colour=colour)
    from grapharc.cli.rendering.finding import finding_text  # a clean check does not wait for it
    from grapharc.cli.rendering.shown import show

    shown = [finding_text(show(finding, report.texts), colour=colour) for finding in report.findings]
    return "".join(f"{one}\n" for one in shown) + summary(report, colour=colour)


def summary(report: Report, *, colour: bool = False) -> str:
    """Return one line: how many findings in how many documents."""
    counts: list[tuple[int, Severity]] = [(report.count(severity), severity) for severity in _SEVERITIES]
    found = [paint(counted(number, severity), severity, colour) for number, severity in counts if number]
    documents = counted(len(report.documents), "document")
    documents += f", {len(report.accepted)} accepted" if report.accepted else ""
    if not found:
        return f"{paint('no findings', 'good', colour)} in {documents}\n"
    return f"{_listed(found)} in {documents}\n"


def counted(number: int, noun: str) -> str:
    """Return ``1 error`` or ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
