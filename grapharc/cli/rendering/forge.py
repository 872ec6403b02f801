"""A document's path goes in; what a forge calls the file comes out: its path in the repository, or an encoded URI.

Forges and their tools look files up from the repository's folder, and findings name them from the project's.
"""

from __future__ import annotations

from posixpath import normpath
from urllib.parse import quote

from grapharc.cli.rendering.cells import printable
from grapharc.project.files import SHIPPED, STDIN

SAFE = "/-._~"
"""What a URI's path holds as it is, besides letters and digits; all else is percent-encoded (RFC 3986)."""


def is_file(document: str) -> bool:
    """Tell whether a document is a file of somebody's, and not standard input or a manifest of ours."""
    return document != STDIN and not document.startswith(SHIPPED)


def path_in_repository(document: str, way: str) -> str:
    """Return a file's path as a forge has it; ``way`` leads from the repository's folder to the project's."""
    return printable(_path(document, way)) if is_file(document) else document


def uri(document: str, way: str) -> tuple[str, str | None]:
    """Return a relative URI, percent-encoded, and what it is relative to: a base's name, or None."""
    if document == STDIN:
        return quote(document, SAFE), None
    if document.startswith(SHIPPED):
        return quote(document.removeprefix(SHIPPED), SAFE), "GRAPHARC"
    path = _path(document, way)
    # The first part of a relative URI may hold no colon, which is encoded, like all that is not safe.
    return quote(path.encode("utf-8", "surrogateescape"), SAFE), "%SRCROOT%"


def _path(document: str, way: str) -> str:
    return normpath(f"{way}{document}")
