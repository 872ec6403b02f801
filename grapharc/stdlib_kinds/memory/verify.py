"""A store goes in; whether its record and all that is made from it are as they were written comes out.

A byte that was changed anywhere in the record breaks the chain there; one that was changed in a table that readers see
differs from what the record makes when it is followed again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.blobs import read_blob
from grapharc.stdlib_kinds.memory.connection import Connection
from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.fold import Fold
from grapharc.stdlib_kinds.memory.log import GENESIS, Op, chained
from grapharc.stdlib_kinds.memory.opening import IN_MEMORY, open_store
from grapharc.stdlib_kinds.memory.schema import FOLD, OP_FORMAT

MOST_FAULTS = 20
"""No more are told: after the first one much may follow."""
_OPS = """select o.n, w.name, o.seq, o.hlc, o.verb, o.body, o.format, o.prev, o.hash
    from op o left join writer w on w.id = o.writer order by o.n"""


@frozen
class Verified:
    """How many operations there are, the hash of the last one, and what is wrong."""

    operations: int
    head: str
    faults: tuple[str, ...]


def operations(store: Connection) -> Iterator[Op]:
    """Return the record, in its order."""
    return (Op(*row) for row in store.rows(_OPS))


def verify(store: Connection, head: str | None = None) -> Verified:
    """Check the chain, then what is made from it, then the bytes of artifacts.

    ``head`` is a hash that the chain had before: whoever took operations off its end is found out by it.
    """
    ops = list(operations(store))
    last = ops[-1].hash.hex() if ops else GENESIS.hex()
    faults = list(_faults_of_chain(ops))
    if head is not None and head not in {GENESIS.hex(), *(op.hash.hex() for op in ops)}:
        faults.append(f"no operation has the hash '{head}': what it was of is gone, or this is another store")
    if not faults:
        faults.extend(_faults_of_fold(store, ops))
        faults.extend(_faults_of_blobs(store))
    return Verified(len(ops), last, tuple(faults[:MOST_FAULTS]))


def _faults_of_chain(ops: list[Op]) -> Iterator[str]:
    before, moment, counts = GENESIS, 0, dict[str, int]()
    for number, op in enumerate(ops, 1):
        if op.n != number:
            yield f"operation {number} is gone: the one after it is {op.n}"
            return
        if op.prev != before:
            yield f"operation {number} does not follow the one before it"
        if op.hash != chained(op.prev, op.n, op.writer, op.seq, op.hlc, op.verb, op.body, op.format):
            yield f"operation {number} was changed after it was written"
        if op.seq != counts.get(op.writer, 0) + 1 or op.hlc <= moment:
            yield f"operation {number} is out of order"
        if op.format > OP_FORMAT:
            yield f"operation {number} was written by a newer version"
        before, moment, counts[op.writer] = op.hash, op.hlc, op.seq


def _faults_of_fold(store: Connection, ops: list[Op]) -> Iterator[str]:
    """Follow the record again in memory, and compare every table with the one there is."""
    again = open_store(IN_MEMORY, 0.0, False)
    try:
        fold = Fold(again)
        again.execute("begin")
        for op in ops:
            fold.replay(op)
        fold.finish()
        again.execute("commit")
        for table in FOLD:
            ask = f"select * from {table} order by 1, 2"
            if sorted(again.execute(ask).fetchall(), key=repr) != sorted(store.rows(ask), key=repr):
                yield f"table '{table}' is not what the record makes of it"
    except (KeyError, TypeError, ValueError, sqlite3.Error) as error:
        yield f"the record cannot be followed: {error}"
    finally:
        again.close()


def _faults_of_blobs(store: Connection) -> Iterator[str]:
    for sha, name, size in store.rows("select sha, min(name), min(size) from artifact group by sha order by min(rid)"):
        try:
            found = len(read_blob(store.path, sha, name)) if store.path != IN_MEMORY else size
        except (FileNotFoundError, StoreError) as error:
            yield str(error)
        else:
            if found != size:
                yield f"artifact '{name}' has {found} bytes, and {size} were put"
