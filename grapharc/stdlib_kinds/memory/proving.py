"""A store goes in; whether its record is whole, and everything that readers see follows from it, comes out.

The chain shows that no operation was changed, left out or moved since the next was recorded. Only a hash that was noted
elsewhere can show that the last ones were not cut off together with what follows from them, or all of it written anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.blobs import read_blob
from grapharc.stdlib_kinds.memory.connection import Connection
from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.fold import Fold
from grapharc.stdlib_kinds.memory.following import BROKEN, follow
from grapharc.stdlib_kinds.memory.log import GENESIS, Op, chained, operations
from grapharc.stdlib_kinds.memory.rows import Row
from grapharc.stdlib_kinds.memory.schema import FOLD, OP_FORMAT
from grapharc.stdlib_kinds.memory.spelling import Execute
from grapharc.stdlib_kinds.memory.tables import IN_MEMORY, open_scratch

_ORDERS = {"total": "1", "term": "id", "post": "1, 2, 3, 4, 5, 6", "spell": "1, 2", "artifact_link": "1, 2, 3"}


@frozen
class Verified:
    """How many operations hold, the hash of the last of them in hexadecimal, and what is wrong."""

    operations: int
    head: str
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def verify_store(store: Connection, *, head: str | None = None) -> Verified:
    """Check the whole record, what follows from it, and the bytes of artifacts.

    ``head`` is the hash of an operation that was noted before; that it is still in the chain is checked then. Nothing
    is written. Takes about as long as storing everything again.
    """
    with store.reading() as execute:
        chain = _Chain(execute, head)
        faults: list[str] = []
        try:
            faults += [*_damage(execute), *chain.faults(), *_schema(execute)]
            if not faults:
                faults += [*_fold(execute), *_bytes(store, execute)]
        except BROKEN as error:
            faults.append(f"the file is damaged: {error}")
        return Verified(chain.operations, chain.head, tuple(faults))


class _Chain:
    """Walks over the operations as long as they hold, and remembers where it came to."""

    def __init__(self, execute: Execute, noted: str | None) -> None:
        self._execute, self._noted = execute, noted
        self.operations, self.head = 0, GENESIS.hex()

    def faults(self) -> Iterator[str]:
        """Say which operation is the first that does not hold; of what comes after it nothing is known."""
        before, clock, met = GENESIS, 0, self._noted in (None, self.head)
        seqs: dict[str, int] = {}
        for op in operations(self._execute):
            wrong = _wrong(op, before, clock, self.operations + 1, seqs.get(op.writer, 0) + 1)
            if wrong:
                yield wrong
                return
            before, clock, seqs[op.writer] = op.hash, op.hlc, op.seq
            self.operations, self.head = op.n, op.hash.hex()
            met = met or self.head == self._noted
        if not met:
            yield f"no operation has the hash '{self._noted}': what it was of is gone, or this is another store"


def _wrong(op: Op, before: bytes, clock: int, n: int, seq: int) -> str:
    if op.n != n:
        return f"operation {n} is gone: the one after it is {op.n}"
    if op.prev != before:
        return f"operation {n} does not follow the one before it: that was changed, or this one was put in"
    if chained(op.prev, op.n, op.writer, op.seq, op.hlc, op.verb, op.body, op.format) != op.hash:
        return f"operation {n} was changed after it was written"
    if type(op.format) is not int:
        return f"operation {n} is in no format that there is"
    if op.format > OP_FORMAT:
        return f"operation {n} was written by a newer version"
    if op.seq != seq or type(op.hlc) is not int or op.hlc <= clock:
        return f"operation {n} is numbered or dated as none can be after the one before it"
    return ""


def _damage(execute: Execute) -> Iterator[str]:
    for (line,) in execute("pragma integrity_check(5)", ()):
        if line != "ok":
            yield f"the file is damaged: {line}"


def _schema(execute: Execute) -> Iterator[str]:
    """The tables, and what keeps them from being changed, are still those that were made."""
    ask = "select name, sql from sqlite_schema where name not like 'sqlite_%'"
    with open_scratch() as scratch:
        made: Mapping[str, str] = dict(scratch.execute(ask))
    found: Mapping[str, str] = dict(execute(ask, ()))
    for name in sorted(made.keys() | found.keys()):
        if made.get(name) != found.get(name):
            how = "is missing" if name not in found else "was changed" if name in made else "was added"
            yield f"'{name}' {how} since the store was made"


def _fold(execute: Execute) -> Iterator[str]:
    """Follow all operations in an empty store, and compare it table by table, row by row."""
    with open_scratch() as scratch:
        scratch.execute("begin")
        fold = Fold(scratch)
        for op in operations(execute):
            wrong = follow(fold, op)
            if wrong:
                yield wrong
                return
        fold.finish()
        for table in FOLD:
            ask = f"select * from {table} order by {_ORDERS.get(table, 'rid')}"
            yield from _different(table, execute(ask, ()), scratch.execute(ask))


def _different(table: str, rows: Iterable[Row], followed: Iterable[Row]) -> Iterator[str]:
    """Say what is wrong with the first row that is not what follows from the record."""
    pairs: Iterable[tuple[Row | None, Row | None]] = zip_longest(rows, followed)
    try:
        for found, right in pairs:
            if not _same(found, right):
                what = "is missing" if found is None else "should not be there" if right is None else "was changed"
                yield f"table '{table}' is not what the record makes of it: a row {what}: {right or found}"
                return
    except sqlite3.Error as error:
        yield f"table '{table}' is not what the record makes of it: {error}"


def _same(found: Row | None, right: Row | None) -> bool:
    """The same values of the same types: SQLite would take 1.0 for 1."""
    return found == right and list(map(type, found or ())) == list(map(type, right or ()))


def _bytes(store: Connection, execute: Execute) -> Iterator[str]:
    if store.path == IN_MEMORY:
        return
    for sha, name in execute("select sha, min(name) from artifact group by sha order by min(rid)", ()).fetchall():
        try:
            read_blob(store.file, sha, name)
        except (OSError, StoreError) as error:
            yield str(error)
