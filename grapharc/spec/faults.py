"""The findings about one document, as a stage comes upon them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from grapharc.spec.finding import NO_VALUES, Finding, Fix, Place, Related, Value
from grapharc.spec.json_value import Path
from grapharc.spec.source import Span


class Faults:
    """Collects findings: knows the document they are about, and takes a path in it with each."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.found: list[Finding] = []

    def add(
        self,
        code: str,
        path: Path,
        values: Mapping[str, Value] = NO_VALUES,
        *,
        part: Literal["value", "key"] = "value",
        within: Span | None = None,
        subject: str = "",
        related: Iterable[Related] = (),
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        """Note one fault at a path, or at its key, or at a range of its text."""
        place = Place(self.document, path, part, within)
        self.found.append(Finding(code, place, values, subject=subject, related=tuple(related), fixes=fixes))

    def place(self, path: Path, part: Literal["value", "key"] = "value") -> Place:
        """Return a place of the document."""
        return Place(self.document, path, part)
