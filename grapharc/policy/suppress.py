"""Findings and the documents they are in go in; those that an author has accepted, with a reason, come out apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date

from grapharc.policy.allowances import Allowance, allowances, scopes
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.reasons import reason, reasons
from grapharc.spec.suggest import suggest

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


@frozen
class Accepted:
    """A lint finding that somebody accepts: in its document, where ``place`` is, or, without one, in a baseline."""

    finding: Finding
    reason: str
    until: str = ""
    place: Place | None = None
    fingerprint: str = ""


def part_suppressed(
    findings: Iterable[Finding], texts: Mapping[str, Text], today: date
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Part findings into those that stand and those that are suppressed where they are; only lint can be."""
    standing: list[Finding] = []
    suppressed: list[Finding] = []
    known = Suppressions(texts, today)
    for finding in findings:
        (standing if known.accepted(finding) is None else suppressed).append(finding)
    return tuple(standing), tuple(suppressed)


class Suppressions:
    """What the authors of some documents accept; a document is looked into when there is a finding in it."""

    def __init__(self, texts: Mapping[str, Text], today: date) -> None:
        self._texts, self._today = texts, today
        self._read: dict[str, _Read] = {}

    def accepted(self, finding: Finding) -> Accepted | None:
        """Return who accepts a finding and why; None where nobody does."""
        for each in self._covering(finding):
            if _holds(each, self._today):
                return Accepted(finding, each.reason, each.until, each.place)
        return None

    def faults(
        self, findings: Iterable[Finding], documents: Collection[str], judged: Collection[str]
    ) -> Iterator[Finding]:
        """Yield what is wrong with the suppressions of some documents, and which of them suppress nothing.

        The latter is told only of documents that were ``judged`` to the end: elsewhere findings may be missing because
        of a fault that is told already.
        """
        met = {each for finding in findings for each in self._covering(finding)}
        for document in documents:
            read = self._of(document)
            yield from read.malformed
            for allowance in (each for several in read.allowed.values() for each in several):
                yield from _fault(allowance, allowance in met, self._today, document in judged)

    def _covering(self, finding: Finding) -> Iterator[Allowance]:
        """The allowances that are meant for a finding, whether they hold or not; none for what is no lint."""
        read = self._of(finding.place.document)
        if finding.code in read.codes and reason(finding.code).reason_class == "lint":
            for scope in scopes(finding.place, self._texts):
                yield from read.allowed.get((finding.code, scope), ())

    def _of(self, document: str) -> _Read:
        if document not in self._read:
            self._read[document] = _Read(self._texts.get(document))
        return self._read[document]


class _Read:
    """What one document allows, by code and scope, and what only looks like an allowance."""

    def __init__(self, text: Text | None) -> None:
        self.allowed: dict[tuple[str, Path | int], list[Allowance]] = {}
        self.malformed: list[Finding] = []
        for each in allowances(text) if text is not None else ():
            if isinstance(each, Allowance):
                self.allowed.setdefault((each.code, each.scope), []).append(each)
            else:
                self.malformed.append(each)
        self.codes = frozenset(code for code, _ in self.allowed)


def _holds(allowance: Allowance, today: date) -> bool:
    if not allowance.reason:
        return False
    return not allowance.until or not _is_over(allowance.until, today)


def _is_over(until: str, today: date) -> bool:
    """Tell whether a day has passed; one that is none never comes."""
    end = _day(until)
    return end is None or end < today


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if re.fullmatch(_DATE, text) else None
    except ValueError:
        return None


def _fault(allowance: Allowance, is_met: bool, today: date, is_judged: bool) -> Iterator[Finding]:
    code, place, until = allowance.code, allowance.place, allowance.until
    if code not in reasons():
        yield Finding("unknown_code", allowance.code_at, {"suggestion": suggest(code, reasons())}, subject=code)
    elif reason(code).reason_class != "lint":
        yield Finding("not_acceptable", allowance.code_at, {"class": reason(code).reason_class}, subject=code)
    elif not allowance.reason:
        yield Finding("suppression_without_reason", place, subject=code)
    elif until and _day(until) is None:
        yield Finding("suppression_malformed", place, {"until": until}, subject=code)
    elif is_met and until and _is_over(until, today):
        yield Finding("suppression_expired", place, {"until": until}, subject=code)
    elif not is_met and is_judged:
        yield Finding("suppression_unused", place, subject=code)
