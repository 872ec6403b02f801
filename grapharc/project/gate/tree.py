"""A commit goes in; a loader over its files comes out, which opens nothing else: the project as it was then."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from functools import cached_property

from grapharc.project.files import SHIPPED, DiskLoader
from grapharc.project.gate.git import FILE, LINK, SUBMODULE, Repository
from grapharc.project.gate.matching import matching
from grapharc.spec.loader import OutsideProject, Unreadable

MOST_LINKS = 40
"""So many links in a row are a circle."""


class TreeLoader:
    """Gives documents of a project folder as they stand in a commit, by posix paths relative to that folder.

    Links are followed within the commit. A path that a person named may lie elsewhere in the repository, or outside of
    it: there it is read from the disk, since no commit holds it.
    """

    def __init__(self, repository: Repository, name: str, folder: str, named: Iterable[str] = ()) -> None:
        self._repository, self._name = repository, name
        self.commit = repository.commit(name)
        self._tree = repository.tree(self.commit)
        self._disk = DiskLoader(folder, named)
        self.root = self._disk.root
        inside = os.path.relpath(self.root, repository.top).replace(os.sep, "/")
        self._prefix = "" if inside == "." else inside
        shown = [self._disk.path_of(path) for path in named]
        self._homes = [
            self._prefix,
            *(posixpath.dirname(self._absolute(path)) for path in shown if self._is_near(path)),
        ]
        self._elsewhere = {path for path in shown if not self._is_in_repository(path)}

    def path_of(self, path: str) -> str:
        """Return the path that a file of the disk is shown under."""
        return self._disk.path_of(path)

    def resolve(self, reference: str, beside: str) -> str:
        """Return the path that ``reference`` means in the document ``beside``. Raises OutsideProject."""
        if "\0" in reference:
            return reference
        if beside in self._elsewhere:
            return self._disk.resolve(reference, beside)
        if reference.startswith("/"):
            raise OutsideProject(reference)
        folder = posixpath.dirname(self._real(self._absolute(beside), beside))
        real = self._real(posixpath.join(folder, reference), reference)
        homes = [home for home in self._homes if _is_beneath(folder, home)] or [self._prefix]
        if not any(_is_beneath(real, home) for home in homes):
            raise OutsideProject(reference)
        return self._shown(real)

    def load(self, path: str) -> bytes:
        """Return a document's bytes, at most MOST of them. Raises Unreadable or OutsideProject."""
        if path.startswith(SHIPPED) or path in self._elsewhere:
            return self._disk.load(path)
        real = self._real(self._absolute(path), path)
        if not any(_is_beneath(real, home) for home in self._homes):
            raise OutsideProject(path)
        entry = self._tree.get(real)
        if entry is None:
            why = "it is a folder" if real in self._folders else f"it is not there in '{self._name}'"
            raise Unreadable(path, why)
        if entry.form == SUBMODULE:
            raise Unreadable(path, "it is a submodule, of which a commit holds nothing")
        return self._repository.read(entry.identity, path)

    def is_there(self, path: str) -> bool:
        """Tell whether a file is there that a document names, without reading it."""
        if path in self._elsewhere:
            return self._disk.is_there(path)
        try:
            return self._real(self._absolute(path), path) in self._tree
        except (OutsideProject, Unreadable):
            return False

    def shipped(self) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) of each manifest of the standard library, in the order of their names."""
        return self._disk.shipped()

    def matching(self, pattern: str) -> Iterable[str]:
        """Return the paths of the files that a glob matches, those in linked folders too."""
        return matching(pattern, self._files)

    @cached_property
    def _files(self) -> tuple[str, ...]:
        return tuple(sorted(self._shown(path) for path in self._beneath(self._prefix, 0)))

    def _beneath(self, folder: str, links: int, real: str | None = None) -> Iterator[str]:
        """Every file beneath a folder; ``real`` is where a linked folder really stands."""
        start = f"{folder if real is None else real}/" if (folder if real is None else real) else ""
        for path, entry in self._tree.items():
            if not path.startswith(start):
                continue
            called = posixpath.join(folder, path[len(start) :])
            if entry.form == FILE:
                yield called
            elif entry.form == LINK and links < MOST_LINKS:
                try:
                    target = self._real(path, path)
                except (OutsideProject, Unreadable):
                    continue
                if target in self._tree:
                    yield called
                elif target in self._folders and not _is_beneath(path, target):
                    yield from self._beneath(called, links + 1, target)

    @cached_property
    def _folders(self) -> frozenset[str]:
        found = {""}
        for path in self._tree:
            while path := posixpath.dirname(path):
                found.add(path)
        return frozenset(found)

    def _real(self, path: str, asked: str) -> str:
        """Return where a path from the top leads, links resolved. Raises OutsideProject where it leaves the tree."""
        todo: list[str] = path.split("/")[::-1]
        real: str = ""
        links = 0
        while todo:
            step = todo.pop()
            if step in ("", "."):
                continue
            if step == "..":
                if not real:
                    raise OutsideProject(asked)
                real = posixpath.dirname(real)
                continue
            real = posixpath.join(real, step)
            entry = self._tree.get(real)
            if entry is None or entry.form != LINK:
                continue
            links += 1
            target = os.fsdecode(self._repository.read(entry.identity, asked))
            if links > MOST_LINKS:
                raise Unreadable(asked, "its links go round in a circle")
            if target.startswith("/"):
                raise OutsideProject(asked)
            real = posixpath.dirname(real)
            todo.extend(reversed(target.split("/")))
        return real

    def _absolute(self, path: str) -> str:
        return posixpath.join(self._prefix, path)

    def _shown(self, real: str) -> str:
        shown = posixpath.relpath(real or ".", self._prefix or ".")
        return f"./{shown}" if shown.startswith("<") else shown

    def _is_in_repository(self, path: str) -> bool:
        return not os.path.isabs(path) and not posixpath.normpath(self._absolute(path)).startswith("..")

    def _is_near(self, path: str) -> bool:
        return path.startswith("../") and self._is_in_repository(path)


def _is_beneath(path: str, home: str) -> bool:
    return not home or path == home or path.startswith(f"{home}/")
