"""Claims and a query go in; the best claims come out as a plain BM25F finds them: all postings in memory, all read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import log

from grapharc.memory import Claim
from grapharc.stdlib_kinds.memory.text import words

_K1, _B = 1.5, 0.75
_WEIGHTS = (3, 1, 2)


class PlainIndex:
    """An index of all claims: for each word the numbers of claims and the weighted frequency there."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self.having: dict[str, tuple[array[int], array[int]]] = {}
        self.lengths = array("H")
        self.ids: list[str] = []
        for number, claim in enumerate(claims):
            frequencies: dict[str, int] = {}
            length = 0
            for text, weight in zip((claim.subject, claim.predicate, claim.object), _WEIGHTS, strict=True):
                found = words(text)
                length += weight * len(found)
                for word in found:
                    frequencies[word] = frequencies.get(word, 0) + weight
            for word, frequency in frequencies.items():
                numbers, counts = self.having.setdefault(word, (array("I"), array("B")))
                numbers.append(number)
                counts.append(frequency)
            self.lengths.append(length)
            self.ids.append(claim.id)
        self.average = sum(self.lengths) / len(self.lengths)

    def search(self, query: str, wanted: int = 20) -> Sequence[tuple[str, float]]:
        """Return ids and scores over the best one's, the newest of equals first; claims are numbered by age."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words(query)):
            if word not in self.having:
                continue
            numbers, counts = self.having[word]
            idf = log(1 + (len(self.lengths) - len(numbers) + 0.5) / (len(numbers) + 0.5))
            for number, tf in zip(numbers, counts, strict=True):
                gain = idf * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * self.lengths[number] / self.average))
                scores[number] = scores.get(number, 0.0) + gain
        top = max(scores.values(), default=1.0)
        best = nlargest(wanted, ((round(0.9 * (score / top), 9), number) for number, score in scores.items()))
        return [(self.ids[number], 0.9 * (scores[number] / top)) for _, number in best]
