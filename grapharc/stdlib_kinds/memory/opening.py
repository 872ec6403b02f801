"""A path goes in; a connection to the store in that file comes out, or an error that says what would be right."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.keys import KEY_VERSION
from grapharc.stdlib_kinds.memory.schema import APPLICATION_ID, FOLD, INDICES, RECORD, SCHEMA_VERSION

IN_MEMORY = ":memory:"
_CACHE_KIB = 48 * 1024
_DELAYS = (0.01, 0.05, 0.2, 0.5, 1.0)


def open_store(path: str, timeout: float, read_only: bool) -> sqlite3.Connection:
    """Open a file, and make the tables in a new one. Seconds of ``timeout`` are waited for other processes.

    Raises StoreError for what is no store of ours, was written by a newer version, cannot be read or written, or stays
    locked. What is there is not touched then.
    """
    if path != IN_MEMORY:
        _require_file(path, read_only)
    where = path if path == IN_MEMORY else f"file:{quote(str(Path(path).absolute()))}?{_mode(path, read_only)}"
    try:
        connection = sqlite3.connect(where, timeout, isolation_level=None, check_same_thread=False, uri=True)
        try:
            _prepare(connection, path, read_only)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise explained(path, error, timeout) from error
    return connection


@contextmanager
def open_scratch() -> Generator[sqlite3.Connection]:
    """Open an empty store that is gone when the block ends; SQLite writes it to the disk where it grows large."""
    connection = sqlite3.connect("", isolation_level=None)
    try:
        _make_tables(connection, IN_MEMORY)
        yield connection
    finally:
        connection.close()


def explained(path: str, error: sqlite3.Error, timeout: float) -> StoreError:
    """Word what SQLite says of a file."""
    text = str(error)
    if "locked" in text or "busy" in text:
        right = f"waiting was no use for {timeout:g} s: try again when that has ended"
        return StoreError(path, "is being written by another process", right)
    if "closed database" in text:
        return StoreError(path, "is closed", "opening it again would be right")
    if "readonly" in text:
        return StoreError(path, "cannot be written", "the right to write the file and its folder would be right")
    if "not a database" in text:
        return StoreError(path, "is no SQLite database", "the path of a claim store, or of no file yet, would be right")
    return StoreError(path, f"cannot be used ({text})", "a whole file on a disk with space left would be right")


def _mode(path: str, read_only: bool) -> str:
    """Where nothing can be written beside the file, and no writer has left anything there, it is read as it lies."""
    if not read_only:
        return "mode=rwc"
    apart = not os.access(Path(path).absolute().parent, os.W_OK) and not Path(f"{path}-wal").exists()
    return "mode=ro&immutable=1" if apart else "mode=ro"


def _require_file(path: str, read_only: bool) -> None:
    file = Path(path)
    if file.is_dir():
        raise StoreError(path, "is a folder", "the path of a file in it would be right")
    if not file.exists():
        if read_only:
            raise StoreError(path, "does not exist", "the path of a claim store would be right")
        if not file.parent.is_dir():
            raise StoreError(path, "is in a folder that does not exist", "making the folder first would be right")
    elif not file.is_file():
        raise StoreError(path, "is no file", "the path of a claim store would be right")
    elif not os.access(path, os.R_OK):
        raise StoreError(path, "cannot be read", "the right to read it would be right")
    elif not read_only and not os.access(path, os.W_OK):
        raise StoreError(path, "cannot be written", "read_only=True, or the right to write it, would be right")


def _prepare(connection: sqlite3.Connection, path: str, read_only: bool) -> None:
    connection.execute("pragma query_only = on") if read_only else None
    _require_ours(connection, path, read_only)
    connection.execute(f"pragma cache_size = -{_CACHE_KIB}")
    connection.execute("pragma temp_store = memory")
    if read_only:
        return
    connection.execute("pragma synchronous = full")
    if path != IN_MEMORY:
        _write_ahead(connection)
    if _is_new(connection):
        _make_tables(connection, path)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Change the mode, which needs the file alone for a moment and does not wait for that by itself.

    Where the file system has no shared memory, SQLite keeps the mode that it has and is as safe.
    """
    for delay in _DELAYS:
        try:
            connection.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError:
            time.sleep(delay)
    connection.execute("pragma journal_mode = wal")


def _require_ours(connection: sqlite3.Connection, path: str, read_only: bool) -> None:
    application, version = (
        connection.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    if application == 0 and version == 0 and _is_new(connection):
        if read_only:
            raise StoreError(path, "is empty", "the path of a claim store would be right")
        return
    if application != APPLICATION_ID:
        raise StoreError(path, "is a SQLite database of something else", "the path of a claim store would be right")
    if version > SCHEMA_VERSION:
        wrong = f"was written by a newer version (schema {version}, this one knows {SCHEMA_VERSION})"
        raise StoreError(path, wrong, "upgrading grapharc would be right")


def _is_new(connection: sqlite3.Connection) -> bool:
    return connection.execute("select count(*) from sqlite_schema").fetchone()[0] == 0


def _make_tables(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("begin immediate")
    try:
        if _is_new(connection):  # another process may have made them while this one waited
            for statement in _statements():
                connection.execute(statement)
            connection.execute("insert into meta values ('keys', ?)", (str(KEY_VERSION),))
            connection.execute("insert into total values (0, 0)")
            connection.execute("insert into writer values (1, ?)", (os.urandom(8).hex(),))
            connection.execute(f"pragma application_id = {APPLICATION_ID}")
            connection.execute(f"pragma user_version = {SCHEMA_VERSION}")
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
    _require_ours(connection, path, False)


def _statements() -> list[str]:
    """The statements one by one: executing them as a script would commit before it begins."""
    found: list[str] = []
    part = ""
    for piece in (RECORD + ";".join(FOLD.values()) + ";" + INDICES).split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return [statement for statement in found if statement.strip(" \n;")]
