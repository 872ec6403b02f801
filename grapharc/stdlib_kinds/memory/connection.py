"""A path goes in; what reads and writes the store in that file comes out, one transaction at a time."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from grapharc.stdlib_kinds.memory.opening import UNUSABLE, explained, open_store
from grapharc.stdlib_kinds.memory.rows import Row
from grapharc.stdlib_kinds.memory.spelling import Execute
from grapharc.stdlib_kinds.memory.tables import IN_MEMORY
from grapharc.stdlib_kinds.memory.writing import Writing

Own = TypeVar("Own", bound="Connection")


class Connection:
    """A store's file as one process uses it, from any of its threads.

    ``path`` is as it was given, ``file`` absolute. What a call has stored when it returns is on the disk. Writers wait
    for each other, ``timeout`` seconds at most.
    Raises StoreError for a file that is no store of ours or cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 5.0, read_only: bool = False) -> None:
        self.path = os.fspath(path)
        self.file = self.path if self.path == IN_MEMORY else str(Path(path).absolute())
        self.timeout = timeout
        self._lock = threading.RLock()
        self._connection = open_store(self.path, timeout, read_only)
        self._finish = weakref.finalize(self, self._connection.close)

    @property
    def journal_mode(self) -> str:
        """How SQLite keeps writes whole: ``wal`` for a file, unless its file system cannot share memory."""
        return self.rows("pragma journal_mode")[0][0]

    def rows(self, sql: str, *parameters: object) -> list[Row]:
        """Read from the file. Raises StoreError where it cannot be read."""
        try:
            with self._lock:
                return self._connection.execute(sql, parameters).fetchall()
        except UNUSABLE as error:
            raise explained(self.path, error, self.timeout) from error

    @contextmanager
    def reading(self) -> Generator[Execute]:
        """Open a transaction in which everything that is read is of one moment."""
        with self._lock, self._explaining():
            if self._connection.in_transaction:  # what this thread has written so far is read too
                yield self._connection.execute
                return
            self._connection.execute("begin")
            try:
                yield self._connection.execute
            finally:
                self._connection.execute("rollback")

    @contextmanager
    def writing(self) -> Generator[Writing]:
        """Open a transaction; it ends with everything in it stored, or with nothing after an exception."""
        with self._lock, self._explaining():
            self._connection.execute("begin immediate")
            try:
                writing = Writing(self._connection)
                yield writing
                writing.finish()
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise

    def close(self) -> None:
        """Let go of the file. What is stored stays."""
        with self._lock:
            self._finish()

    def __enter__(self: Own) -> Own:
        """Return the store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of the file."""
        self.close()

    @contextmanager
    def _explaining(self) -> Generator[None]:
        try:
            yield
        except UNUSABLE as error:
            raise explained(self.path, error, self.timeout) from error
