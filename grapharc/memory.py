"""The door to the claim store: facts with provenance go in, what is held and what was given up comes out."""

from grapharc.stdlib_kinds.memory.claim import Claim, ClaimStore
from grapharc.stdlib_kinds.memory.contradictions import (
    Contradiction,
    ContradictionGroup,
    add_and_detect,
    detect_contradictions,
    group_conflicts,
    known_entities,
    supersede_conflicting,
    unresolved_contradictions,
)
from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.store import MemoryStore, SQLiteMemoryStore

__all__ = [
    "Claim",
    "ClaimStore",
    "Contradiction",
    "ContradictionGroup",
    "MemoryStore",
    "SQLiteMemoryStore",
    "StoreError",
    "add_and_detect",
    "detect_contradictions",
    "group_conflicts",
    "known_entities",
    "supersede_conflicting",
    "unresolved_contradictions",
]
