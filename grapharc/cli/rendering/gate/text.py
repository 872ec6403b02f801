"""A gate's report goes in, what a person reads in a terminal comes out: what changed, and what needs consent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.finding import finding_text
from grapharc.cli.rendering.gate.counts import SIGNS, answer, documents, groups, passes, short, side, summed, witness
from grapharc.cli.rendering.paint import Role, paint
from grapharc.cli.rendering.shown import show
from grapharc.policy.admission import Admission
from grapharc.policy.diff.change import Direction
from grapharc.policy.diff.words import say
from grapharc.project.gate.report import GateReport, Told

_ROLES: Mapping[Direction, Role] = {
    "widens": "error",
    "incomparable": "warning",
    "narrows": "good",
    "neutral": "gutter",
}

MOST = 12
"""So many changes of a category are shown that need nobody's consent; the others are counted."""


def render(report: GateReport, *, colour: bool = False) -> str:
    """Return every change by document and category, then what is wrong, then the answer."""
    lines = [f"{paint('gate', 'title', colour)}: {printable(side(report.base))} -> {printable(side(report.head))}", ""]
    for document in documents(report):
        lines += [*_document(report, document, colour), ""]
    for finding in report.findings:
        if finding.code != "unapproved_change":
            lines += [finding_text(show(finding, report.texts), colour=colour)]
    return "".join(f"{line}\n" for line in [*lines, *_end(report, colour)])


def _document(report: GateReport, document: str, colour: bool) -> Iterator[str]:
    changes = report.of(document)
    yield f"{paint(printable(document), 'title', colour)}{_verdict(report, document)}"
    for category, found in groups(changes):
        yield f"  {paint(category, 'title', colour)}: {summed(found)}"
        shown = [told for told in found if told.fate != "told"] + [told for told in found if told.fate == "told"][:MOST]
        for told in found:
            if told in shown:
                yield from _told(told, colour)
        if len(shown) < len(found):
            yield f"      and {len(found) - len(shown)} more, which --format json lists"


def _verdict(report: GateReport, document: str) -> str:
    for pair in report.graphs:
        if pair.document == document:
            old, new = (admission.verdict if admission else "" for admission in (pair.old, pair.new))
            if old and new and old != new:
                return f": {new.replace('_', ' ')}, was {old.replace('_', ' ')}"
            return f": {new.replace('_', ' ')}" if new else ""
    return ""


def _told(told: Told, colour: bool) -> Iterator[str]:
    change = told.change
    sign = paint(SIGNS[change.direction], _ROLES[change.direction], colour)
    yield f"    {sign} {change.direction:<12} {printable(say(change))}{_for(told)}"
    indent = " " * 19
    if way := witness(change):
        yield f"{indent}by {printable(way)}"
    if told.graphs:
        yield f"{indent}felt in {printable(', '.join(told.graphs))}"
    if told.fate == "fails":
        yield f"{indent}{paint('nobody agreed to this', 'error', colour)}: {short(told.digest)}"
    elif told.approval is not None:
        until = f"until {told.approval.until}: {told.approval.why}"
        yield f"{indent}{paint('approved', 'good', colour)} by {printable(told.approval.who)} {printable(until)}"


def _for(told: Told) -> str:
    return f" (for tenants {printable(', '.join(told.tenants))})" if told.tenants else ""


def _end(report: GateReport, colour: bool) -> Iterator[str]:
    if report.failing:
        yield f"to agree to all of it: grapharc gate approve{_again(report)} --who NAME --why TEXT --until YYYY-MM-DD"
    refused = [pair.document for pair in report.graphs if not pair.has_changed and _is_refused(pair.new)]
    if refused:
        yield f"refused on both sides, and unchanged: {printable(', '.join(sorted(refused)))}"
    words = paint("passes", "good", colour) if passes(report) else paint("fails", "error", colour)
    yield f"{words}: {answer(report)} in {_counted(report)}"


def _again(report: GateReport) -> str:
    """The options by which the same sides are compared."""
    base = f" --base {report.base[0]}"
    return (
        base
        if report.head[1] == "" and not report.head[0].startswith((".", "/"))
        else f"{base} --head {report.head[0]}"
    )


def _counted(report: GateReport) -> str:
    number = len(report.graphs)
    return f"{number} graph" if number == 1 else f"{number} graphs"


def _is_refused(admission: Admission | None) -> bool:
    return admission is not None and admission.verdict == "refused"
