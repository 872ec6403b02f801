"""A report goes in, workflow commands come out, which GitHub shows as annotations in a pull request."""

from __future__ import annotations

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.forge import is_file, path_in_repository
from grapharc.cli.rendering.shown import Shown, show
from grapharc.project.report import Report

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """Return one command a finding."""
    return "".join(_line(report, show(finding, report.texts)) for finding in report.findings)


def _line(report: Report, shown: Shown) -> str:
    words = printable(shown.message) + (f"\n{printable(shown.remedy)}" if shown.remedy else "")
    properties = ",".join(f"{name}={_property(value)}" for name, value in _place(report, shown).items())
    return f"::{_COMMANDS[shown.severity]} {properties}::{_escaped(words)}\n"


def _place(report: Report, shown: Shown) -> dict[str, str]:
    spot = shown.spot
    place: dict[str, str] = {}
    if is_file(spot.document):
        place["file"] = path_in_repository(spot.document, report.way)
        if spot.start and spot.end:
            place["line"] = str(spot.start.line)
            if spot.start.line == spot.end.line:  # a column beside another line counts for nothing there
                place["col"] = str(spot.start.column)
            place["endLine"] = str(spot.end.line)
            if spot.start.line == spot.end.line:
                place["endColumn"] = str(spot.end.column)
    place["title"] = shown.finding.code
    return place


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
