"""How the checker gets at texts: by a loader that it is handed, never by opening files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class OutsideProject(Exception):
    """A reference leads, links resolved, to a place outside the project folder. ``args``: the reference."""

    def __init__(self, reference: str) -> None:
        super().__init__(reference)
        self.reference = reference

    def __str__(self) -> str:
        return f"'{self.reference}' lies outside the project"


class Unreadable(Exception):
    """A document cannot be read. ``path`` as asked for, ``why`` in the system's words."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path, self.why = path, why

    def __str__(self) -> str:
        return f"'{self.path}' cannot be read: {self.why}"


class Loader(Protocol):
    """Gives the bytes of documents. Paths are posix and relative to the project folder, as findings show them."""

    def resolve(self, reference: str, beside: str) -> str:
        """Return the path that ``reference`` means in the document ``beside``. Raises :class:`OutsideProject`."""
        ...

    def load(self, path: str) -> bytes:
        """Return a document's bytes. Raises :class:`Unreadable` or :class:`OutsideProject`."""
        ...

    def shipped(self) -> Iterable[tuple[str, bytes]]:
        """Yield (path, bytes) of each manifest of the standard library, in the order of their names."""
        ...
