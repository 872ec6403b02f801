"""An operation goes in; the tables that readers see follow it. Nothing else writes to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from grapharc.stdlib_kinds.memory.artifact import artifact_rows
from grapharc.stdlib_kinds.memory.log import Op
from grapharc.stdlib_kinds.memory.postings import Postings
from grapharc.stdlib_kinds.memory.rows import OBSERVED, PKEY, SKEY, Row, row_of
from grapharc.stdlib_kinds.memory.times import micros

Body: TypeAlias = Mapping[str, Any]

ASSERT = "assert"
CLOSE = "close"
PUT = "put"
_INSERT_CLAIM = f"insert into claim values ({', '.join('?' * 15)})"
_SETTLE_AT = 20_000
_about = itemgetter(SKEY, PKEY)


class Fold:
    """Applies operations, in their order, to the tables of one connection.

    While claims come ``together``, they are put off and written in one go.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._claims: list[Row] = []
        self.together = False
        self._postings = Postings(connection)
        self._verbs: Mapping[str, Callable[[Op, Body], None]] = {
            ASSERT: self._assert,
            CLOSE: self._close,
            PUT: self._put,
        }

    def apply(self, op: Op, body: Body) -> None:
        """Follow one operation. Raises KeyError for a verb that is not known."""
        self._verbs[op.verb](op, body)

    def settle(self) -> None:
        """Write the claims that were put off, in the order of their subjects, as most of the indices have them."""
        self._connection.executemany(_INSERT_CLAIM, sorted(self._claims, key=_about))
        self._claims = []

    def finish(self) -> None:
        """Write what was put off to be written together; before a transaction commits."""
        self.settle()
        self._postings.flush()

    def replay(self, op: Op) -> None:
        """Follow an operation as it was read back."""
        self.apply(op, json.loads(op.body))

    def _assert(self, op: Op, body: Body) -> None:
        row = row_of(op.n, op.hlc, body)
        self._claims.append(row)
        if not self.together or len(self._claims) >= _SETTLE_AT:
            self.settle()
        self._postings.add(op.n, row[OBSERVED], row[SKEY], (body["subject"], body["predicate"], body["object"]))

    def _close(self, op: Op, body: Body) -> None:
        find = "select rid, t_to from claim where id = ?"
        rid, until = self._connection.execute(find, (body["id"],)).fetchone()
        at = micros(body["valid_to"], "valid_to")
        row = (rid, at if until is None else min(at, until), op.hlc, op.n, body["successor"])
        self._connection.execute("insert into closing values (?, ?, ?, ?, ?)", row)

    def _put(self, op: Op, body: Body) -> None:
        row, links = artifact_rows(op.n, body)
        self._connection.execute(f"insert into artifact values ({', '.join('?' * len(row))})", row)
        self._connection.executemany("insert into artifact_link values (?, ?, ?, ?)", links)
