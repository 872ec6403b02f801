"""Facts and where they come from go in; what was written down, what it contradicts and what was refused come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.access import StoreContext, open_to_write, own_id
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.contradictions import detect_contradictions
from grapharc.stdlib_kinds.memory.evidence import Evidence, Fact, Requires
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.rows import COLUMNS, claim_of
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore
from grapharc.stdlib_kinds.memory.writing import Writing


class FactRefused(Exception):
    """A correction may not be written down. ``fact`` are its words, ``reason`` says what would be right."""

    def __init__(self, fact: str, reason: str) -> None:
        super().__init__(fact, reason)
        self.fact, self.reason = fact, reason

    def __str__(self) -> str:
        return f"'{self.fact}' is not written down: {self.reason}"


def record_facts(
    *, claims: Sequence[Mapping[str, Json]], source: str, store: str, requires: Requires, ctx: StoreContext
) -> dict[str, Json]:
    """Return the ``ids`` of the claims that now stand, the ``conflicts`` of new ones in words, and the ``refused``.

    A fact that is held already is that claim and no second one, so that nothing grows truer by being repeated. One that
    was superseded comes back only by a correction. All is written in one transaction. Raises StoreError.
    """
    evidence = Evidence(ctx)
    ids: list[Json] = []
    conflicts: list[Json] = []
    refused: list[Json] = []
    with open_to_write(store, ctx) as held, held.writing() as writing:
        for fact in map(_fact, claims):
            same = _held_already(held, fact)
            reason = evidence.objection(fact, requires)
            if reason is None and same is None:
                reason = _poison(held, fact, evidence)
            if reason is None:
                claim = same or _written(writing, fact, source, ctx)
                if not isinstance(claim, str):
                    _cite(writing, claim, fact, evidence, source, ctx)
                    ids.append(claim.id)
                    found = [] if same else detect_contradictions(held, claim)
                    conflicts.extend(conflict.describe() for conflict in found)
                    continue
                reason = claim
            refused.append(
                {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "reason": reason}
            )
    return {"ids": ids, "conflicts": conflicts, "refused": refused}


def correct_fact(
    *, old_id: str, fact: Mapping[str, Json], source: str, store: str, requires: Requires, ctx: StoreContext
) -> dict[str, Json]:
    """Return the ``id`` of the claim that now stands in the place of ``old_id``. Its source is the node, unless given.

    Raises FactRefused, KeyError for an id that is not there, ValueError for one that is superseded already.
    """
    new = _fact(fact)
    evidence = Evidence(ctx)
    reason = evidence.objection(new, requires) or evidence.echo(new)
    if reason is not None:
        raise FactRefused(new.words, reason)
    with open_to_write(store, ctx) as held, held.writing() as writing:
        claim = _claim(new, source or f"node:{ctx.node}", own_id(ctx, "correct", old_id, new.object), ctx)
        old = held.get(old_id)
        if old is not None and old.key != claim.key:
            about = f"'{old.subject} {old.predicate}'"
            raise FactRefused(new.words, f"claim '{old_id}' is about {about}, another value of that would be right")
        stored = writing.supersede(old_id, claim)
        _cite(writing, stored, new, evidence, stored.source, ctx)
    return {"id": stored.id}


def _fact(given: Mapping[str, Json]) -> Fact:
    confidence = given.get("confidence", 1.0)
    return Fact(
        str(given["subject"]),
        str(given["predicate"]),
        str(given["object"]),
        str(given.get("citation", "")),
        float(confidence) if isinstance(confidence, int | float) else 1.0,
    )


def _claim(fact: Fact, source: str, claim_id: str, ctx: StoreContext) -> Claim:
    return Claim(
        id=claim_id,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        source=source,
        run_id=ctx.run_id,
        confidence=fact.confidence,
    )


def _written(writing: Writing, fact: Fact, source: str, ctx: StoreContext) -> Claim | str:
    """Store a fact, or say why it is no claim."""
    try:
        claim = _claim(fact, source, own_id(ctx, "record", fact.subject, fact.predicate, fact.object), ctx)
    except ValueError as error:
        return str(error)
    return writing.add(claim)


def _cite(writing: Writing, claim: Claim, fact: Fact, evidence: Evidence, source: str, ctx: StoreContext) -> None:
    """Record with a claim what it rests on, a new source of one that is held already too."""
    citation = evidence.citation(fact, source, ctx.run_id)
    if citation is not None:
        writing.cite(claim.id, citation)


def _held_already(store: SQLiteMemoryStore, fact: Fact) -> Claim | None:
    wanted = _exact(fact.object)
    return next((one for one in store.current(fact.subject, fact.predicate) if _exact(one.object) == wanted), None)


def _poison(store: SQLiteMemoryStore, fact: Fact, evidence: Evidence) -> str | None:
    echo = evidence.echo(fact)
    if echo:
        return echo
    for one in _given_up(store, fact):
        how = "memory.correct with the claim that is held now would bring it back"
        return f"claim '{one.id}' said so and was superseded by '{one.superseded_by}', {how}"
    return None


def _given_up(store: SQLiteMemoryStore, fact: Fact) -> Sequence[Claim]:
    """What was said in these words and given up, however names and values are spaced."""
    words = (fact.subject, fact.predicate, fact.object)
    loose = " and ".join(f"replace(c.{column}, ' ', '') = ?" for column in ("skey", "pkey", "okey"))
    sql = (
        f"select {COLUMNS} from closing x cross join claim c on c.rid = x.rid where {loose} order by x.op desc limit 1"
    )
    return [claim_of(row) for row in store.rows(sql, *(key(word).replace(" ", "") for word in words))]


def _exact(text: str) -> str:
    """What makes no other value: spaces and case."""
    return " ".join(text.casefold().split())
