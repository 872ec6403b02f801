"""A connection goes in; the tables of a store are made there, or the versions they were made by come out."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.keys import KEY_VERSION
from grapharc.stdlib_kinds.memory.schema import APPLICATION_ID, FOLD, INDICES, RECORD, SCHEMA_VERSION

IN_MEMORY = ":memory:"


@contextmanager
def open_scratch() -> Generator[sqlite3.Connection]:
    """Open an empty store that is gone when the block ends; SQLite writes it to the disk where it grows large."""
    connection = sqlite3.connect("", isolation_level=None)
    try:
        make_tables(connection)
        yield connection
    finally:
        connection.close()


def is_new(connection: sqlite3.Connection) -> bool:
    """Tell whether a file has no tables yet."""
    return connection.execute("select count(*) from sqlite_schema").fetchone()[0] == 0


def make_tables(connection: sqlite3.Connection) -> None:
    """Make all tables, unless another process made them while this one waited."""
    connection.execute("begin immediate")
    try:
        if is_new(connection):
            _execute(connection, RECORD)
            make_fold(connection)
            connection.execute("insert into writer values (1, ?)", (os.urandom(8).hex(),))
            connection.execute(f"pragma application_id = {APPLICATION_ID}")
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def make_fold(connection: sqlite3.Connection) -> None:
    """Make the tables that follow from the record, empty, in the place of any that are there."""
    for name in FOLD:
        connection.execute(f"drop table if exists {name}")
    _execute(connection, ";".join(FOLD.values()) + ";" + INDICES)
    connection.execute("insert into total values (0, 0)")
    connection.execute("insert or replace into meta values ('keys', ?)", (str(KEY_VERSION),))
    connection.execute(f"pragma user_version = {SCHEMA_VERSION}")


def is_current(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether this version made the tables. Raises StoreError for a newer one, and where that cannot be told."""
    found = _versions(connection, path)
    if any(have > known for have, known in zip(found, _KNOWN, strict=True)):
        raise StoreError(path, f"was written by a newer version ({told(found)})", "upgrading grapharc would be right")
    return found == _KNOWN


def outdated(connection: sqlite3.Connection, path: str) -> StoreError:
    """Say that an older version made the tables, and what makes them anew."""
    right = f"'grapharc memory upgrade {path}' would be right, or opening it to write"
    return StoreError(path, f"was written by an older version ({told(_versions(connection, path))})", right)


def told(found: Iterable[int]) -> str:
    """Word which version of what differs."""
    return ", ".join(
        f"{name} {have}, this one knows {known}"
        for name, have, known in zip(("schema", "keys"), found, _KNOWN, strict=True)
        if have != known
    )


_KNOWN = (SCHEMA_VERSION, KEY_VERSION)


def _versions(connection: sqlite3.Connection, path: str) -> tuple[int, int]:
    (schema,) = connection.execute("pragma user_version").fetchone()
    keys = connection.execute("select v from meta where k = 'keys'").fetchone()
    if keys is None or not str(keys[0]).isdecimal():
        raise StoreError(path, "does not say how its keys were made", "a copy of the file would be right")
    return schema, int(keys[0])


def _execute(connection: sqlite3.Connection, script: str) -> None:
    """Execute statements one by one: executing them as a script would commit before it begins."""
    part = ""
    for piece in script.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            if part.strip(" \n;"):
                connection.execute(part)
            part = ""
