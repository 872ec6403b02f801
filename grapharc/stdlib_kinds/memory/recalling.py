"""A question or the names of entities go in; what a store holds about them comes out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.runtime.evidence import note_recalled
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.access import StoreContext, open_to_read
from grapharc.stdlib_kinds.memory.brief import render_context
from grapharc.stdlib_kinds.memory.contradictions import unresolved_contradictions
from grapharc.stdlib_kinds.memory.search import ScoredClaim, search


def recall(*, query: str, entities: Sequence[str], store: str, max_tokens: int, ctx: StoreContext) -> dict[str, Json]:
    """Return the ``brief``, of so many tokens at most, four characters each. Raises StoreError."""
    with open_to_read(store, ctx) as held:
        brief = render_context(held, query, entities=entities, max_tokens=max_tokens)
    note_recalled(ctx, brief)
    return {"brief": brief}


def find_facts(
    *, query: str, entities: Sequence[str], store: str, max_claims: int, hops: int, ctx: StoreContext
) -> dict[str, Json]:
    """Return the ``hits``, those that matter most first; none for no query and no entity. Raises StoreError."""
    with open_to_read(store, ctx) as held:
        found = search(held, query, entities=entities, max_claims=max_claims, hops=hops)
    for hit in found:
        note_recalled(ctx, f"{hit.claim.subject} {hit.claim.predicate} {hit.claim.object}")
    return {"hits": [_hit(hit) for hit in found]}


def _hit(hit: ScoredClaim) -> Json:
    claim = hit.claim
    return {
        "id": claim.id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "source": claim.source,
        "observed_at": claim.observed_at,
        "score": hit.score,
        "channel": hit.channel,
        "hops": hit.hops,
        "via": hit.via,
    }


def find_contradictions(*, entities: Sequence[str], store: str, ctx: StoreContext) -> dict[str, Json]:
    """Return the ``contradictions`` among what is held of some entities, or without any of all. Raises StoreError."""
    with open_to_read(store, ctx) as held:
        groups = unresolved_contradictions(held, entities or None)
    found: list[Json] = []
    for group in groups:
        for claim in group.claims:
            note_recalled(ctx, f"{claim.subject} {claim.predicate} {claim.object}")
        values: list[Json] = [
            {"id": claim.id, "object": claim.object, "source": claim.source, "observed_at": claim.observed_at}
            for claim in group.claims
        ]
        found.append({"subject": group.subject, "predicate": group.predicate, "values": values})
    return {"contradictions": found}
