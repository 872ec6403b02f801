"""The path of a store and a run's context go in; the open store comes out, confined to the project folder."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Protocol

from grapharc.runtime.evidence import EvidenceContext
from grapharc.spec.canonical import canonical
from grapharc.stdlib_kinds.memory.store import MemoryStore, SQLiteMemoryStore


class StoreContext(EvidenceContext, Protocol):
    """What the memory kinds use of the run's context."""

    @property
    def run_id(self) -> str:
        """The run that this activation is part of."""
        ...

    @property
    def node(self) -> str:
        """The name of the node that runs."""
        ...

    def store(self, path: str) -> Path:
        """Return where a store lies."""
        ...


def open_to_read(path: str, ctx: StoreContext) -> SQLiteMemoryStore:
    """Open a store that nothing is written to; one that is not there yet holds nothing. Raises StoreError."""
    file = ctx.store(path)
    return SQLiteMemoryStore(file, read_only=True) if file.exists() else MemoryStore()


def open_to_write(path: str, ctx: StoreContext) -> SQLiteMemoryStore:
    """Open a store, and make one where there is none. Raises StoreError."""
    return SQLiteMemoryStore(ctx.store(path))


def own_id(ctx: StoreContext, *parts: str) -> str:
    """Return the id of what a node of a run writes: the same again when the node is tried again."""
    return sha256(canonical([ctx.run_id, ctx.node, *parts]).encode()).hexdigest()[:12]
