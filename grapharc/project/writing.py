"""A path and bytes go in; the file holds the old bytes or the new ones, whatever happens in between."""

from __future__ import annotations

import contextlib
import os
import time


def rewrite_file(path: str, data: bytes) -> None:
    """Write a file that is there, with the permissions that it has. Raises OSError."""
    write_file(path, data, os.stat(path).st_mode & 0o7777)


def write_file(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a file by way of a temporary one beside it, and make its folder if there is none. Raises OSError."""
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f".{os.path.basename(path)}.{os.getpid()}.{time.monotonic_ns()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
