"""Claims and a question go in; what search answers comes out, worked out the plain way over all claims at hand.

Nothing of the store's search is used but how a text is split into words and a name into its key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from grapharc.memory import Claim
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.text import words

K1, B = 1.5, 0.75
WEIGHTS = (3, 1, 2)


@dataclass
class Hit:
    claim: Claim
    score: float
    hops: int
    via: str | None
    channel: str

    @property
    def order(self) -> tuple[float, str, str]:
        return round(self.score, 9), self.claim.observed_at, self.claim.id


def bm25f(claims: Sequence[Claim], query: str) -> list[float]:
    """Score every claim."""
    fields = [[words(text) for text in (claim.subject, claim.predicate, claim.object)] for claim in claims]
    lengths = [sum(weight * len(field) for weight, field in zip(WEIGHTS, three, strict=True)) for three in fields]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    scores = [0.0] * len(claims)
    for term in dict.fromkeys(words(query)):
        having = sum(any(term in field for field in three) for three in fields)
        if not having:
            continue
        idf = log(1 + (len(claims) - having + 0.5) / (having + 0.5))
        for number, three in enumerate(fields):
            tf = sum(weight * field.count(term) for weight, field in zip(WEIGHTS, three, strict=True))
            if tf:
                scores[number] += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * lengths[number] / average))
    return scores


def plain_search(
    claims: Sequence[Claim], query: str, entities: Sequence[str], max_claims: int, hops: int, decay: float = 0.45
) -> list[Hit]:
    """Answer from all claims, those that are superseded counted in what is rare and left out of what is found."""
    hits: dict[str, Hit] = {}
    scores = bm25f(claims, query)
    current = [(claim, score) for claim, score in zip(claims, scores, strict=True) if claim.is_current]
    top = max((score for _, score in current), default=0.0)
    named = {key(entity) for entity in entities}
    for claim, score in current:
        text = 0.9 * (score / top) if score else 0.0
        entity = 1.0 if key(claim.subject) in named else 0.0
        if entity + text:
            channel = "+".join(name for name, part in (("entity", entity), ("lexical", text)) if part)
            hits[claim.id] = Hit(claim, entity + text, 0, None, channel)
    for _ in range(hops):
        for parent in sorted(hits.values(), key=lambda hit: hit.order, reverse=True)[:max_claims]:
            for claim, _ in current:
                about, leading = (
                    key(parent.claim.object) == key(claim.subject),
                    key(claim.object) == key(parent.claim.subject),
                )
                inherited = parent.score * decay
                if (about or leading) and (claim.id not in hits or hits[claim.id].score < inherited):
                    hits[claim.id] = Hit(claim, inherited, parent.hops + 1, parent.claim.id, "graph")
    return sorted(hits.values(), key=lambda hit: hit.order, reverse=True)[:max_claims]
