"""A citation and a source go in; every place where it stands, or why it is refused, come out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grapharc.spec.json_value import Json

MIN_CITATION_CHARS = 12
"""A shorter citation stands in nearly every text. Counted after whitespace is collapsed."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a citation stands in its source: half-open ranges of code points, in order. None are why it is refused."""

    citation: str
    occurrences: tuple[tuple[int, int], ...]
    reason: str

    @property
    def holds(self) -> bool:
        """Whether the citation stands in the source at all."""
        return bool(self.occurrences)


def find_anchor(citation: str, source_text: str) -> Anchor:
    """Look a citation up. Each of its words must stand there as it is, with any whitespace between them."""
    words = citation.split()
    length = len(" ".join(words))
    if length < MIN_CITATION_CHARS:
        return Anchor(
            citation.strip(), (), f"citation is too short to prove anything ({length} < {MIN_CITATION_CHARS} chars)"
        )
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    occurrences = tuple(_overlapping(pattern, source_text))
    if not occurrences:
        return Anchor(citation.strip(), (), "citation does not exist in the source (deterministic anchor)")
    return Anchor(citation.strip(), occurrences, f"citation stands in the source at {_places(occurrences)}")


def check_anchors(*, claims: list[Mapping[str, Json]], source_text: str) -> dict[str, Json]:
    """Return ``accepted``, ``rejected`` and one of ``verdicts`` for each claim, in the order of the claims."""
    accepted: list[Json] = []
    rejected: list[Json] = []
    verdicts: list[Json] = []
    for claim in claims:
        anchor = find_anchor(str(claim["citation"]), source_text)
        (accepted if anchor.holds else rejected).append(claim)
        verdicts.append(_verdict(str(claim["text"]), anchor))
    return {"accepted": accepted, "rejected": rejected, "verdicts": verdicts}


def _overlapping(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Every occurrence, also one that begins within another."""
    found: list[tuple[int, int]] = []
    match = pattern.search(text)
    while match is not None:
        found.append(match.span())
        match = pattern.search(text, match.start() + 1)
    return found


def _places(occurrences: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{start}-{end}" for start, end in occurrences)


def _verdict(text: str, anchor: Anchor) -> Json:
    return {
        "claim_text": text,
        "citation": anchor.citation,
        "accepted": anchor.holds,
        "anchor_ok": anchor.holds,
        "model_accepted": None,
        "reason": anchor.reason,
    }
