"""A store whose tables an older version made goes in; they are made anew from its record, which is not touched."""

from __future__ import annotations

import sqlite3

from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.fold import Fold
from grapharc.stdlib_kinds.memory.following import BROKEN
from grapharc.stdlib_kinds.memory.log import operations
from grapharc.stdlib_kinds.memory.tables import is_current, make_fold


def upgrade(connection: sqlite3.Connection, path: str) -> None:
    """Follow all operations into empty tables, in one transaction. Takes about as long as storing everything again.

    Raises StoreError, and leaves all as it is, for a record that cannot be followed.
    """
    connection.execute("begin immediate")
    try:
        if not is_current(connection, path):  # another process may have done it while this one waited
            make_fold(connection)
            fold = Fold(connection)
            for op in operations(connection.execute):
                fold.replay(op)
            fold.finish()
        connection.execute("commit")
    except BROKEN as error:
        connection.execute("rollback")
        wrong = f"was written by an older version, and its record cannot be followed ({error})"
        raise StoreError(path, wrong, "a copy of the file would be right") from error
    except BaseException:
        connection.execute("rollback")
        raise
