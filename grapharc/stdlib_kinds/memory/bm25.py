"""How often a word stands in a claim and how rare it is go in; what it adds to the claim's score comes out (BM25F)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log

from grapharc.stdlib_kinds.memory.text import weigh

K1, B = 1.5, 0.75


def idf(claims: int, having: int) -> float:
    """Return the weight of a word that ``having`` of ``claims`` claims hold."""
    return log(1 + (claims - having + 0.5) / (having + 0.5))


def contribution(weight: float, frequency: int, length: int, average: float) -> float:
    """Return what a word adds that stands in a claim of that weighted length with that weighted frequency."""
    return weight * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / average))


def relevance(query: Sequence[str], texts: Iterable[tuple[str, str, str]]) -> list[float]:
    """Score subjects, predicates and objects that are at hand for a query's words, among themselves alone."""
    weighed = [weigh(*text) for text in texts]
    average = sum(length for _, length in weighed) / len(weighed) if weighed else 1.0
    rarity = {word: idf(len(weighed), sum(word in found for found, _ in weighed)) for word in query}
    return [score(rarity, found, length, average) for found, length in weighed]


def score(weights: Mapping[str, float], frequencies: Mapping[str, int], length: int, average: float) -> float:
    """Add up what the words of a query give one claim, in the query's order."""
    total = 0.0
    for word, weight in weights.items():
        if word in frequencies:
            total += contribution(weight, frequencies[word], length, average)
    return total
