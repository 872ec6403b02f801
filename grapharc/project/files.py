"""References go in, the bytes of documents come out: from the project folder and nowhere else."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Protocol

from grapharc.project.disk import Disk, read_most
from grapharc.spec.loader import Loader, OutsideProject, Unreadable
from grapharc.spec.package_data import PACKAGE

STDIN = "<stdin>"
"""The path that a document read from standard input is shown under."""

SHIPPED = "<grapharc>/"
"""Paths of the standard library's manifests begin so: no file of a project can take one's place."""


class ProjectLoader(Loader, Protocol):
    """A loader of one project folder, wherever its files are kept; ``root`` is that folder on the disk."""

    root: str

    def path_of(self, path: str) -> str:
        """Return the path that a file of the disk is shown under."""
        ...

    def is_there(self, path: str) -> bool:
        """Tell whether a file is there that a document names, without opening it."""
        ...


class DiskLoader:
    """Gives documents of the project folder ``root``, by posix paths relative to it.

    A path in a document must lead to a place beneath the project folder. Documents that a person named may lie
    elsewhere (``named``): what they name in turn must lie beneath their own folder.
    """

    def __init__(self, root: str, named: Iterable[str] = (), stdin: bytes = b"", disk: Disk | None = None) -> None:
        self.disk = disk or Disk()
        self.root = self.disk.real(root)
        self._typed_root = os.path.abspath(root)
        self._stdin = stdin
        self._homes = [self.root]
        self._named: dict[str, str] = {}
        self.instead: dict[str, bytes] = {}
        """By path, what is read in place of a file: for looking at what a change would come to before it is written."""
        for path in named:
            self._admit(path)

    def path_of(self, path: str) -> str:
        """Return the path that a file is shown under: relative to the root, with ``..`` where it lies outside.

        What was typed decides, so that a link in the project that leads out of it is no way out.
        """
        absolute = os.path.abspath(path)
        for root in (self._typed_root, self.root):
            if _is_beneath(absolute, root):
                return _relative(absolute, root)
        real_folder = self.disk.real(os.path.dirname(absolute))
        return _relative(os.path.join(real_folder, os.path.basename(absolute)), self.root)

    def resolve(self, reference: str, beside: str) -> str:
        """Return the path that ``reference`` means in the document ``beside``. Raises OutsideProject."""
        if "\0" in reference:
            return reference
        from_folder = self.disk.real(os.path.dirname(self._absolute(beside)))
        real = self.disk.real(os.path.join(from_folder, reference))
        homes = [home for home in self._homes if _is_beneath(from_folder, home)] or [self.root]
        if not any(_is_beneath(real, home) for home in homes):
            raise OutsideProject(reference)
        return _relative(real, self.root)

    def load(self, path: str) -> bytes:
        """Return a document's bytes, at most MOST of them. Raises Unreadable or OutsideProject."""
        if path in self.instead:
            return self.instead[path]
        if path == STDIN:
            return self._stdin
        if path.startswith(SHIPPED):
            return read_file(os.path.join(PACKAGE, path.removeprefix(SHIPPED)), path)
        if "\0" in path:
            raise Unreadable(path, "its name holds a NUL character")
        real = self.disk.real(self._absolute(path))
        if self._named.get(path) != real and not any(_is_beneath(real, home) for home in self._homes):
            raise OutsideProject(path)
        return read_file(real, path, self.disk)

    def is_there(self, path: str) -> bool:
        """Tell whether a file is there that a document names, without opening it."""
        return "\0" not in path and self.disk.exists(self._absolute(path))

    def real(self, path: str) -> str:
        """Return where the file of a path lies, links resolved."""
        return os.path.realpath(self._absolute(path))

    def shipped(self) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) of each manifest of the standard library, in the order of their names."""
        families = os.path.join(PACKAGE, "stdlib_kinds")
        for family in sorted(os.listdir(families)):
            manifest = os.path.join(families, family, "kinds.toml")
            if os.path.isfile(manifest):
                path = f"{SHIPPED}stdlib_kinds/{family}/kinds.toml"
                yield path, read_file(manifest, path)

    def _admit(self, path: str) -> None:
        shown = self.path_of(path)
        if not shown.startswith("../") and not os.path.isabs(shown):
            return
        real = self.disk.real(path)
        self._named[shown] = real
        self._homes.append(os.path.dirname(real))

    def _absolute(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/"))


def read_file(real: str, path: str, disk: Disk | None = None) -> bytes:
    """Return what stands in a file, at most MOST bytes; ``path`` is what it is shown under. Raises Unreadable."""
    try:
        return disk.read(real) if disk is not None else read_most(real)
    except OSError as error:
        raise Unreadable(path, (error.strerror or str(error)).lower()) from None
    except ValueError as error:
        raise Unreadable(path, str(error)) from None


def _is_beneath(path: str, home: str) -> bool:
    return path == home or path.startswith(os.path.join(home, ""))


def _relative(path: str, root: str) -> str:
    if not _is_beneath(path, root):
        with contextlib.suppress(ValueError):  # on another drive there is no way from here to there
            path = os.path.relpath(path, root)
        return path.replace(os.sep, "/")
    inside = path[len(os.path.join(root, "")) :].replace(os.sep, "/") or "."
    # A file that is really called so must not be taken for standard input or a shipped manifest.
    return f"./{inside}" if inside.startswith("<") else inside
