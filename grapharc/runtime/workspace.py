"""A root folder and a path go in; a file descriptor beneath the root comes out, or :class:`WorkspaceEscape`."""

from __future__ import annotations

import errno
import os
from pathlib import Path, PurePosixPath

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class WorkspaceEscape(Exception):
    """A path leads out of the folder it is confined to. ``path`` as it was given, ``root`` as messages call it."""

    def __init__(self, path: str, root: str) -> None:
        super().__init__(path, root)
        self.path, self.root = path, root

    def __str__(self) -> str:
        return f"'{self.path}' leads out of the workspace folder '{self.root}'"


class Workspace:
    """A folder that paths cannot leave.

    Links are resolved first, and must end beneath the folder. Then the resolved path is opened one part at a time
    without following links, so that one that is put there in between is an error and no way out.
    """

    def __init__(self, root: Path, shown: str = ".") -> None:
        self._root = Path(os.path.realpath(root))
        self._shown = shown

    def beneath(self, folder: str) -> Workspace:
        """Return the workspace of a folder in this one."""
        return Workspace(self._root / self.resolve(folder), folder)

    def resolve(self, path: str) -> PurePosixPath:
        """Return where a path leads, links resolved, relative to the root. Raises :class:`WorkspaceEscape`."""
        if "\0" in path or PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise WorkspaceEscape(path, self._shown)
        resolved = Path(os.path.realpath(self._root / path))
        if not resolved.is_relative_to(self._root):
            raise WorkspaceEscape(path, self._shown)
        return PurePosixPath(resolved.relative_to(self._root).as_posix())

    def locate(self, path: str, *, make_folders: bool = False) -> Path:
        """Return where a path leads, links resolved. Raises OSError and :class:`WorkspaceEscape`."""
        resolved = self.resolve(path)
        if make_folders:
            os.close(self._open_folder(path, resolved.parent, make=True))
        return self._root / resolved

    def open(self, path: str, flags: int, *, mode: int = 0o666, make_folders: bool = False) -> int:
        """Open a file beneath the root and return its descriptor. Raises OSError and :class:`WorkspaceEscape`."""
        resolved = self.resolve(path)
        folder = self._open_folder(path, resolved.parent, make=make_folders)
        try:
            return os.open(resolved.name or ".", flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=folder)
        except OSError as error:
            raise self._meaning(error, path) from error
        finally:
            os.close(folder)

    def open_folder(self, path: str, *, make: bool = False) -> int:
        """Open a folder beneath the root and return its descriptor. Raises OSError and :class:`WorkspaceEscape`."""
        return self._open_folder(path, self.resolve(path), make=make)

    def _open_folder(self, path: str, resolved: PurePosixPath, *, make: bool) -> int:
        folder = os.open(self._root, _FOLDER)
        try:
            for part in resolved.parts:
                folder = _step(folder, part, make=make)
        except OSError as error:
            os.close(folder)
            raise self._meaning(error, path) from error
        return folder

    def _meaning(self, error: OSError, path: str) -> Exception:
        if error.errno == errno.ELOOP:
            return WorkspaceEscape(path, self._shown)
        return OSError(error.errno, error.strerror, path)


def _step(folder: int, part: str, *, make: bool) -> int:
    """Go one folder down, and close the one that was left."""
    try:
        inner = os.open(part, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(part, dir_fd=folder)
        inner = os.open(part, _FOLDER, dir_fd=folder)
    os.close(folder)
    return inner
