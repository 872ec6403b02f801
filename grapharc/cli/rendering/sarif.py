"""A report goes in, a SARIF 2.1.0 log comes out, as code scanning services take it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grapharc.cli.rendering.forge import uri
from grapharc.cli.rendering.shown import Shown, Spot, show
from grapharc.cli.rendering.template import shown as template
from grapharc.policy.suppress import Accepted
from grapharc.project.candidates import Candidate, candidates_of_each
from grapharc.project.report import Report
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import Reason, reason
from grapharc.spec.source import Position
from grapharc.spec.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "grapharc/v1"
_BASES: dict[str, Json] = {
    "%SRCROOT%": {"description": {"text": "the repository's folder, or the project's where there is no repository"}},
    "GRAPHARC": {"description": {"text": "what is installed with GraphARC"}},
}


def render(report: Report) -> str:
    """Return the log, in one line a level; findings that are accepted are in it as suppressed."""
    found: list[tuple[Finding, str, Accepted | None]] = [(finding, mark, None) for finding, mark in report.marked()]
    found += [(accepted.finding, accepted.fingerprint, accepted) for accepted in report.accepted]
    codes = sorted({finding.code for finding, _, _ in found})
    rules = {code: index for index, code in enumerate(codes)}
    run: dict[str, Json] = {
        "tool": {"driver": {"name": "GraphARC", "version": VERSION, "rules": [_rule(reason(code)) for code in codes]}},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": _BASES,
        "columnKind": "unicodeCodePoints",
        "results": _results(report, rules, found),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(row: Reason) -> Json:
    """A code as the catalogue has it; its class goes by as a tag."""
    words = f"{row.why}\n\nRemedy: {template(row.remedy)}."
    shown = [(title, lines.strip("\n")) for title, lines in (("Refused", row.bad), ("Admitted", row.good))]
    examples = "".join(f"\n\n{title}:\n\n```\n{lines}\n```" for title, lines in shown if lines.strip())
    return {
        "id": row.code,
        "shortDescription": {"text": template(row.message)},
        "fullDescription": {"text": row.why},
        "help": {"text": words, "markdown": words + examples},
        "defaultConfiguration": {"level": row.severity},
        "properties": {"tags": [row.reason_class]},
    }


def _results(
    report: Report, rules: dict[str, int], found: Sequence[tuple[Finding, str, Accepted | None]]
) -> list[Json]:
    shown = [show(finding, report.texts) for finding, _, _ in found]
    fixes = candidates_of_each([each.finding for each in shown], report.texts, unsafe=True)
    return [
        _result(report, rules, one, mending, mark, accepted)
        for one, mending, (_, mark, accepted) in zip(shown, fixes, found, strict=True)
    ]


def _result(
    report: Report,
    rules: dict[str, int],
    shown: Shown,
    fixes: Sequence[Candidate],
    mark: str,
    accepted: Accepted | None,
) -> Json:
    finding = shown.finding
    result: dict[str, Json] = {
        "ruleId": finding.code,
        "ruleIndex": rules[finding.code],
        "level": shown.severity,
        "message": {"text": f"{shown.message}\n{shown.remedy}" if shown.remedy else shown.message},
        "locations": [_location(report, shown.spot)],
        "partialFingerprints": {FINGERPRINT: mark},
        "suppressions": [_suppression(accepted)] if accepted else [],
    }
    if shown.related:
        result["relatedLocations"] = [
            {"id": number, **_location(report, beside.spot), "message": {"text": beside.note}}
            for number, beside in enumerate(shown.related)
        ]
    if shown.witness:
        result["codeFlows"] = [{"threadFlows": [{"locations": _steps(report, shown)}]}]
    if fixes:
        result["fixes"] = [_fix(report, fix, shown.remedy) for fix in fixes]
    return result


def _location(report: Report, spot: Spot) -> dict[str, Json]:
    physical: dict[str, Json] = {"artifactLocation": _artifact(report, spot.document)}
    if spot.start and spot.end:
        physical["region"] = _region(spot.start, spot.end)
    location: dict[str, Json] = {"physicalLocation": physical}
    if spot.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": spot.pointer}]
    return location


def _artifact(report: Report, document: str) -> Json:
    path, base = uri(document, report.way)
    return {"uri": path, "uriBaseId": base} if base else {"uri": path}


def _region(start: Position, end: Position) -> Json:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _steps(report: Report, shown: Shown) -> list[Json]:
    steps: list[Json] = []
    for step in shown.witness:
        location: dict[str, Json] = _location(report, step.spot) if step.spot else {}
        steps.append({"location": {**location, "message": {"text": step.text}}})
    return steps


def _suppression(accepted: Accepted) -> Json:
    why = f"{accepted.reason}, until {accepted.until}" if accepted.until else accepted.reason
    return {"kind": "inSource" if accepted.place else "external", "status": "accepted", "justification": why}


def _fix(report: Report, fix: Candidate, remedy: str) -> Json:
    source = report.texts[fix.document].source
    replacements: list[Json] = [
        {
            "deletedRegion": _region(source.position(made.span.start), source.position(made.span.end)),
            "insertedContent": {"text": made.text},
        }
        for made in fix.replacements
    ]
    words = remedy if fix.safe else f"{remedy} (this may change what the document means)"
    change: Json = {"artifactLocation": _artifact(report, fix.document), "replacements": replacements}
    return {"description": {"text": words}, "artifactChanges": [change]}
