"""A baseline's file goes in, the findings that it accepts come out; and the other way round. It may only shrink.

A baseline holds the lint findings that were there when it was made, so that a project can begin to be checked without
being mended first. A finding that is not in it counts, and an entry whose finding is gone is told and taken out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from grapharc.project.extent import Extent
from grapharc.spec.canonical import canonical
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message, reason, reasons
from grapharc.spec.suggest import suggest

FORMAT = "1"
_KEYS = ("code", "document", "fingerprint", "message")


@frozen
class Entry:
    """One finding that is accepted; ``message`` is for those who read the file."""

    code: str
    document: str
    fingerprint: str
    message: str
    index: int = 0


@frozen
class Baseline:
    """A baseline as it stands in its file. ``entries`` go by fingerprint; ``findings`` are about the file itself."""

    path: str
    text: Text
    entries: Mapping[str, Entry]
    findings: tuple[Finding, ...]

    def accepts(self, finding: Finding, fingerprint: str) -> bool:
        """Tell whether a finding is in the baseline; what is no lint never is, whatever the file says."""
        entry = self.entries.get(fingerprint)
        return (
            entry is not None
            and (entry.code, entry.document) == (finding.code, finding.place.document)
            and reason(finding.code).reason_class == "lint"
        )

    def stale(self, met: Collection[str], extent: Extent) -> Iterator[Entry]:
        """Yield the entries whose findings were not met, and would have been if they were there."""
        for fingerprint, entry in self.entries.items():
            if fingerprint not in met and extent.is_settled(entry.document):
                yield entry


def stale_entry(baseline: Baseline, entry: Entry) -> Finding:
    """Say that a finding is not there any more."""
    place = Place(baseline.path, ("findings", entry.index))
    return Finding("baseline_entry_stale", place, {"code": entry.code, "path": entry.document}, subject=entry.code)


def read_baseline(data: bytes, path: str) -> Baseline:
    """Read a baseline; an entry that is malformed, or accepts what cannot be accepted, is a finding and no entry."""
    text, findings = read_text(data, path, "json")
    if not (isinstance(text.value, Mapping) and ("baseline" in text.value or "findings" in text.value)):
        return Baseline(path, text, {}, (_no_table(path),))  # of what is another kind of file, nothing else is told
    faults = list(findings)
    entries: dict[str, Entry] = {}
    for index, row in enumerate(_rows(text, faults)):
        place = Place(path, ("findings", index))
        problem = _problem(row)
        if problem or not isinstance(row, Mapping):
            faults.append(Finding("malformed_baseline", place, {"problem": problem}))
            continue
        entry = Entry(*(str(row[key]) for key in _KEYS), index=index)
        fault = _fault(entry, Place(path, ("findings", index, "code")))
        if fault is None and entry.fingerprint in entries:
            fault = Finding("malformed_baseline", place, {"problem": "its fingerprint stands there twice"})
        if fault is None:
            entries[entry.fingerprint] = entry
        else:
            faults.append(fault)
    return Baseline(path, text, entries, tuple(faults))


def baseline_text(entries: Iterable[Entry]) -> str:
    """Write a baseline, one line an entry, in the order of documents, codes and fingerprints."""
    rows = sorted((entry.document, entry.code, entry.fingerprint, entry.message) for entry in entries)
    lines = [
        canonical({"code": code, "document": document, "fingerprint": fingerprint, "message": words})
        for document, code, fingerprint, words in rows
    ]
    listed = ",".join(f"\n    {line}" for line in lines) + ("\n  " if lines else "")
    return f'{{\n  "baseline": "{FORMAT}",\n  "findings": [{listed}]\n}}\n'


def entry_of(finding: Finding, fingerprint: str) -> Entry:
    """Return the entry that accepts a finding."""
    return Entry(finding.code, finding.place.document, fingerprint, message(finding))


def _no_table(path: str) -> Finding:
    words = "the file must be a table with 'baseline' and 'findings'"
    return Finding("malformed_baseline", Place(path), {"problem": words})


def _rows(text: Text, faults: list[Finding]) -> list[Json]:
    value = text.value
    if not isinstance(value, Mapping) or "findings" not in value or "baseline" not in value:
        if text.complete:
            faults.append(_no_table(text.source.path))
        return []
    if value["baseline"] != FORMAT:
        words = f"'baseline' must be \"{FORMAT}\", the format that this version reads"
        faults.append(Finding("malformed_baseline", Place(text.source.path, ("baseline",)), {"problem": words}))
        return []
    rows = value["findings"]
    if not isinstance(rows, list):
        words = "'findings' must be a list"
        faults.append(Finding("malformed_baseline", Place(text.source.path, ("findings",)), {"problem": words}))
        return []
    return rows


def _problem(row: Json) -> str:
    if not isinstance(row, Mapping):
        return "it must be a table"
    if missing := [key for key in _KEYS if key not in row]:
        return f"it lacks '{missing[0]}'"
    if unknown := sorted(set(row).difference(_KEYS)):
        return f"it has a key '{unknown[0]}', and only {', '.join(_KEYS)} are known"
    wrong = [key for key in _KEYS if not isinstance(row[key], str)]
    return f"'{wrong[0]}' must be a string" if wrong else ""


def _fault(entry: Entry, place: Place) -> Finding | None:
    if entry.code not in reasons():
        return Finding("unknown_code", place, {"suggestion": suggest(entry.code, reasons())}, subject=entry.code)
    if reason(entry.code).reason_class != "lint":
        return Finding("not_acceptable", place, {"class": reason(entry.code).reason_class}, subject=entry.code)
    return None
