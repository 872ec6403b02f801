"""Faults of one text go in as a reader meets them; findings in the order of their places come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.spec.finding import NO_VALUES, Finding, Place, Related, Value
from grapharc.spec.reading.marks import Array, Table
from grapharc.spec.source import Span

Rules: TypeAlias = Literal["documents", "language"]
"""``language`` takes all that the syntax's own specification allows; ``documents`` refuses what FORMATS refuses too:
integers that a double cannot hold, NaN and infinity, TOML's dates and times, characters that hide."""

MAX_FAULTS = 1000
"""A text that is no document at all is not worth a finding for each of its characters."""

MAX_DEPTH = 64

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""What stands in a text for what could not be read."""

_REPLACING = frozenset({"invalid_utf8", "invalid_escape", "lone_surrogate", "utf16_encoding"})
"""Faults after which there may be one."""


class Faults:
    """Collects what is wrong with one text, and where something had to be left out of its value."""

    def __init__(self, document: str, rules: Rules = "documents") -> None:
        self.document = document
        self.rules = rules
        self.holes: list[tuple[Table | Array, str | None]] = []
        self._findings: list[Finding] = []
        self._more: int | None = None

    def add(
        self,
        code: str,
        start: int,
        end: int,
        values: Mapping[str, Value] = NO_VALUES,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Report a fault of the range from ``start`` to ``end``."""
        if len(self._findings) < MAX_FAULTS:
            self._findings.append(Finding(code, self.place(start, end), values, related=related))
        elif self._more is None or start < self._more:
            self._more = start

    @property
    def full(self) -> bool:
        """Whether so much is wrong that the rest is not worth reading."""
        return self._more is not None

    def has(self, *codes: str) -> bool:
        """Tell whether one of these codes was reported."""
        return any(finding.code in codes for finding in self._findings)

    @property
    def replaced(self) -> bool:
        """Whether a replacement character may stand for something that could not be read."""
        return self.has(*_REPLACING)

    def hole(self, where: Table | Array, key: str | None = None) -> None:
        """Remember that a value, or an unknown part of a container, was left out."""
        self.holes.append((where, key))

    def place(self, start: int, end: int) -> Place:
        """Return the place of a range."""
        return Place(self.document, span=Span(start, end))

    def related(self, note: str, start: int, end: int) -> tuple[Related, ...]:
        """Return a second place for a fault that needs one."""
        return (Related(note, self.place(start, end)),)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found, by place. What was looked at twice, to find out how to go on, is told once."""
        found = list(
            {_place_and_code(finding): finding for finding in sorted(self._findings, key=_place_and_code)}.values()
        )
        if self._more is not None:
            found.append(Finding("too_many_faults", self.place(self._more, self._more), {"limit": MAX_FAULTS}))
        return tuple(found)


def _place_and_code(finding: Finding) -> tuple[Span, str]:
    span = finding.place.span
    return (span or Span(0, 0), finding.code)
