"""A fact, and what a run verified and recalled, go in; why it may not be written down comes out, if it may not.

What counts is what the verifying kinds noted, not what the state says: nobody becomes credible by writing a verdict.
The claim that was verified must be the fact itself, word for word: a reviewer who agreed with one sentence has not
agreed with another that stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.runtime.evidence import EvidenceContext, Noted, Standing, noted_verdicts, recalled_texts
from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.citation import Citation

Requires: TypeAlias = Literal["nothing", "reviewed", "verified"]
_ENOUGH: Mapping[str, tuple[Standing, ...]] = {"verified": ("anchored", "reviewed"), "reviewed": ("reviewed",)}
_ECHO = (
    "its citation stands in what this run recalled, and memory is no evidence for itself, "
    "a citation of the source would be right"
)


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
        self._noted = {(_folded(one.text), _folded(one.citation)): one for one in verdicts}
        self._recalled = [_folded(text) for text in recalled_texts(ctx)]

    def objection(self, fact: Fact, requires: Requires) -> str | None:
        """Say why a fact may not be written down, or return None."""
        if requires == "nothing":
            return None
        if not fact.citation.strip():
            return "it has no citation, one that a verifier accepted in this run would be right"
        noted = self._about(fact)
        if noted is None:
            return (
                f"nothing in this run verified '{fact.words}' with its citation, a claim of these words would be right"
            )
        if noted.standing not in _ENOUGH[requires]:
            accepted = (
                "stands in its source, and no reviewer was convinced" if noted.standing == "anchored" else "was refused"
            )
            return f"the claim '{fact.words}' {accepted}"
        return None

    def echo(self, fact: Fact) -> str | None:
        """Say why a fact may not be written whose citation came out of a store, whatever is required of others."""
        citation = _folded(fact.citation)
        return _ECHO if citation and any(citation in text for text in self._recalled) else None

    def citation(self, fact: Fact, source: str, run_id: str) -> Citation | None:
        """Return what a fact rests on, if this run verified it and did not recall it."""
        noted = self._about(fact)
        if noted is None or noted.standing == "refused" or self.echo(fact):
            return None
        quote, digest = noted.citation, noted.source_sha256
        try:
            return Citation(quote=quote, source=source, source_sha256=digest, standing=noted.standing, run_id=run_id)
        except ValueError:  # a source without a name, or half a character: nobody could look that up
            return None

    def _about(self, fact: Fact) -> Noted | None:
        return self._noted.get((_folded(fact.words), _folded(fact.citation)))


def _folded(text: str) -> str:
    """Whitespace, case and the full stop of a sentence make no other claim; signs and points do."""
    return " ".join(text.casefold().split()).rstrip(".")
