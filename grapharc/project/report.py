"""What checking found: the documents that were looked at and every finding, sorted and each once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grapharc.spec.document import DocumentKind, Text, locate
from grapharc.spec.finding import Finding, Severity
from grapharc.spec.json_value import pointer
from grapharc.spec.reasons import severity


@dataclass(frozen=True, slots=True)
class Looked:
    """One document that was looked at; ``kind`` is None where that could not be told."""

    path: str
    kind: DocumentKind | None


@dataclass(frozen=True, slots=True)
class Report:
    """The documents in the order of their paths, what was found in them, and the texts to show it in."""

    documents: tuple[Looked, ...]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]

    def count(self, wanted: Severity) -> int:
        """Return how many findings are of one severity."""
        return sum(severity(finding) == wanted for finding in self.findings)

    @property
    def is_refused(self) -> bool:
        """Tell whether the answer is no."""
        return any(severity(finding) == "error" for finding in self.findings)


def in_order(findings: Iterable[Finding], texts: Mapping[str, Text]) -> tuple[Finding, ...]:
    """Sort findings by document, place and code, and keep each once: a registry's faults show through every graph."""
    keyed = {_key(finding, texts): finding for finding in findings}
    return tuple(keyed[key] for key in sorted(keyed))


def _key(finding: Finding, texts: Mapping[str, Text]) -> tuple[str, int, int, str, str, str]:
    place = finding.place
    found = locate(place, texts)
    start, end = (found[0].offset, found[1].offset) if found else (0, 0)
    rest = repr((pointer(place.path), finding.subject, finding.rule, sorted(finding.values.items())))
    return place.document, start, end, finding.code, rest, repr(finding.witness)
