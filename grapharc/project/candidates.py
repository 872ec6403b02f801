"""Findings go in; what could mend each of them, as replacements in the text of one document, comes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grapharc.project.tried import Draft, tried
from grapharc.spec.document import Text
from grapharc.spec.edits.replacement import Replacement, Taken
from grapharc.spec.edits.text_of import text_of
from grapharc.spec.finding import Finding, Fix, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.reading.marks import Array
from grapharc.spec.source import Span

_MISREAD = ("invalid_utf8", "utf16_encoding")
"""What is said of a document whose text is not what its bytes spell: written back, a comment could be another one."""

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_AFTER_VALUE = re.compile(r"[ \t]*(?:[,}\]#\r\n]|$)")


@frozen
class Candidate:
    """What could mend a finding. Of an edit the text that comes of it has been read again, and says what was meant.

    ``key`` is the key that it brings into a table, of which there can be one.
    """

    code: str
    document: str
    replacements: tuple[Replacement, ...]
    safe: bool
    key: Path = ()


def candidates(findings: Iterable[Finding], texts: Mapping[str, Text], *, unsafe: bool) -> list[Candidate]:
    """List what could mend findings; the unsafe ones too where that is asked for."""
    found = candidates_of_each(list(findings), texts, unsafe=unsafe)
    return list(dict.fromkeys(candidate for each in found for candidate in each))


def candidates_of_each(
    findings: Sequence[Finding], texts: Mapping[str, Text], *, unsafe: bool
) -> list[list[Candidate]]:
    """List for each finding by itself what could mend it. A document is read again once for all that do not clash."""
    misread = {finding.place.document for finding in findings if finding.code in _MISREAD}
    found: list[list[Candidate]] = [[] for _ in findings]
    drafts: dict[str, list[tuple[int, bool, Draft]]] = {}
    for number, finding in enumerate(findings):
        text = texts.get(finding.place.document)
        if text is None or finding.place.document in misread:
            continue
        if unsafe and finding.code == "unquoted_string":
            found[number] += _quoted(finding, text)
        if not text.complete:
            continue
        for fix in finding.fixes:
            wanted = (fix.safe or unsafe) and fix.document == text.source.path
            if wanted and (draft := _draft(fix, text)) is not None:
                drafts.setdefault(fix.document, []).append((number, fix.safe, draft))
        if unsafe and not finding.fixes:
            found[number] += _of_suggestion(finding, text)
    for document, some in drafts.items():
        good = tried(texts[document], [draft for _, _, draft in some])
        for (number, safe, draft), is_good in zip(some, good, strict=True):
            if is_good:
                found[number].append(Candidate(findings[number].code, document, draft.replacements, safe))
    return [list(dict.fromkeys(each)) for each in found]


def apart(some: Iterable[Candidate]) -> list[Candidate]:
    """Choose candidates that can be made together, the first of those that clash or bring the same key."""
    taken: dict[str, Taken] = {}
    keys: set[tuple[str, Path]] = set()
    chosen: list[Candidate] = []
    for each in some:
        key = each.document, each.key
        if key not in keys and taken.setdefault(each.document, Taken()).take(each.replacements):
            chosen.append(each)
            keys.update([key] if each.key else [])
    return chosen


def _draft(fix: Fix, text: Text) -> Draft | None:
    """Return the replacements that are to make a fix; None where a text has no room for one."""
    made = [text_of(text, edit) for edit in fix.edits]
    replacements = tuple([each for each in made if each is not None])
    return Draft(fix.edits, replacements) if len(replacements) == len(made) else None


def _of_suggestion(finding: Finding, text: Text) -> Iterator[Candidate]:
    """Write the name that was nearly meant. That is never safe: the name may be another one's."""
    near = finding.values.get("suggestion")
    place = finding.place
    if not isinstance(near, str) or not near or not near.isprintable() or place.span is not None:
        return
    made: list[Replacement] = []
    for span in _spans(place, text):
        word = _word(finding, text.source.text[span.start : span.end])
        if word is None:
            return
        start = span.start + word[0]
        made.append(Replacement(Span(start, start + word[1]), near))
    key = (*place.path[:-1], near) if place.part == "key" and not place.within else ()
    yield Candidate(finding.code, text.source.path, tuple(made), safe=False, key=key)


def _spans(place: Place, text: Text) -> Iterator[Span]:
    """Where a name stands: once, or for the key of an array of tables in the header of each of them."""
    layout = text.layout
    yield layout.inner(place.path, place.within) if place.within else layout.span(place.path, place.part)
    mark = layout.mark(place.path)
    if place.part == "key" and isinstance(mark, Array) and mark.tables:
        yield from (layout.span((*place.path, index)) for index in range(1, len(mark.marks)))


def _quoted(finding: Finding, text: Text) -> Iterator[Candidate]:
    """Put a word in quotes that stands alone where a string should, and is no other word misspelt."""
    span, whole = finding.place.span, text.source.text
    if span is None or finding.values.get("suggestion"):
        return
    word = whole[span.start : span.end]
    if _BARE.fullmatch(word) and _AFTER_VALUE.match(whole, span.end):
        yield Candidate(finding.code, text.source.path, (Replacement(span, f'"{word}"'),), safe=False)


def _word(finding: Finding, source: str) -> tuple[int, int] | None:
    """Where the word stands that was not meant: one that the finding names, once in its place and as it is written."""
    named = (value for key, value in finding.values.items() if key != "suggestion" and isinstance(value, str))
    known = [value for value in named if value and source.count(value) == 1]
    word = max(known, key=len, default=None)
    return None if word is None else (source.index(word), len(word))
