"""A finding goes in, what every format says of it comes out: its words, and lines and columns for its places."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.project.ours import is_ours, without_content
from grapharc.spec.document import Text, locate
from grapharc.spec.finding import Finding, Place, Severity
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import pointer
from grapharc.spec.reasons import message, related_note, remedy, severity
from grapharc.spec.source import Position, Source


@frozen
class Spot:
    """A place as it is shown. ``source`` is None where no line may be shown: not read, or no document of ours."""

    document: str
    pointer: str
    source: Source | None
    start: Position | None
    end: Position | None

    def __str__(self) -> str:
        return f"{self.document}:{self.start.line}:{self.start.column}" if self.start else self.document


@frozen
class Beside:
    """A second place and why it is shown."""

    note: str
    spot: Spot


@frozen
class WitnessStep:
    """One step of a witness in words."""

    text: str
    spot: Spot | None


@frozen
class Shown:
    """One finding in words."""

    finding: Finding
    severity: Severity
    message: str
    remedy: str
    spot: Spot
    related: tuple[Beside, ...]
    witness: tuple[WitnessStep, ...]


def show(finding: Finding, texts: Mapping[str, Text]) -> Shown:
    """Put a finding into words and look its places up; of a document that is none of ours, nothing is repeated."""
    text = texts.get(finding.place.document)
    if text is not None and not is_ours(text):
        finding = without_content(finding)
    return Shown(
        finding,
        severity(finding),
        message(finding),
        remedy(finding),
        spot(finding.place, texts),
        tuple(Beside(related_note(other), spot(other.place, texts)) for other in finding.related),
        tuple(WitnessStep(step.text, spot(step.place, texts) if step.place else None) for step in finding.witness),
    )


def spot(place: Place, texts: Mapping[str, Text]) -> Spot:
    """Look up where a place stands."""
    found = locate(place, texts)
    if found is None:
        return Spot(place.document, pointer(place.path), None, None, None)
    text = texts[place.document]
    return Spot(place.document, pointer(place.path), text.source if is_ours(text) else None, *found)
