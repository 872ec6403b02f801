"""A path in the workspace goes in; a file's text, a folder's entries, or a written file come out."""

from __future__ import annotations

import os
import secrets
from typing import Protocol

from grapharc.runtime.workspace import Workspace
from grapharc.spec.json_value import Json

MAX_BYTES = 16 * 1024 * 1024
"""A longer file is not read: a state that holds it would be copied at each step."""


class FileContext(Protocol):
    """What the file kinds use of the run's context."""

    @property
    def workspace(self) -> Workspace:
        """The folder that no path leaves."""
        ...


class FileTooLong(Exception):
    """A file is longer than :data:`MAX_BYTES`. ``path`` as given, ``size`` in bytes."""

    def __init__(self, path: str, size: int) -> None:
        super().__init__(path, size)
        self.path, self.size = path, size

    def __str__(self) -> str:
        return f"'{self.path}' has {self.size} bytes, and at most {MAX_BYTES} are read"


def read_file(*, path: str, root: str, ctx: FileContext) -> dict[str, Json]:
    """Return the file's ``text``. Raises OSError, UnicodeDecodeError, FileTooLong and WorkspaceEscape."""
    descriptor = ctx.workspace.beneath(root).open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        size = os.fstat(descriptor).st_size
        if size > MAX_BYTES:
            raise FileTooLong(path, size)
        return {"text": file.read(MAX_BYTES).decode("utf-8")}


def list_dir(*, path: str, root: str, ctx: FileContext) -> dict[str, Json]:
    """Return the folder's ``entries``, sorted, without what is kept from kinds. Raises OSError and WorkspaceEscape."""
    workspace = ctx.workspace.beneath(root)
    folder = workspace.open_folder(path)
    try:
        with os.scandir(folder) as found:
            entries = sorted(
                entry.name + "/" * entry.is_dir(follow_symlinks=False)
                for entry in found
                if workspace.keeps(f"{path}/{entry.name}") is None
            )
    finally:
        os.close(folder)
    return {"entries": entries}


def write_file(*, path: str, text: str, root: str, ctx: FileContext) -> dict[str, Json]:
    """Write ``text`` and return the ``path`` in its normal form. Raises OSError and WorkspaceEscape.

    The text goes to a file of another name first, is flushed to the disk and takes the name in one step: a reader
    sees the old text or the new one, also after a crash.
    """
    workspace = ctx.workspace.beneath(root)
    resolved = workspace.resolve(path, writing=True)
    folder = workspace.open_folder(resolved.parent.as_posix(), make=True)
    try:
        _replace(folder, resolved.name, text.encode("utf-8"))
    finally:
        os.close(folder)
    return {"path": resolved.as_posix()}


def _replace(folder: int, name: str, data: bytes) -> None:
    temporary = f".{name}.{secrets.token_hex(8)}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)
