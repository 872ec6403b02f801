"""A path and bytes go in; the file holds the old bytes or the new ones, whatever happens in between."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Generator

from grapharc.project.errors import CannotStart

_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP}
"""What a file system says that has no hard links."""


def refuse_lost_folder(path: str, named_by: str) -> None:
    """Refuse a file that somebody named in a folder that is not there: it may be misspelt. Raises CannotStart."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        from shlex import quote  # only what fails waits for it

        raise CannotStart(f"{named_by}: there is no folder '{folder}'", f"make it first: mkdir -p {quote(folder)}")


def write_file(path: str, data: bytes) -> None:
    """Write a file, and make its folder if there is none. Raises OSError.

    A link is followed, and a file that is there keeps its permissions. What is no regular file is written to as it is.
    """
    real = os.path.realpath(path)
    try:
        mode = os.stat(real).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(real, "wb") as device:
            device.write(data)
        return
    with _beside(real, data, None if mode is None else stat.S_IMODE(mode)) as temporary:
        os.replace(temporary, real)


def write_new_file(path: str, data: bytes) -> None:
    """Write a file that is not there yet, and make its folder if there is none. Raises OSError.

    Raises FileExistsError where anything is there, a link that leads nowhere included, whoever put it there when.
    """
    with _beside(path, data, None) as temporary:
        try:
            os.link(temporary, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _copy_new(path, data)
        os.unlink(temporary)


@contextlib.contextmanager
def _beside(path: str, data: bytes, mode: int | None) -> Generator[str]:
    """Yield a temporary file that holds the data, in the folder of a path; it is gone afterwards."""
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
        yield temporary
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _copy_new(path: str, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def _sync_folder(folder: str) -> None:
    """Let a new name outlast a loss of power, where folders can be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
