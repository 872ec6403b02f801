"""A root folder and a path go in; a file descriptor beneath the root comes out, or :class:`WorkspaceEscape`."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TypeAlias

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HERE = PurePosixPath()


class WorkspaceEscape(Exception):
    """A path leads out of the folder it is confined to. ``path`` as it was given, ``root`` as messages call it."""

    def __init__(self, path: str, root: str) -> None:
        super().__init__(path, root)
        self.path, self.root = path, root

    def __str__(self) -> str:
        return f"'{self.path}' leads out of the workspace folder '{self.root}'"


class WorkspaceLink(WorkspaceEscape):
    """A path passes through a symbolic link: where that leads, no policy was asked."""

    def __str__(self) -> str:
        return f"'{self.path}' passes through a symbolic link, and links of the workspace are not followed"


class WorkspaceReserved(WorkspaceEscape):
    """A path is a part of the project itself. ``what`` says which."""

    def __init__(self, path: str, root: str, what: str) -> None:
        super().__init__(path, root)
        self.what = what

    def __str__(self) -> str:
        return f"'{self.path}' is {self.what}, and no file of the workspace"


Keeping: TypeAlias = "Callable[[str, str, bool], str | None]"
"""Takes a path from a workspace's folder on, that folder, and whether the path is to be written to; says which part of
the project it is, None where it is none."""


class Workspace:
    """A folder that paths cannot leave, without what is ``kept`` from kinds.

    A path is opened as it is written, one part at a time, and no link is followed: what a policy decided about a path
    holds of the file that is opened, and one that is put there in between is an error and no way out.
    """

    def __init__(
        self, root: Path, shown: str = ".", *, kept: Keeping | None = None, within: PurePosixPath = _HERE
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._shown, self._kept, self._within = shown, kept, within

    @property
    def root(self) -> Path:
        """The folder, links resolved."""
        return self._root / self._within

    def keeping(self, kept: Keeping) -> Workspace:
        """Return the workspace without what is kept from kinds."""
        return Workspace(self._root, self._shown, kept=kept, within=self._within)

    def beneath(self, folder: str) -> Workspace:
        """Return the workspace of a folder in this one. Raises :class:`WorkspaceEscape`."""
        return Workspace(self._root, folder, kept=self._kept, within=self._within / self.resolve(folder))

    def resolve(self, path: str, *, writing: bool = False) -> PurePosixPath:
        """Return a path's normal form, relative to the root; ``writing`` tells whether something is to stand there.

        Raises :class:`WorkspaceEscape`, also where it passes through a link and where it is a part of the project.
        """
        if "\0" in path or PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise WorkspaceEscape(path, self._shown)
        whole = self._root / self._within / path
        real = Path(os.path.realpath(whole))
        if not real.is_relative_to(self._root / self._within):
            raise WorkspaceEscape(path, self._shown)
        if real != whole:
            raise WorkspaceLink(path, self._shown)
        if (what := self.keeps(path, writing=writing)) is not None:
            raise WorkspaceReserved(path, self._shown, what)
        return PurePosixPath(path)

    def keeps(self, path: str, *, writing: bool = False) -> str | None:
        """Tell which part of the project a path is, and so kept from kinds; None where it is none."""
        if self._kept is None:
            return None
        return self._kept((self._within / path).as_posix(), self._root.as_posix(), writing)

    def locate(self, path: str, *, make_folders: bool = False) -> Path:
        """Return where a path leads. Raises OSError and :class:`WorkspaceEscape`."""
        resolved = self.resolve(path)
        if make_folders:
            os.close(self._open_folder(path, resolved.parent, make=True))
        return self.root / resolved

    def open(self, path: str, flags: int, *, mode: int = 0o666, make_folders: bool = False) -> int:
        """Open a file beneath the root and return its descriptor. Raises OSError and :class:`WorkspaceEscape`."""
        resolved = self.resolve(path, writing=bool(flags & (os.O_WRONLY | os.O_RDWR)))
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
            for part in (self._within / resolved).parts:
                folder = _step(folder, part, make=make)
        except OSError as error:
            os.close(folder)
            raise self._meaning(error, path) from error
        return folder

    def _meaning(self, error: OSError, path: str) -> Exception:
        if error.errno == errno.ELOOP:
            return WorkspaceLink(path, self._shown)
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
