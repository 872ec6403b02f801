"""Entities go in; what was held of them and given up comes out, the corrections that count most first."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.stdlib_kinds.memory.bm25 import relevance
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.keys import entity_keys
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore
from grapharc.stdlib_kinds.memory.text import words
from grapharc.stdlib_kinds.memory.times import When

DEFAULT_MAX_DEAD_ENDS = 10


def retrieve_dead_ends(
    store: SQLiteMemoryStore,
    entities: Iterable[str],
    max_dead_ends: int = DEFAULT_MAX_DEAD_ENDS,
    query: str | None = None,
    *,
    as_at: When | None = None,
) -> tuple[list[Claim], int]:
    """Return what is superseded about entities, the newest corrections first, and how many more there are.

    With a query what it speaks of comes first, as scored among the dead ends alone.
    """
    found = [claim for name in entity_keys(entities) for claim in store.dead_ends(name, as_at=as_at)]
    asked = tuple(dict.fromkeys(words(query or "")))
    scores = relevance(asked, ((claim.subject, claim.predicate, claim.object) for claim in found))
    ranked = sorted(
        zip(scores, found, strict=True), key=lambda pair: (round(pair[0], 9), *_newness(pair[1])), reverse=True
    )
    return [claim for _, claim in ranked[:max_dead_ends]], max(0, len(ranked) - max_dead_ends)


def _newness(claim: Claim) -> tuple[str, str, str]:
    """A total order, so that no two stores tell the same dead ends in two orders."""
    return claim.superseded_at or claim.observed_at, claim.observed_at, claim.id
