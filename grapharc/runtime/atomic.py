"""A path and bytes go in; at every moment the file there holds the old bytes or the new ones, never half of either.

All who write files whole write them here: documents and caches of a project, and the bytes of artifacts. It imports
next to nothing, since a check that need not be made again loads it.
"""

from __future__ import annotations

import os

_NO_LINKS = ("EPERM", "ENOSYS", "EMLINK", "ENOTSUP", "EOPNOTSUPP")
"""What a file system says that has no hard links."""
_NO_FLUSH = ("EINVAL", "ENOTSUP", "EBADF")
"""What a file system says that flushes no folders."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(path: str, data: bytes, *, mode: int | None = None, lasting: bool = True) -> None:
    """Write a file by way of another beside it, which takes its name in one step. Raises OSError.

    ``mode`` are its permissions, by default those of any new file; ``lasting`` is on the disk when this returns.
    """
    beside = _written_beside(path, data, mode, lasting)
    try:
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    if lasting:
        sync_folder(os.path.dirname(path))


def create_file(path: str, data: bytes, *, mode: int | None = None, lasting: bool = True) -> None:
    """Write a file that is not there yet. Raises OSError.

    Raises FileExistsError where anything is there, whoever put it there when.
    """
    beside = _written_beside(path, data, mode, lasting)
    try:
        os.link(beside, path)  # unlike a move, this leaves alone what is there
    except OSError as error:
        if not _says(error, _NO_LINKS):
            raise
        _write(path, data, mode, lasting)
    finally:
        os.unlink(beside)
    if lasting:
        sync_folder(os.path.dirname(path))


def sync_folder(folder: str) -> None:
    """Let a new name in a folder outlast a loss of power, where folders can be opened and flushed. Raises OSError."""
    try:
        handle = os.open(folder or ".", os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if not _says(error, _NO_FLUSH):
            raise
    finally:
        os.close(handle)


def _says(error: OSError, names: tuple[str, ...]) -> bool:
    import errno

    return error.errno in [getattr(errno, name, None) for name in names]


def _written_beside(path: str, data: bytes, mode: int | None, lasting: bool) -> str:
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.tmp")
    _write(beside, data, mode, lasting)
    return beside


def _write(path: str, data: bytes, mode: int | None, lasting: bool) -> None:
    handle = os.open(path, _NEW, 0o666 if mode is None else mode & 0o600)
    try:
        with open(handle, "wb") as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(handle, mode)
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(handle)
    except BaseException:
        os.unlink(path)
        raise
