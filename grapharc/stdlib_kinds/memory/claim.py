"""What somebody holds to be true and where it came from go in; a claim that cannot be malformed comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable
from uuid import uuid4

from grapharc.spec.frozen import field, frozen
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.times import When, iso, micros, now_iso

_set = object.__setattr__


def new_id() -> str:
    """Return twelve random hexadecimal digits."""
    return uuid4().hex[:12]


@frozen(kw_only=True)
class Claim:
    """A subject, a predicate and an object, with provenance.

    ``observed_at`` is when it was seen, now unless given; ``valid_from`` and ``valid_to`` (exclusive) bound when it is
    true of the world, by default from ``observed_at`` on. ``recorded_at``, ``superseded_by`` and ``superseded_at`` are
    what a store knows of it. All moments are text: ISO 8601 in UTC with microseconds.
    Raises ValueError for a blank text, what is no date with a time zone, and a confidence that is not from 0 to 1.
    """

    subject: str
    predicate: str
    object: str
    source: str
    id: str = field(default_factory=new_id)
    observed_at: str = field(default_factory=now_iso)
    run_id: str | None = None
    confidence: float = 1.0
    valid_from: str = ""
    valid_to: str | None = None
    recorded_at: str | None = None
    superseded_by: str | None = None
    superseded_at: str | None = None

    def __post_init__(self) -> None:
        """Refuse what is no claim, and write moments in one way."""
        _require(self)
        observed = micros(self.observed_at, "observed_at")
        since = micros(self.valid_from, "valid_from") if self.valid_from else observed
        _set(self, "observed_at", iso(observed))
        _set(self, "valid_from", iso(since) if since != observed else self.observed_at)
        if self.valid_to is not None:
            until = micros(self.valid_to, "valid_to")
            if until <= since:
                raise ValueError(f"valid_to '{self.valid_to}' is not after valid_from, a later moment would be right")
            _set(self, "valid_to", iso(until))

    @property
    def is_current(self) -> bool:
        """Whether nothing has superseded it."""
        return self.superseded_by is None

    @property
    def key(self) -> tuple[str, str]:
        """What claims about the same thing share: the keys of subject and predicate."""
        return key(self.subject), key(self.predicate)


@runtime_checkable
class ClaimStore(Protocol):
    """What every claim store does."""

    def add(self, claim: Claim) -> Claim:
        """Store a claim."""
        ...

    def get(self, claim_id: str) -> Claim | None:
        """Return a claim, None where there is none of that id."""
        ...

    def supersede(self, old_id: str, new: Claim) -> Claim:
        """Store a correction and mark what it corrects."""
        ...

    def current(self, subject: str, predicate: str | None = None) -> Sequence[Claim]:
        """Return what is not superseded, in the order it was stored."""
        ...

    def history(self, subject: str, predicate: str) -> Sequence[Claim]:
        """Return all there ever was, by the time it was observed."""
        ...

    def dead_ends(self, subject: str) -> Sequence[Claim]:
        """Return what is superseded, in the order it was stored."""
        ...

    def all_claims(self) -> Sequence[Claim]:
        """Return all claims in the order they were stored."""
        ...


def require_text(owner: str, name: str, value: object) -> None:
    """Raise ValueError for what is no text, blank, or not writable as UTF-8."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} of {owner} is {value!r}, text that is not blank would be right")
    if not value.isascii():
        _require_utf8(owner, name, value)


def require_moment(when: When | None, what: str) -> int | None:
    """Read a moment that may be left out."""
    return None if when is None else micros(when, what)


def _require(claim: Claim) -> None:
    require_text("a claim", "the id", claim.id)
    for name in ("subject", "predicate", "object"):
        require_text(f"claim '{claim.id}'", name, getattr(claim, name))
    if not claim.source or not claim.source.strip():
        why = "a fact with no provenance cannot be audited after the fact"
        raise ValueError(f"claim '{claim.id}' needs a source \u2014 {why}, where it was read would be right")
    require_text(f"claim '{claim.id}'", "source", claim.source)
    if claim.run_id is not None:
        require_text(f"claim '{claim.id}'", "run_id", claim.run_id)
    _require_share(claim.id, claim.confidence)


def _require_share(name: str, confidence: object) -> None:
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence!r} of claim '{name}' is not from 0 to 1, 0.9 would be right")


def _require_utf8(owner: str, name: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} of {owner} has half a character (a lone surrogate), whole ones would be right"
        ) from None
