"""A fact, and what a run verified and recalled, go in; why it may not be written down comes out, if it may not.

What counts is what the verifying kinds noted, not what the state says: nobody becomes credible by writing a verdict.
The claim that was verified must be the fact itself, word for word: a reviewer who agreed with one sentence has not
agreed with another that stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.runtime.evidence import EvidenceContext, Standing, noted_verdicts, recalled_texts
from grapharc.spec.frozen import frozen

Requires: TypeAlias = Literal["nothing", "reviewed", "verified"]
_ENOUGH: Mapping[str, tuple[Standing, ...]] = {"verified": ("anchored", "reviewed"), "reviewed": ("reviewed",)}


@frozen
class Fact:
    """What somebody asks to be remembered."""

    subject: str
    predicate: str
    object: str
    citation: str
    confidence: float

    @property
    def words(self) -> str:
        """The fact as the sentence that a verifier is shown."""
        return f"{self.subject} {self.predicate} {self.object}"


class Evidence:
    """What one run knows about where its facts come from."""

    def __init__(self, ctx: EvidenceContext) -> None:
        verdicts = noted_verdicts(ctx)
        self._standing = {(_folded(one.text), _folded(one.citation)): one.standing for one in verdicts}
        self._recalled = [_folded(text) for text in recalled_texts(ctx)]

    def objection(self, fact: Fact, requires: Requires) -> str | None:
        """Say why a fact may not be written down, or return None."""
        if requires == "nothing":
            return None
        if not fact.citation.strip():
            return "it has no citation, one that a verifier accepted in this run would be right"
        standing = self._standing.get((_folded(fact.words), _folded(fact.citation)))
        if standing is None:
            return (
                f"nothing in this run verified '{fact.words}' with its citation, a claim of these words would be right"
            )
        if standing not in _ENOUGH[requires]:
            accepted = (
                "stands in its source, and no reviewer was convinced" if standing == "anchored" else "was refused"
            )
            return f"the claim '{fact.words}' {accepted}"
        return None

    def is_echo(self, fact: Fact) -> bool:
        """Tell whether a citation stands in what came out of a store: memory is no evidence for itself."""
        citation = _folded(fact.citation)
        return bool(citation) and any(citation in text for text in self._recalled)


def _folded(text: str) -> str:
    """Whitespace, case and the full stop of a sentence make no other claim; signs and points do."""
    return " ".join(text.casefold().split()).rstrip(".")
