"""Documents that were rewritten go in; they are written where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.project.errors import CannotStart
from grapharc.project.opening import Project
from grapharc.project.writing import write_file
from grapharc.spec.frozen import frozen


@frozen
class Rewrite:
    """A document before and after, by the path that it is shown under."""

    path: str
    before: bytes
    after: bytes


def write_all(project: Project, rewrites: Iterable[Rewrite]) -> None:
    """Write what was rewritten. Raises CannotStart, which names the document that cannot be written."""
    for each in rewrites:
        try:
            write_file(project.loader.real(each.path), each.after)
        except OSError as error:
            raise CannotStart(f"'{each.path}' cannot be written: {(error.strerror or str(error)).lower()}") from None
