"""A gate's report goes in, a comment for a pull request comes out: what needs consent first, then diagrams."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.diagrams import mermaid
from grapharc.cli.rendering.gate.counts import SIGNS, answer, documents, groups, passes, short, side, summed, witness
from grapharc.cli.rendering.gate.picture import picture_of
from grapharc.compiler.diagrams.control import control
from grapharc.policy.diff.words import say
from grapharc.project.gate.report import GateReport, GraphPair, Told
from grapharc.spec.reasons import message, severity

MARK = "<!-- grapharc gate -->"
"""Stands first, so that a comment can be found again and written over."""

MOST_CHARACTERS = 20_000
"""A diagram that is longer is left out: forges draw none of that size, and a comment has its own limit."""

_SPECIAL = frozenset("\\`*_[]<&#@|~.:$")
"""What Markdown, and what forges make of it, could take for markup, a mention, an emoji or a link."""


def render(report: GateReport) -> str:
    """Return the comment."""
    head = "passes" if passes(report) else "fails"
    lines = [MARK, f"### {'✅' if passes(report) else '❌'} grapharc gate {head}", ""]
    lines += [f"{_text(side(report.base))} → {_text(side(report.head))}: {answer(report)}.", ""]
    lines += [*_needed(report), *_other_findings(report)]
    for document in documents(report):
        lines += _document(report, document)
    lines += ["<sub>+ widens, - narrows, ~ cannot be compared, = neither</sub>"]
    return "".join(f"{line}\n" for line in lines)


def _needed(report: GateReport) -> Iterator[str]:
    if not report.failing:
        return
    yield "#### Nobody agreed to"
    yield ""
    yield "| | in | change | approve |"
    yield "|---|---|---|---|"
    for told in report.failing:
        yield f"| {_sign(told)} | {_text(told.document)} | {_words(told)} | `{short(told.digest)}` |"
    yield ""


def _other_findings(report: GateReport) -> Iterator[str]:
    found = [finding for finding in report.findings if finding.code != "unapproved_change"]
    if found:
        yield "#### Findings"
        yield ""
        for finding in found:
            where = _text(finding.place.document)
            yield f"- **{severity(finding)}** `{finding.code}` in {where}: {_text(message(finding))}"
        yield ""


def _document(report: GateReport, document: str) -> Iterator[str]:
    changes = report.of(document)
    yield f"#### {_text(document)}"
    yield ""
    for pair in report.graphs:
        if pair.document == document and pair.has_changed:
            yield from _diagram(pair, changes)
    for category, found in groups(changes):
        yield f"<details{' open' if category == 'authority' else ''}><summary>{category}: {summed(found)}</summary>"
        yield ""
        yield "| | | change |"
        yield "|---|---|---|"
        for told in found:
            yield f"| {_sign(told)} | {told.change.direction} | {_words(told)}{_consent(told)} |"
        yield ""
        yield "</details>"
        yield ""


def _sign(told: Told) -> str:
    return f"`{SIGNS[told.change.direction]}`"


def _words(told: Told) -> str:
    way = witness(told.change)
    tenants = f" (for tenants {_text(', '.join(told.tenants))})" if told.tenants else ""
    felt = f"<br>felt in {_text(', '.join(told.graphs))}" if told.graphs else ""
    return f"{_text(say(told.change))}{f'<br>by {_text(way)}' if way else ''}{tenants}{felt}"


def _consent(told: Told) -> str:
    if told.fate == "fails":
        return "<br>**nobody agreed to this**"
    if told.approval is None:
        return ""
    return (
        f"<br>**approved** by {_text(told.approval.who)} until {_text(told.approval.until)}: {_text(told.approval.why)}"
    )


def _diagram(pair: GraphPair, changes: tuple[Told, ...]) -> Iterator[str]:
    drawn = mermaid.render(picture_of(pair, changes, control))
    if len(drawn) > MOST_CHARACTERS:
        yield "The diagram of this graph is too large for a comment; `grapharc draw --base` draws it."
    else:
        yield f"```mermaid\n{drawn}```"
    yield ""


def _text(text: str) -> str:
    """A text that anybody may have written, so that it prints as it is: no markup, no mention, no link."""
    return "".join(f"&#{ord(each)};" if each in _SPECIAL else each for each in printable(text))
