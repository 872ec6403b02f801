"""Bytes go in, and are on the disk under their hash when the call returns; a hash goes in, and its bytes come out."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from grapharc.runtime.atomic import replace_file, sync_folder
from grapharc.stdlib_kinds.memory.artifact import blob_key
from grapharc.stdlib_kinds.memory.errors import StoreError

_HASH = re.compile("[0-9a-f]{64}")


def blob_path(database: str, sha: str) -> Path:
    """Return where the bytes of a hash are kept: in a folder beside the database, which stays small so."""
    return Path(f"{database}.blobs", *blob_key(sha))


def write_blob(database: str, sha: str, data: bytes) -> None:
    """Write bytes under their hash, unless they are there: whole or not at all, and lasting when this returns.

    What was damaged there is made whole again. Who may read the database may read its bytes.
    """
    path = blob_path(database, sha)
    if _holds(path, sha):
        return
    _make_folders(path.parent)
    replace_file(str(path), data, mode=Path(database).stat().st_mode & 0o666)


def read_blob(database: str, sha: str, name: str) -> bytes:
    """Read bytes back. Raises FileNotFoundError where they are gone, StoreError where they are not what was put."""
    path = blob_path(database, sha)
    if not _HASH.fullmatch(sha):  # what somebody else wrote there may lead anywhere
        raise StoreError(str(path), f"is named by no hash of artifact '{name}'", "64 hexadecimal digits would be right")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        wrong = f"the bytes of artifact '{name}' are gone: '{path}' does not exist"
        raise FileNotFoundError(f"{wrong}, copying '{database}.blobs' along with the database would be right") from None
    if sha256(data).hexdigest() != sha:
        raise StoreError(
            str(path), f"holds other bytes than artifact '{name}' did", "a copy of the file would be right"
        )
    return data


def _holds(path: Path, sha: str) -> bool:
    """Tell whether a file holds the bytes of a hash; one that cannot be read does not."""
    try:
        return sha256(path.read_bytes()).hexdigest() == sha
    except OSError:
        return False


def _make_folders(folder: Path) -> None:
    for path in (folder.parent, folder):
        if not path.is_dir():
            path.mkdir(exist_ok=True)
            sync_folder(str(path.parent))
