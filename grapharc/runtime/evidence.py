"""What was verified and what was recalled in a run: noted by the kinds that do it, read by those that write it down.

It stands beside the state, where no node can write it: a model that words a verdict has verified nothing.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from hashlib import sha256
from typing import Literal, Protocol, TypeAlias

from grapharc.spec.frozen import frozen

Standing: TypeAlias = Literal["anchored", "reviewed", "refused"]
"""A citation stands in its source; a reviewer was convinced as well; or one of the two refused the claim."""


class EvidenceContext(Protocol):
    """What is used of the run's context."""

    @property
    def run_store(self) -> MutableMapping[str, object]:
        """What kinds keep for the length of one run."""
        ...


@frozen
class Noted:
    """One claim as it was verified: its words, its citation, the SHA-256 of the source's text, and how it stands."""

    text: str
    citation: str
    source_sha256: str
    standing: Standing


def note_verdict(ctx: EvidenceContext, noted: Noted) -> None:
    """Note how a claim stands; of several verdicts about the same claim the last one counts."""
    _verdicts(ctx).append(noted)


def source_digest(source_text: str) -> str:
    """Return the hexadecimal SHA-256 of a source's text in UTF-8, half a character as it is."""
    return sha256(source_text.encode(errors="surrogatepass")).hexdigest()


def noted_verdicts(ctx: EvidenceContext) -> tuple[Noted, ...]:
    """Return the verdicts of this run, in the order they were given."""
    return tuple(_verdicts(ctx))


def note_recalled(ctx: EvidenceContext, text: str) -> None:
    """Note a text that came out of a store: it is no evidence for what goes in again."""
    _recalled(ctx).append(text)


def recalled_texts(ctx: EvidenceContext) -> tuple[str, ...]:
    """Return the texts that came out of stores in this run."""
    return tuple(_recalled(ctx))


class _Verdicts(list[Noted]):
    """A list by a type that can be told from others at run time."""


class _Recalled(list[str]):
    """The same for texts."""


def _verdicts(ctx: EvidenceContext) -> _Verdicts:
    found = ctx.run_store.setdefault("verification.verdicts", _Verdicts())
    assert isinstance(found, _Verdicts)  # noqa: S101 -- nobody else uses the key
    return found


def _recalled(ctx: EvidenceContext) -> _Recalled:
    found = ctx.run_store.setdefault("memory.recalled", _Recalled())
    assert isinstance(found, _Recalled)  # noqa: S101 -- nobody else uses the key
    return found
