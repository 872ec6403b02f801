"""Claims go in, and are kept in a file or in memory; what is held, was held and was given up comes out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.stdlib_kinds.memory.citation import Citation, citation_of
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.connection import Connection
from grapharc.stdlib_kinds.memory.keys import key, number_of, number_of_both
from grapharc.stdlib_kinds.memory.moments import Moments, moments, recorded, superseded, visible
from grapharc.stdlib_kinds.memory.rows import ABOUT, BOTH, COLUMNS, FROM, claim_of
from grapharc.stdlib_kinds.memory.tables import IN_MEMORY
from grapharc.stdlib_kinds.memory.times import When


class SQLiteMemoryStore(Connection):
    """A claim store in a file, which other processes may use at the same time."""

    def add(self, claim: Claim) -> Claim:
        """Store a claim and return it as it is stored. The same claim again is no second one.

        Raises ValueError for another claim of an id that is known: nothing here is overwritten.
        """
        return self.add_many([claim])[0]

    def add_many(self, claims: Iterable[Claim]) -> list[Claim]:
        """Store claims, all of them or none, and return them as they are stored."""
        with self.writing() as writing:
            return writing.add_many(claims)

    def get(self, claim_id: str) -> Claim | None:
        """Return a claim, None where there is none of that id."""
        found = self.rows(f"select {COLUMNS} from {FROM} where c.id = ?", claim_id)
        return claim_of(found[0]) if found else None

    def supersede(self, old_id: str, new: Claim) -> Claim:
        """Store a correction, mark what it corrects, and return it as it is stored.

        What is corrected counts as true of the world until the correction's ``valid_from``. The correction may be known
        already, as long as nothing has superseded it. Raises KeyError for an unknown ``old_id``, ValueError for one
        that is superseded already, and for a claim that would supersede itself.
        """
        with self.writing() as writing:
            return writing.supersede(old_id, new)

    def cite(self, claim_id: str, citation: Citation) -> None:
        """Record a quote that a claim rests on. The same again is no second one. Raises KeyError for an unknown claim.

        A store takes the caller's word that it was verified; ``memory.record`` takes the run's.
        """
        with self.writing() as writing:
            writing.cite(claim_id, citation)

    def citations(self, claim_id: str) -> list[Citation]:
        """Return what a claim rests on, in the order it was recorded."""
        columns = "s.quote, s.source, s.source_sha256, s.standing, s.run_id, s.recorded"
        ask = f"select {columns} from citation s join claim c on c.rid = s.claim where c.id = ? order by s.rid"
        return [citation_of(row) for row in self.rows(ask, claim_id)]

    def current(
        self, subject: str, predicate: str | None = None, *, as_of: When | None = None, as_at: When | None = None
    ) -> list[Claim]:
        """Return what is held of a subject, in the order it was stored.

        ``as_of`` asks what holds of the world at that moment, ``as_at`` what this store held at that moment, both what
        it held then of the world at the other. Without ``as_of`` that is whatever is not superseded.
        """
        asked = moments(as_of, as_at)
        return self._about(subject, predicate, asked, visible(asked), "c.rid")

    def history(self, subject: str, predicate: str, *, as_at: When | None = None) -> list[Claim]:
        """Return all that was ever held of a subject and predicate, by the time it was observed."""
        asked = moments(None, as_at)
        return self._about(subject, predicate, asked, recorded(asked), "c.observed, c.rid")

    def dead_ends(self, subject: str, *, as_at: When | None = None) -> list[Claim]:
        """Return what was held of a subject and is superseded, in the order it was stored."""
        asked = moments(None, as_at)
        return self._about(subject, None, asked, superseded(asked), "c.rid")

    def all_claims(self) -> list[Claim]:
        """Return all claims in the order they were stored."""
        return [claim_of(row) for row in self.rows(f"select {COLUMNS} from {FROM} order by c.rid")]

    def _about(self, subject: str, predicate: str | None, asked: Moments, condition: str, order: str) -> list[Claim]:
        name = key(subject)
        where, asked_for = ABOUT, (number_of(name), name)
        if predicate is not None:
            other = key(predicate)
            where, asked_for = BOTH, (number_of_both(asked_for[0], other), name, other)
        found = self.rows(f"select {COLUMNS} from {FROM} where {where} and {condition} order by {order}", *asked_for)
        return [claim_of(row, asked.as_at) for row in found]


class MemoryStore(SQLiteMemoryStore):
    """A claim store that ends with its process: the same tables, in memory."""

    def __init__(self) -> None:
        super().__init__(IN_MEMORY)
