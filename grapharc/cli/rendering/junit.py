"""A report goes in, JUnit's XML comes out: a suite a document, a failure a finding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.finding import finding_text
from grapharc.cli.rendering.forge import path_in_repository
from grapharc.cli.rendering.shown import show
from grapharc.policy.suppress import Accepted
from grapharc.project.report import Report
from grapharc.spec.finding import Finding

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(report: Report) -> str:
    """Return the XML; a document of which nothing is said is a suite of one test that passed."""
    found: dict[str, list[Finding | Accepted]] = {looked.path: [] for looked in report.documents}
    for document, findings in groupby(report.findings, key=lambda finding: finding.place.document):
        found.setdefault(document, []).extend(findings)
    for accepted in report.accepted:
        found.setdefault(accepted.finding.place.document, []).append(accepted)
    lines = [line for document in sorted(found) for line in _suite(report, document, found[document])]
    tests = sum(max(len(each), 1) for each in found.values())
    head = f'<testsuites name="grapharc check" tests="{tests}" failures="{len(report.findings)}" errors="0">'
    text = "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *lines, "</testsuites>\n"])
    # Characters as numbers, so that the text is the same in every encoding.
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _suite(report: Report, document: str, found: list[Finding | Accepted]) -> Iterator[str]:
    name = _attribute(path_in_repository(document, report.way))
    failures = sum(isinstance(each, Finding) for each in found)
    skipped = len(found) - failures
    counts = f'tests="{max(len(found), 1)}" failures="{failures}" errors="0" skipped="{skipped}"'
    yield f'  <testsuite name="{name}" {counts}>'
    if not found:
        yield f'    <testcase name="no findings" classname="{name}"/>'
    for each in found:
        finding = each if isinstance(each, Finding) else each.finding
        shown = show(finding, report.texts)
        title = _attribute(f"{finding.code} {shown.spot.pointer}".rstrip())
        yield f'    <testcase name="{title}" classname="{name}">'
        if isinstance(each, Finding):
            body = _body(finding_text(shown))
            yield f'      <failure type="{shown.severity}" message="{_attribute(shown.message)}">{body}</failure>'
        else:
            yield "      <skipped/>"
            yield f"      <system-out>{_body(f'accepted: {each.reason}')}</system-out>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _attribute(text: str) -> str:
    return _body(printable(text))


def _body(text: str) -> str:
    """Escape what XML gives a meaning to; all that it cannot hold is written as an escape already."""
    return "".join(_ESCAPES.get(character, character) for character in "\n".join(map(printable, text.split("\n"))))
