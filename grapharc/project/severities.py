"""Findings and the levels that a project sets go in; the findings at those levels come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grapharc.spec.document import Document
from grapharc.spec.documents.project import Level, ProjectModel
from grapharc.spec.finding import Finding, Place
from grapharc.spec.reasons import reason, reasons
from grapharc.spec.suggest import suggest


def as_set(findings: Sequence[Finding], levels: Mapping[str, Level]) -> tuple[Finding, ...]:
    """Raise, lower and leave out lint findings; of any other class a project can change nothing."""
    return tuple(_at_their_levels(findings, levels)) if levels else tuple(findings)


def faults_of_severities(document: Document[ProjectModel]) -> Iterator[Finding]:
    """Yield what is wrong with the levels themselves: codes that do not exist, and codes that have but one level."""
    for code in document.model.severity:
        place = Place(document.path, ("severity", code), "key")
        if code not in reasons():
            yield Finding("unknown_code", place, {"suggestion": suggest(code, reasons())}, subject=code)
        elif reason(code).reason_class != "lint":
            yield Finding("fixed_severity", place, {"class": reason(code).reason_class}, subject=code)


def _at_their_levels(findings: Sequence[Finding], levels: Mapping[str, Level]) -> Iterator[Finding]:
    for finding in findings:
        level = levels.get(finding.code)
        if level is None or reason(finding.code).reason_class != "lint":
            yield finding
        elif level != "off":
            yield finding.at(level)
