"""What is to be recorded goes in; an operation at the end of the chain comes out.

Each operation's hash covers all of its own columns and the hash before it, so that a byte that is changed anywhere
breaks the chain from there on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256

from grapharc.spec.canonical import canonical
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.schema import OP_FORMAT
from grapharc.stdlib_kinds.memory.times import now

GENESIS = bytes(32)
"""What the first operation has for a hash before it."""
_INSERT = "insert into op (n, writer, seq, hlc, verb, body, format, prev, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"


@frozen
class Op:
    """One operation. ``hlc`` is when it was recorded: microseconds, later than all before it in this store."""

    n: int
    writer: str
    seq: int
    hlc: int
    verb: str
    body: str
    format: int
    prev: bytes
    hash: bytes


class Log:
    """The end of the chain, read when a transaction begins; what is appended extends it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._writer, self._name = connection.execute("select id, name from writer order by id limit 1").fetchone()
        last = connection.execute("select n, hlc, hash from op order by n desc limit 1").fetchone()
        self.n, self._hlc, self._hash = last or (0, 0, GENESIS)
        find_seq = "select coalesce(max(seq), 0) from op where writer = ?"
        self._seq = connection.execute(find_seq, (self._writer,)).fetchone()[0]

    def append(self, verb: str, body: Mapping[str, Json]) -> Op:
        """Record an operation; a process whose clock lags behind another's never dates it before what is there."""
        self.n, self._seq, self._hlc = self.n + 1, self._seq + 1, max(now(), self._hlc + 1)
        text = canonical(body)
        hashed = chained(self._hash, self.n, self._name, self._seq, self._hlc, verb, text, OP_FORMAT)
        op = Op(self.n, self._name, self._seq, self._hlc, verb, text, OP_FORMAT, self._hash, hashed)
        row = (self.n, self._writer, self._seq, self._hlc, verb, text, OP_FORMAT, self._hash, hashed)
        self._connection.execute(_INSERT, row)
        self._hash = hashed
        return op


def chained(prev: bytes, n: int, writer: str, seq: int, hlc: int, verb: str, body: str, form: int) -> bytes:
    """Return the hash of an operation. The line before the body holds words and numbers only, so it has one reading."""
    return sha256(prev + f"{n} {writer} {seq} {hlc} {form} {verb}\n{body}".encode()).digest()
