"""A quote and where it was verified go in; what a claim rests on comes out, told apart from the claim itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.claim import require_text
from grapharc.stdlib_kinds.memory.times import iso

Standing: TypeAlias = Literal["anchored", "reviewed"]
"""The quote stands in its source; a reviewer was convinced by it as well."""


@frozen(kw_only=True)
class Citation:
    """A quote that a claim rests on, word for word, and the source that it was verified to stand in.

    ``source_sha256`` is of the source's text in UTF-8, so that it can be looked up again; ``recorded_at`` is what a
    store knows of it. Raises ValueError for a blank text and for a standing or a hash that is none.
    """

    quote: str
    source: str
    source_sha256: str
    standing: Standing
    run_id: str | None = None
    recorded_at: str | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be looked up again."""
        for name in ("quote", "source"):
            require_text("a citation", f"the {name}", getattr(self, name))
        if len(self.source_sha256) != 64 or not set(self.source_sha256) <= set("0123456789abcdef"):
            raise ValueError(f"source_sha256 '{self.source_sha256}' is no hash, 64 hexadecimal digits would be right")
        if self.standing not in get_args(Standing):
            raise ValueError(f"standing '{self.standing}' is none, 'anchored' or 'reviewed' would be right")
        if self.run_id is not None:
            require_text("a citation", "run_id", self.run_id)


def citation_body(claim_id: str, citation: Citation) -> Mapping[str, Json]:
    """Return what an operation records of a citation of a claim."""
    body: dict[str, Json] = {
        "claim": claim_id,
        "quote": citation.quote,
        "source": citation.source,
        "source_sha256": citation.source_sha256,
        "standing": citation.standing,
    }
    return body if citation.run_id is None else {**body, "run_id": citation.run_id}


def citation_row(n: int, hlc: int, rid: int, body: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a row of the table ``citation`` for what operation ``n`` recorded of the claim in row ``rid``."""
    said = (body["quote"], body["source"], body["source_sha256"], body["standing"], body.get("run_id"))
    return n, rid, *said, hlc


def citation_of(row: tuple[Any, ...]) -> Citation:
    """Make a citation of all columns of a row but the first two."""
    quote, source, digest, standing, run, recorded = row
    return Citation(
        quote=quote, source=source, source_sha256=digest, standing=standing, run_id=run, recorded_at=iso(recorded)
    )
