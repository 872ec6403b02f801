"""A question or the names of entities go in; what a store holds about them comes out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.runtime.evidence import note_recalled
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.access import StoreContext, open_to_read
from grapharc.stdlib_kinds.memory.contradictions import unresolved_contradictions


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
