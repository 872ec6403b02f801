"""A claim or a store goes in; what is held about the same thing with different values comes out, unresolved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.keys import entity_keys, key, number_of, number_of_both
from grapharc.stdlib_kinds.memory.rows import ABOUT, BOTH, COLUMNS, FROM, Row, claim_of
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore

_RIVALS = """select 1 from claim d left join closing y on y.rid = d.rid
    where d.about_number = c.about_number and d.skey = c.skey and d.pkey = c.pkey and d.okey != c.okey
    and y.rid is null"""


@frozen
class Contradiction:
    """A claim that came in, and one that was there: the same subject and predicate, another object."""

    incoming: Claim
    existing: Claim

    def describe(self) -> str:
        """Say it in one line."""
        new, old = self.incoming, self.existing
        return (
            f"{new.subject} {new.predicate}: '{new.object}' (from {new.source}) contradicts "
            f"'{old.object}' (from {old.source}, claim {old.id})"
        )


@frozen
class ContradictionGroup:
    """Current claims that share subject and predicate and have more than one object, oldest first."""

    subject: str
    predicate: str
    claims: tuple[Claim, ...]


def detect_contradictions(store: SQLiteMemoryStore, claim: Claim) -> list[Contradiction]:
    """Return the current claims of a claim's key that have another object, oldest first, be it stored or not."""
    found = store.rows(
        f"select {COLUMNS} from {FROM} where {BOTH} and c.okey != ? and c.id != ? and x.rid is null "
        "order by c.observed, c.id",
        number_of_both(number_of(claim.key[0]), claim.key[1]),
        *claim.key,
        key(claim.object),
        claim.id,
    )
    return [Contradiction(claim, claim_of(row)) for row in found]


def add_and_detect(store: SQLiteMemoryStore, claim: Claim) -> tuple[Claim, list[Contradiction]]:
    """Store a claim whatever it contradicts, and return it with what it does contradict.

    Whether two values may stand side by side only the caller knows: a service may well depend on two others.
    """
    stored = store.add(claim)
    return stored, detect_contradictions(store, stored)


def supersede_conflicting(store: SQLiteMemoryStore, conflict: Contradiction) -> Claim:
    """Let the claim that came in supersede the one that was there."""
    return store.supersede(conflict.existing.id, conflict.incoming)


def unresolved_contradictions(
    store: SQLiteMemoryStore, entities: Iterable[str] | None = None
) -> list[ContradictionGroup]:
    """Return all current disagreements, or those about some entities, in the order of their keys."""
    ask = f"select c.skey, c.pkey, {COLUMNS} from {FROM} where x.rid is null and exists ({_RIVALS})"
    order = "order by c.skey, c.pkey, c.observed, c.id"
    if entities is None:
        return _grouped(store.rows(f"{ask} {order}"))
    return [
        group
        for subject in sorted(entity_keys(entities))
        for group in _grouped(store.rows(f"{ask} and {ABOUT} {order}", number_of(subject), subject))
    ]


def known_entities(store: SQLiteMemoryStore) -> set[str]:
    """Return the keys of all subjects. They are for deciding what to look up, not for showing."""
    return {row[0] for row in store.rows("select distinct skey from claim")}


def group_conflicts(claims: Iterable[Claim]) -> list[ContradictionGroup]:
    """Return the disagreements among claims that are at hand."""
    ordered = sorted(claims, key=lambda claim: (claim.key, claim.observed_at, claim.id))
    return _groups([(key, list(found)) for key, found in groupby(ordered, lambda claim: claim.key)])


def _grouped(rows: Sequence[Row]) -> list[ContradictionGroup]:
    return _groups(
        [(about, [claim_of(row[2:]) for row in found]) for about, found in groupby(rows, lambda row: (row[0], row[1]))]
    )


def _groups(found: Iterable[tuple[tuple[str, str], list[Claim]]]) -> list[ContradictionGroup]:
    return [
        ContradictionGroup(claims[0].subject, claims[0].predicate, tuple(claims))
        for _, claims in found
        if len({key(claim.object) for claim in claims}) > 1
    ]
