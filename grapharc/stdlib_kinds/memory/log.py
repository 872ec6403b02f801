"""What is to be recorded goes in; an operation at the end of the chain comes out.

Each operation's hash covers all of its own columns and the hash before it, so that a byte that is changed anywhere
breaks the chain from there on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.schema import OP_FORMAT
from grapharc.stdlib_kinds.memory.spelling import Execute
from grapharc.stdlib_kinds.memory.times import now

GENESIS = bytes(32)
"""What the first operation has for a hash before it."""
_OPS = """select o.n, cast(w.name as blob), o.seq, o.hlc, cast(o.verb as blob), cast(o.body as blob), o.format, o.prev,
    o.hash from op o left join writer w on w.id = o.writer order by o.n"""
_FLUSH_AT = 2_000
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
    """The end of the chain, read when a transaction begins; what is appended extends it, and is written in one go."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._writer, self._name = connection.execute("select id, name from writer order by id limit 1").fetchone()
        last = connection.execute("select n, hlc, hash from op order by n desc limit 1").fetchone()
        self._n, self._hlc, self._hash = last or (0, 0, GENESIS)
        find_seq = "select coalesce(max(seq), 0) from op where writer = ?"
        self._seq = connection.execute(find_seq, (self._writer,)).fetchone()[0]
        self._rows: list[tuple[object, ...]] = []

    def append(self, verb: str, body: str) -> tuple[int, int]:
        """Record an operation, whose body is canonical JSON; return its number and its moment.

        A process whose clock lags behind another's never dates it before what is there.
        """
        self._n, self._seq, self._hlc = self._n + 1, self._seq + 1, max(now(), self._hlc + 1)
        prev = self._hash
        self._hash = chained(prev, self._n, self._name, self._seq, self._hlc, verb, body, OP_FORMAT)
        self._rows.append((self._n, self._writer, self._seq, self._hlc, verb, body, OP_FORMAT, prev, self._hash))
        if len(self._rows) >= _FLUSH_AT:
            self.flush()
        return self._n, self._hlc

    def flush(self) -> None:
        """Write what was appended."""
        self._connection.executemany(_INSERT, self._rows)
        self._rows.clear()


def chained(prev: bytes, n: int, writer: str, seq: int, hlc: int, verb: str, body: str, form: int) -> bytes:
    """Return the hash of an operation. The line before the body holds words and numbers only, so it has one reading."""
    return sha256(prev + f"{n} {writer} {seq} {hlc} {form} {verb}\n{body}".encode()).digest()


def operations(execute: Execute) -> Iterator[Op]:
    """Return all operations in their order; bytes that are no text any more are told by replacement characters."""
    for n, writer, seq, hlc, verb, body, form, prev, hashed in execute(_OPS, ()):
        yield Op(n, _text(writer), seq, hlc, _text(verb), _text(body), form, prev, hashed)


def _text(data: bytes | None) -> str:
    return (data or b"").decode(errors="replace")
