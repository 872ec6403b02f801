"""Findings go in; what could mend each of them, as replacements in the text of one document, comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.spec.comments import comments
from grapharc.spec.document import Text
from grapharc.spec.edits.changed import NoSense, changed
from grapharc.spec.edits.replacement import Replacement, clash, replaced
from grapharc.spec.edits.text_of import text_of
from grapharc.spec.finding import Finding, Fix
from grapharc.spec.frozen import frozen
from grapharc.spec.reading.text import read_text
from grapharc.spec.source import Span

_MISREAD = ("invalid_utf8", "utf16_encoding")
"""What is said of a document whose text is not what its bytes spell: written back, a comment could be another one."""


@frozen
class Candidate:
    """What could mend a finding. Of an edit the text that comes of it has been read again, and says what was meant."""

    code: str
    document: str
    replacements: tuple[Replacement, ...]
    safe: bool


def candidates(findings: Iterable[Finding], texts: Mapping[str, Text], *, unsafe: bool) -> list[Candidate]:
    """List what could mend findings; the unsafe ones too where that is asked for."""
    found: dict[Candidate, None] = {}
    findings = list(findings)
    misread = {finding.place.document for finding in findings if finding.code in _MISREAD}
    for finding in findings:
        text = texts.get(finding.place.document)
        if text is None or not text.complete or finding.place.document in misread:
            continue
        for fix in finding.fixes:
            if (fix.safe or unsafe) and fix.document == text.source.path:
                found.update(dict.fromkeys(_of_fix(finding, fix, text)))
        if unsafe and not finding.fixes:
            found.update(dict.fromkeys(_of_suggestion(finding, text)))
    return list(found)


def apart(some: Iterable[Candidate]) -> list[Candidate]:
    """Choose candidates that can be made together, the first of those that clash."""
    chosen: list[Candidate] = []
    for each in some:
        if not any(
            each.document == other.document and clash(each.replacements, other.replacements) for other in chosen
        ):
            chosen.append(each)
    return chosen


def _of_fix(finding: Finding, fix: Fix, text: Text) -> Iterator[Candidate]:
    replacements: list[Replacement] = []
    value = text.value
    for edit in fix.edits:
        replacement = text_of(text, edit)
        if replacement is None:
            return
        try:
            value = changed(value, edit)
        except NoSense:
            return
        replacements.append(replacement)
    again, faults = read_text(replaced(text.source.text, replacements).encode(), text.source.path, text.syntax)
    if not faults and again.value == value and _said_beside(again) == _said_beside(text):
        yield Candidate(finding.code, text.source.path, tuple(replacements), fix.safe)


def _said_beside(text: Text) -> list[str]:
    """The comments of a text: what its author said to people is no fix's to take out."""
    return [comment.rstrip() for _, comment in comments(text.source.text)] if text.syntax == "toml" else []


def _of_suggestion(finding: Finding, text: Text) -> Iterator[Candidate]:
    """Write the name that was nearly meant. That is never safe: the name may be another one's."""
    near = finding.values.get("suggestion")
    place = finding.place
    if not isinstance(near, str) or not near or not near.isprintable() or place.span is not None:
        return
    within = place.within
    span = text.layout.inner(place.path, within) if within else text.layout.span(place.path, place.part)
    word = _word(finding, text.source.text[span.start : span.end])
    if word is not None:
        start = span.start + word[0]
        yield Candidate(finding.code, text.source.path, (Replacement(Span(start, start + word[1]), near),), safe=False)


def _word(finding: Finding, source: str) -> tuple[int, int] | None:
    """Where the word stands that was not meant: one that the finding names, once in its place and as it is written."""
    named = (value for key, value in finding.values.items() if key != "suggestion" and isinstance(value, str))
    known = [value for value in named if value and source.count(value) == 1]
    word = max(known, key=len, default=None)
    return None if word is None else (source.index(word), len(word))
