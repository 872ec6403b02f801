"""Texts go into a model that somebody injects; how near each claim is to a question comes out.

Vectors are kept in this process, beside the store they are of, and made for claims that have none yet when a question
is asked: there is no index that could go stale. Reading all of them takes time that grows with the store.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import sqrt
from operator import mul
from typing import Protocol
from weakref import WeakKeyDictionary

from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore

MIN_SIMILARITY = 0.15
"""What is less similar than this is not similar."""
_BATCH = 256


class Embedder(Protocol):
    """A model that knows which texts mean alike."""

    def embed(self, texts: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Return a vector for each text, all of one length."""
        ...


class _Vectors:
    """The vectors that one embedder gave for one store's claims: of the subject, and of the whole claim."""

    def __init__(self) -> None:
        self.upto = 0
        self.dimension: int | None = None
        self.of: dict[int, tuple[array[float], array[float]]] = {}


_kept: WeakKeyDictionary[SQLiteMemoryStore, WeakKeyDictionary[Embedder, _Vectors]] = WeakKeyDictionary()


def similarities(store: SQLiteMemoryStore, embedder: Embedder, query: str) -> Mapping[int, float]:
    """Return the rows of claims that are similar to a query, with the cosine of the angle between them.

    Raises ValueError for an embedder that returns another number of vectors than of texts, or another dimension.
    """
    vectors = _kept.setdefault(store, WeakKeyDictionary()).setdefault(embedder, _Vectors())
    _catch_up(store, embedder, vectors)
    (asked,) = _embedded(embedder, vectors, [query])
    found: dict[int, float] = {}
    for rid, both in vectors.of.items():
        similarity = max(sum(map(mul, asked, vector)) for vector in both)
        if similarity >= MIN_SIMILARITY:
            found[rid] = similarity
    return found


def _catch_up(store: SQLiteMemoryStore, embedder: Embedder, vectors: _Vectors) -> None:
    ask = "select rid, subject, predicate, object from claim where rid > ? order by rid limit ?"
    while rows := store.rows(ask, vectors.upto, _BATCH):
        texts = [text for _, *triple in rows for text in (triple[0], " ".join(triple))]
        made = _embedded(embedder, vectors, texts)
        for (rid, *_), subject, whole in zip(rows, made[::2], made[1::2], strict=True):
            vectors.of[rid] = (subject, whole)
        vectors.upto = rows[-1][0]


def _embedded(embedder: Embedder, vectors: _Vectors, texts: Sequence[str]) -> list[array[float]]:
    made = embedder.embed(texts)
    if len(made) != len(texts):
        raise ValueError(f"the embedder gave {len(made)} vectors for {len(texts)} texts, one for each would be right")
    for vector in made:
        vectors.dimension = vectors.dimension or len(vector)
        if len(vector) != vectors.dimension:
            wrong = f"the embedder gave a vector of {len(vector)} numbers after one of {vectors.dimension}"
            raise ValueError(f"{wrong}, all of one length would be right")
    return [_unit(vector) for vector in made]


def _unit(vector: Sequence[float]) -> array[float]:
    length = sqrt(sum(map(mul, vector, vector)))
    return array("f", [number / length for number in vector] if length else vector)
