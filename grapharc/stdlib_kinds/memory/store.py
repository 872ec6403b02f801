"""Claims go in, and are kept in a file or in memory; what is held, was held and was given up comes out."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from types import TracebackType
from typing import TypeVar

from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.fold import ASSERT, CLOSE, Fold
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.log import Log
from grapharc.stdlib_kinds.memory.moments import Moments, moments, recorded, superseded, visible
from grapharc.stdlib_kinds.memory.opening import IN_MEMORY, explained, open_store
from grapharc.stdlib_kinds.memory.rows import COLUMNS, FROM, Row, as_recorded, body_of, claim_of
from grapharc.stdlib_kinds.memory.spelling import Execute
from grapharc.stdlib_kinds.memory.times import When

Own = TypeVar("Own", bound="SQLiteMemoryStore")


class SQLiteMemoryStore:
    """A claim store in a file, which other processes may use at the same time.

    What a call has stored when it returns is on the disk. Writers wait for each other, ``timeout`` seconds at most. One
    store may be used from many threads. Raises StoreError for a file that is no store of ours or cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 5.0, read_only: bool = False) -> None:
        self.path = os.fspath(path)
        self.timeout = timeout
        self._lock = threading.RLock()
        self._connection = open_store(self.path, timeout, read_only)
        self._finish = weakref.finalize(self, self._connection.close)

    @property
    def journal_mode(self) -> str:
        """How SQLite keeps writes whole: ``wal`` for a file, unless its file system cannot share memory."""
        return self.rows("pragma journal_mode")[0][0]

    def add(self, claim: Claim) -> Claim:
        """Store a claim and return it as it is stored. The same claim again is no second one.

        Raises ValueError for another claim of an id that is known: nothing here is overwritten.
        """
        return self.add_many([claim])[0]

    def add_many(self, claims: Iterable[Claim]) -> list[Claim]:
        """Store claims, all of them or none, and return them as they are stored."""
        with self.writing() as writing:
            return [writing.add(claim) for claim in claims]

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

    def rows(self, sql: str, *parameters: object) -> list[Row]:
        """Read from the file. Raises StoreError where it cannot be read."""
        with self._lock, self._explaining():
            return self._connection.execute(sql, parameters).fetchall()

    @contextmanager
    def reading(self) -> Generator[Execute]:
        """Open a transaction in which everything that is read is of one moment."""
        with self._lock, self._explaining():
            self._connection.execute("begin")
            try:
                yield self._connection.execute
            finally:
                self._connection.execute("rollback")

    @contextmanager
    def writing(self) -> Generator[Writing]:
        """Open a transaction; it ends with everything in it stored, or with nothing after an exception."""
        with self._lock, self._explaining():
            self._connection.execute("begin immediate")
            try:
                writing = Writing(self._connection)
                yield writing
                writing.finish()
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise

    def close(self) -> None:
        """Let go of the file. What is stored stays."""
        with self._lock:
            self._finish()

    def __enter__(self: Own) -> Own:
        """Return the store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of the file."""
        self.close()

    def _about(self, subject: str, predicate: str | None, asked: Moments, condition: str, order: str) -> list[Claim]:
        where = "c.skey = ?" if predicate is None else "c.skey = ? and c.pkey = ?"
        names = (key(subject),) if predicate is None else (key(subject), key(predicate))
        found = self.rows(f"select {COLUMNS} from {FROM} where {where} and {condition} order by {order}", *names)
        return [claim_of(row, asked.as_at) for row in found]

    @contextmanager
    def _explaining(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explained(self.path, error, self.timeout) from error


class MemoryStore(SQLiteMemoryStore):
    """A claim store that ends with its process: the same tables, in memory."""

    def __init__(self) -> None:
        super().__init__(IN_MEMORY)


class Writing:
    """One transaction: what is asserted in it is recorded and folded at once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._log = Log(connection)
        self._fold = Fold(connection)

    def add(self, claim: Claim) -> Claim:
        """Store a claim unless it is stored already."""
        if self._is_known(claim.id):
            return self._known(claim)
        self._require_current(claim)
        body = body_of(claim)
        op = self._log.append(ASSERT, body)
        self._fold.apply(op, body)
        return as_recorded(claim, op.hlc)

    def supersede(self, old_id: str, new: Claim) -> Claim:
        """Close one claim in favour of another, which is stored unless it is."""
        self._require_correctable(old_id, new)
        stored = self.add(new)
        if stored.superseded_by is not None:
            wrong = f"claim '{new.id}' was itself superseded by '{stored.superseded_by}'"
            raise ValueError(f"{wrong}, a correction that is current would be right")
        body = {"id": old_id, "kind": "superseded", "successor": new.id, "valid_to": new.valid_from}
        op = self._log.append(CLOSE, body)
        self._fold.apply(op, body)
        return stored

    def finish(self) -> None:
        """Write what was put off."""
        self._fold.finish()

    def _require_correctable(self, old_id: str, new: Claim) -> None:
        old = self._find(old_id)
        if old is None:
            raise KeyError(f"unknown claim '{old_id}'")
        if old.superseded_by is not None:
            raise ValueError(f"claim '{old_id}' was already superseded by '{old.superseded_by}'")
        if new.id == old_id:
            raise ValueError(
                f"claim '{old_id}' cannot supersede itself \u2014 a correction is a new claim with its own id, "
                "so the old one survives to be pointed at"
            )

    def _require_current(self, claim: Claim) -> None:
        if claim.superseded_by is not None:
            wrong = f"claim '{claim.id}' says that '{claim.superseded_by}' has superseded it"
            raise ValueError(f"{wrong}, adding it as current and then calling supersede would be right")

    def _is_known(self, claim_id: str) -> bool:
        return self._connection.execute("select 1 from claim where id = ?", (claim_id,)).fetchone() is not None

    def _known(self, claim: Claim) -> Claim:
        known = self._find(claim.id)
        if known is None or body_of(known) != body_of(claim):
            right = "a correction is a new claim with its own id, handed to supersede"
            raise ValueError(f"claim '{claim.id}' is stored with other content already, {right}")
        return known

    def _find(self, claim_id: str) -> Claim | None:
        row = self._connection.execute(f"select {COLUMNS} from {FROM} where c.id = ?", (claim_id,)).fetchone()
        return None if row is None else claim_of(row)
