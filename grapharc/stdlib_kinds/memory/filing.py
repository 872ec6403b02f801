"""A name and a text go in and are filed as a version; a name goes in, and the text of its latest version comes out."""

from __future__ import annotations

from hashlib import sha256

from grapharc.runtime.evidence import note_recalled
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.access import StoreContext, own_id
from grapharc.stdlib_kinds.memory.artifacts import MemoryArtifactStore, SQLiteArtifactStore


class NoArtifact(Exception):
    """Nothing was put under a name. ``name`` as it was asked for, ``store`` as the registry pins it."""

    def __init__(self, name: str, store: str) -> None:
        super().__init__(name, store)
        self.name, self.store = name, store

    def __str__(self) -> str:
        return f"there is no artifact '{self.name}' in '{self.store}', names are matched exactly"


def put_artifact(*, name: str, text: str, store: str, ctx: StoreContext) -> dict[str, Json]:
    """Return the ``id`` of the version. What the same node of the same run put last is not put a second time.

    Raises ValueError for a blank name, StoreError and OSError.
    """
    with SQLiteArtifactStore(ctx.store(store)) as files:
        versions = files.versions(name)
        digest = sha256(text.encode()).hexdigest()
        if versions:
            last = versions[-1]
            if (last.sha256, last.run_id, last.node) == (digest, ctx.run_id, ctx.node):
                return {"id": last.id}
        known = own_id(ctx, "put", name, digest, str(len(versions)))
        put = files.put(name, text, source=f"node:{ctx.node}", run_id=ctx.run_id, node=ctx.node, artifact_id=known)
    return {"id": put.id}


def get_artifact(*, name: str, store: str, ctx: StoreContext) -> dict[str, Json]:
    """Return the ``text`` and the ``id`` of the latest version. Raises NoArtifact, StoreError, UnicodeDecodeError."""
    file = ctx.store(store)
    with SQLiteArtifactStore(file, read_only=True) if file.exists() else MemoryArtifactStore() as files:
        found = files.latest(name)
        if found is None:
            raise NoArtifact(name, store)
        text = files.read_text(found)
    note_recalled(ctx, text)
    return {"text": text, "id": found.id}
