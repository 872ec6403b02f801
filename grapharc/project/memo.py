"""A project's root goes in, what earlier checks found out about texts comes out, and goes back when there is more.

The cache stands in the user's cache folder. Whoever could place one there, with a pull request for instance where that
folder is in the project, would decide what the checker believes; so it is sealed with the user's secret. One that is
damaged, or that another user, version or build wrote, counts as empty, and one that cannot be read or written fails no
check.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Mapping

from grapharc.project.cache_folder import cache_folder
from grapharc.project.files import read_file
from grapharc.project.verdicts import secret_in
from grapharc.project.writing import write_file
from grapharc.spec.hashing import blake2b
from grapharc.spec.json_value import Json
from grapharc.spec.loader import Unreadable
from grapharc.spec.memo import Memo
from grapharc.spec.version import VERSION

MOST_BYTES = 4 * 1024 * 1024
"""A cache that grows beyond this loses the older half of every table."""

_MARK = b"grapharc memo 1\n"
_SPEC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "spec")


def load_memo(root: str, environ: Mapping[str, str]) -> Memo:
    """Return what is known to a project, an empty memo if nothing is."""
    folder = cache_folder(environ)
    if folder is None:
        return Memo()
    path = _path(folder, root)
    try:
        key = _key(folder)
        return Memo() if key is None else Memo(_open(read_file(path, path), key))
    except (OSError, ValueError, Unreadable):
        return Memo()


def save_memo(memo: Memo, root: str, environ: Mapping[str, str]) -> None:
    """Keep what is known, if anything is new; a cache that cannot be written is none."""
    folder = cache_folder(environ) if memo.changed else None
    if folder is not None:
        with contextlib.suppress(OSError, ValueError):
            key = _key(folder)
            if key is not None:
                write_file(_path(folder, root), _seal(memo.tables, key))


def _path(folder: str, root: str) -> str:
    name = blake2b(os.path.realpath(root).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return os.path.join(folder, f"{name}.memo")


def _seal(tables: dict[str, dict[str, Json]], key: bytes) -> bytes:
    content = marshal.dumps(tables)
    while len(content) > MOST_BYTES and any(tables.values()):
        tables = {room: dict(list(table.items())[len(table) // 2 + 1 :]) for room, table in tables.items()}
        content = marshal.dumps(tables)
    return _MARK + _digest(content, key) + content


def _open(sealed: bytes, key: bytes) -> dict[str, dict[str, Json]] | None:
    start = len(_MARK) + 16
    mark, digest, content = sealed[: len(_MARK)], sealed[len(_MARK) : start], sealed[start:]
    if mark != _MARK or digest != _digest(content, key):
        return None
    # Only what this user's very build has sealed gets here, so its shape is the one that it had.
    tables: dict[str, dict[str, Json]] = marshal.loads(content)  # noqa: S302
    return tables


def _digest(content: bytes, key: bytes) -> bytes:
    return blake2b(content, digest_size=16, key=key).digest()


def _key(folder: str) -> bytes | None:
    """What seals a cache: the user's secret, and this build, with which what a grammar says of a text may change.

    None where there is no secret. Raises OSError.
    """
    secret = secret_in(folder)
    if secret is None:
        return None
    newest = size = 0
    for folder in (_SPEC, *(os.path.join(_SPEC, room) for room in ("arguments", "documents", "expressions"))):
        for entry in os.scandir(folder) if os.path.isdir(folder) else ():
            found = entry.stat()
            if entry.is_file():
                newest, size = max(newest, found.st_mtime_ns), size + found.st_size
    build = f"{VERSION} {sys.implementation.cache_tag} {sys.hexversion} {newest} {size}"
    return blake2b(build.encode(), digest_size=32, key=secret).digest()
