"""A citation and a source go in; every place where it stands, or why it is refused, come out."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from grapharc.runtime.evidence import EvidenceContext, Noted, note_verdict, source_digest
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.verification.relaxations import Relaxation, relax

MIN_CITATION_CHARS = 12
"""A shorter citation stands in nearly every text. Counted after whitespace is collapsed."""

ABSENT = "citation does not exist in the source (deterministic anchor)"
_SHOWN_PLACES = 20
_WORD = re.compile(r"\S+")
_POINTS = ".,:"


@frozen
class Occurrence:
    """Where a citation stands: a half-open range of code points of the source as it was given.

    ``inside_word`` says that it begins or ends in the middle of a word, as ``port 8080`` does in ``port 80801``.
    """

    start: int
    end: int
    inside_word: bool


@frozen
class Anchor:
    """What looking a citation up has shown. Without an occurrence, ``reason`` says why it is refused."""

    citation: str
    occurrences: tuple[Occurrence, ...]
    relaxed: tuple[Relaxation, ...]
    reason: str

    @property
    def holds(self) -> bool:
        """Whether the citation stands in the source at all."""
        return bool(self.occurrences)


class Folded:
    """A source made ready for looking citations up: whitespace collapsed, with the way back to its offsets."""

    def __init__(self, source_text: str, relaxations: Collection[Relaxation] = ()) -> None:
        relaxed = relax(source_text, relaxations) if relaxations else None
        text = relaxed.text if relaxed else source_text
        self._origins = relaxed.origins if relaxed else None
        self._relaxations = tuple(sorted(relaxations))
        self._began = array("L")
        self._folded_at = array("L")
        words: list[str] = []
        length = 0
        for word in _WORD.finditer(text):
            self._began.append(word.start())
            self._folded_at.append(length)
            words.append(word[0])
            length += len(word[0]) + 1
        self._text = " ".join(words)

    def find(self, citation: str) -> Anchor:
        """Look a citation up. Its characters must stand there as they are, with any whitespace between its words."""
        wanted = " ".join((relax(citation, self._relaxations).text if self._relaxations else citation).split())
        given = citation.strip()
        if len(wanted) < MIN_CITATION_CHARS:
            reason = f"citation is too short to prove anything ({len(wanted)} < {MIN_CITATION_CHARS} chars)"
            return Anchor(given, (), self._relaxations, reason)
        occurrences = tuple(self._occurrences(wanted))
        return Anchor(given, occurrences, self._relaxations, _found(occurrences) if occurrences else ABSENT)

    def _occurrences(self, wanted: str) -> Iterator[Occurrence]:
        start = self._text.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            yield Occurrence(self._origin(start), self._origin(end - 1) + 1, self._cuts(start) or self._cuts(end))
            start = self._text.find(wanted, start + 1)

    def _cuts(self, at: int) -> bool:
        """Whether the characters on both sides of an offset belong to one word, or to one number such as ``1.25``."""
        if not 0 < at < len(self._text):
            return False
        before, after = self._text[at - 1], self._text[at]
        if _is_of_word(before) and _is_of_word(after):
            return True
        if before.isdigit() and after in _POINTS:
            return self._text[at + 1 : at + 2].isdigit()
        return before in _POINTS and after.isdigit() and self._text[max(at - 2, 0) : at - 1].isdigit()

    def _origin(self, at: int) -> int:
        word = bisect_right(self._folded_at, at) - 1
        offset = self._began[word] + at - self._folded_at[word]
        return offset if self._origins is None else self._origins[offset]


@lru_cache(maxsize=8)
def fold(source_text: str, relaxations: tuple[Relaxation, ...] = ()) -> Folded:
    """Return a source made ready; the last few are kept, since many claims cite one source."""
    return Folded(source_text, relaxations)


def check_anchors(
    *, claims: list[Mapping[str, Json]], source_text: str, relaxations: Sequence[Relaxation], ctx: EvidenceContext
) -> dict[str, Json]:
    """Return ``accepted``, ``rejected`` and one of ``verdicts`` for each claim, in the order of the claims."""
    source = fold(source_text, tuple(sorted(relaxations)))
    digest = source_digest(source_text)
    accepted: list[Json] = []
    rejected: list[Json] = []
    verdicts: list[Json] = []
    for claim in claims:
        anchor = source.find(str(claim["citation"]))
        (accepted if anchor.holds else rejected).append(claim)
        verdicts.append(_verdict(str(claim["text"]), anchor))
        standing = "anchored" if anchor.holds else "refused"
        note_verdict(ctx, Noted(str(claim["text"]), anchor.citation, digest, standing))
    return {"accepted": accepted, "rejected": rejected, "verdicts": verdicts}


def _found(occurrences: tuple[Occurrence, ...]) -> str:
    places = ", ".join(f"{place.start}-{place.end}" for place in occurrences[:_SHOWN_PLACES])
    more = f" and {len(occurrences) - _SHOWN_PLACES} more" if len(occurrences) > _SHOWN_PLACES else ""
    inside = ", inside a word" if any(place.inside_word for place in occurrences) else ""
    return f"citation stands in the source at {places}{more}{inside}"


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_" or (character > "\x7f" and unicodedata.combining(character) > 0)


def _flags(anchor: Anchor) -> tuple[str, ...]:
    return ("inside_word",) if any(place.inside_word for place in anchor.occurrences) else ()


def _verdict(text: str, anchor: Anchor) -> Json:
    return {
        "claim_text": text,
        "citation": anchor.citation,
        "accepted": anchor.holds,
        "anchor_ok": anchor.holds,
        "model_accepted": None,
        "reason": anchor.reason,
        "flags": [*(f"relaxed:{name}" for name in anchor.relaxed), *_flags(anchor)],
        "occurrences": [
            {"start": place.start, "end": place.end, "inside_word": place.inside_word} for place in anchor.occurrences
        ],
    }
