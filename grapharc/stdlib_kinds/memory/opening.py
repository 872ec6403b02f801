"""A path goes in; a connection to the store in that file comes out, or an error that says what would be right."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.schema import APPLICATION_ID
from grapharc.stdlib_kinds.memory.tables import IN_MEMORY, is_current, is_new, make_tables, outdated
from grapharc.stdlib_kinds.memory.upgrading import upgrade

UNUSABLE = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of a file; the latter where it quotes a schema that is no text any more."""
_CACHE_KIB = 48 * 1024
_PAGE = 8192
"""Bytes. Twice SQLite's own: a batch touches most pages of the indices for a few rows each, and fewer so."""
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
    except UNUSABLE as error:
        raise explained(path, error, timeout) from error
    return connection


def explained(path: str, error: Exception, timeout: float) -> StoreError:
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
        return StoreError(path, "is no SQLite database", "the path of a claim store would be right")
    return StoreError(path, f"cannot be used ({text})", "a whole file on a disk with space left would be right")


def _mode(path: str, read_only: bool) -> str:
    """Say how SQLite opens a file, so that one who only reads leaves nothing beside it.

    To share the file with writers it needs two files there, which only one who may write takes away again. Where that
    is not allowed, the file is read as it lies. What a writer has left there is its own, be it at work or killed.
    """
    if not read_only:
        return "mode=rwc"
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return "mode=ro"
    may_write = os.access(path, os.W_OK) and os.access(Path(path).absolute().parent, os.W_OK)
    return "mode=rw" if may_write else "mode=ro&immutable=1"


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
    connection.execute(f"pragma page_size = {_PAGE}")  # of a file that has no page yet
    if path != IN_MEMORY:
        _write_ahead(connection)
    if is_new(connection):
        make_tables(connection)
        _require_ours(connection, path, read_only)
    if not is_current(connection, path):
        upgrade(connection, path)


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
    if application == 0 and version == 0 and is_new(connection):
        if read_only:
            raise StoreError(path, "is empty", "the path of a claim store would be right")
        return
    if application != APPLICATION_ID:
        raise StoreError(path, "is a SQLite database of something else", "the path of a claim store would be right")
    if not is_current(connection, path) and read_only:
        raise outdated(connection, path)
