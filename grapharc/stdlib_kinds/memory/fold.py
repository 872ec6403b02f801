"""An operation goes in; the tables that readers see follow it. Nothing else writes to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from grapharc.stdlib_kinds.memory.artifact import artifact_rows
from grapharc.stdlib_kinds.memory.citation import citation_row
from grapharc.stdlib_kinds.memory.log import Op
from grapharc.stdlib_kinds.memory.postings import Postings
from grapharc.stdlib_kinds.memory.rows import OBSERVED, SKEY, SUBJECT_NUMBER, Row, row_of
from grapharc.stdlib_kinds.memory.times import micros

Body: TypeAlias = Mapping[str, Any]

ASSERT = "assert"
CLOSE = "close"
CITE = "cite"
PUT = "put"
_INSERT_CLAIM = f"insert into claim values ({', '.join('?' * 18)})"
_FINISH_AT = 20_000
_about = itemgetter(SUBJECT_NUMBER)


class Fold:
    """Applies operations, in their order, to the tables of one connection.

    Claims are put off, to be written in one go.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._claims: list[Row] = []
        self._postings = Postings(connection)
        self._verbs: Mapping[str, Callable[[int, int, Body], None]] = {
            ASSERT: self._assert,
            CLOSE: self._close,
            CITE: self._cite,
            PUT: self._put,
        }

    def apply(self, verb: str, n: int, hlc: int, body: Body) -> None:
        """Follow operation ``n``, recorded at ``hlc``. Raises KeyError for a verb that is not known."""
        self._verbs[verb](n, hlc, body)

    def settle(self) -> None:
        """Write the claims that were put off, in the order of the largest index."""
        if self._claims:
            self._connection.executemany(_INSERT_CLAIM, sorted(self._claims, key=_about))
            self._claims = []

    def finish(self) -> None:
        """Write all that was put off; before a transaction commits."""
        self.settle()
        self._postings.flush()

    def replay(self, op: Op) -> None:
        """Follow an operation as it was read back."""
        self.apply(op.verb, op.n, op.hlc, json.loads(op.body))

    def _assert(self, n: int, hlc: int, body: Body) -> None:
        row = row_of(n, hlc, body)
        self._claims.append(row)
        self._postings.add(n, row[OBSERVED], row[SKEY], (body["subject"], body["predicate"], body["object"]))
        if self._postings.claims >= _FINISH_AT:
            self.finish()

    def _close(self, n: int, hlc: int, body: Body) -> None:
        self.settle()
        find = "select rid, t_to from claim where id = ?"
        rid, until = self._connection.execute(find, (body["id"],)).fetchone()
        at = micros(body["valid_to"], "valid_to")
        row = (rid, at if until is None else min(at, until), hlc, n, body["successor"])
        self._connection.execute("insert into closing values (?, ?, ?, ?, ?)", row)

    def _cite(self, n: int, hlc: int, body: Body) -> None:
        self.settle()
        (rid,) = self._connection.execute("select rid from claim where id = ?", (body["claim"],)).fetchone()
        row = citation_row(n, hlc, rid, body)
        self._connection.execute("insert into citation values (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _put(self, n: int, _: int, body: Body) -> None:
        row, links = artifact_rows(n, body)
        self._connection.execute(f"insert into artifact values ({', '.join('?' * len(row))})", row)
        self._connection.executemany("insert into artifact_link values (?, ?, ?, ?)", links)
