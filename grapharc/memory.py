"""The door to the claim store: facts with provenance go in, what is held and what was given up comes out."""

from grapharc.stdlib_kinds.memory.artifact import Artifact
from grapharc.stdlib_kinds.memory.artifacts import (
    ArtifactStore,
    MemoryArtifactStore,
    SQLiteArtifactStore,
    render_artifacts,
)
from grapharc.stdlib_kinds.memory.brief import render_context
from grapharc.stdlib_kinds.memory.citation import Citation
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
from grapharc.stdlib_kinds.memory.dead_ends import retrieve_dead_ends
from grapharc.stdlib_kinds.memory.embedding import Embedder
from grapharc.stdlib_kinds.memory.errors import StoreError
from grapharc.stdlib_kinds.memory.proving import Verified, verify_store
from grapharc.stdlib_kinds.memory.search import ScoredClaim, search
from grapharc.stdlib_kinds.memory.statistics import Statistics, statistics
from grapharc.stdlib_kinds.memory.store import MemoryStore, SQLiteMemoryStore

__all__ = [
    "Artifact",
    "ArtifactStore",
    "Citation",
    "Claim",
    "ClaimStore",
    "Contradiction",
    "ContradictionGroup",
    "Embedder",
    "MemoryArtifactStore",
    "MemoryStore",
    "SQLiteArtifactStore",
    "SQLiteMemoryStore",
    "ScoredClaim",
    "Statistics",
    "StoreError",
    "Verified",
    "add_and_detect",
    "detect_contradictions",
    "group_conflicts",
    "known_entities",
    "render_artifacts",
    "render_context",
    "retrieve_dead_ends",
    "search",
    "statistics",
    "supersede_conflicting",
    "unresolved_contradictions",
    "verify_store",
]
