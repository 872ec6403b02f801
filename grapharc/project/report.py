"""What checking found: the documents that were looked at and every finding, sorted and each once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding, Severity
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
