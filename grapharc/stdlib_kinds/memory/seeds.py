"""A question goes in; the claims that it leads to by itself come out, before any hop: by entity, by text, by both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.bm25 import score
from grapharc.stdlib_kinds.memory.keys import number_of
from grapharc.stdlib_kinds.memory.moments import of_posting
from grapharc.stdlib_kinds.memory.query import SPELLING_WEIGHT, Query
from grapharc.stdlib_kinds.memory.ranking import best
from grapharc.stdlib_kinds.memory.rows import ABOUT, FROM
from grapharc.stdlib_kinds.memory.spelling import Execute
from grapharc.stdlib_kinds.memory.text import weigh

ENTITY_SEED_SCORE = 1.0
TEXT_SEED_SCALE = 0.9
"""Text alone never outranks a named entity: its band ends where that of entities begins."""
_AT_ONCE = 500


@frozen
class Node:
    """A claim as search walks over it: its row, what it ties by, and the keys of its subject and object."""

    rid: int
    seen: int
    id: str
    subject: str
    object: str


@frozen
class Hit:
    """Why a claim was found: its score, hops from what was asked for, the claim that it was reached by, the channel."""

    node: Node
    score: float
    hops: int
    via: str | None
    channel: str

    @property
    def order(self) -> tuple[float, int, str]:
        """What hits are sorted by, descending."""
        return round(self.score, 9), self.node.seen, self.node.id


@frozen
class SearchScope:
    """How a question is answered: ``condition`` says which claims count, ``wanted`` how many of them are of use."""

    execute: Execute
    condition: str
    wanted: int


@frozen
class Text:
    """A query, the best score that any claim gets by its words, and how near claims are to it in meaning."""

    query: Query
    top: float
    similar: Mapping[int, float]
    lexical_weight: float

    def points(self, rid: int, texts: tuple[str, str, str]) -> tuple[float, str]:
        """Return what the query gives a claim, from 0 to ``TEXT_SEED_SCALE``, and the channel; 0 for nothing."""
        frequencies, length = weigh(*texts)
        words = score(self.query.weights, frequencies, length, self.query.average)
        certain = words / self.top * (SPELLING_WEIGHT if self.query.is_a_guess else 1.0) if words else 0.0
        meaning = self.similar.get(rid)
        if meaning is None:
            written = not self.query.guessed or any(
                word in frequencies for word in self.query.words if word not in self.query.guessed
            )
            return TEXT_SEED_SCALE * certain, "lexical" if written else "spelling"
        blend = self.lexical_weight * certain + (1 - self.lexical_weight) * meaning if words else meaning
        return TEXT_SEED_SCALE * blend, "hybrid"


def read_text(
    asked: SearchScope, query: Query, similar: Mapping[int, float], lexical_weight: float
) -> tuple[Text, list[Hit]]:
    """Find what a query leads to: the best by its words, and all that is near in meaning."""
    condition = of_posting(asked.condition)
    found = best(asked.execute, list(query.words.values()), query.average, asked.wanted, condition, query.claims)
    rows = _rows(asked, {*(each.rid for each in found), *similar})
    scores = [score(query.weights, *weigh(*texts), query.average) for _, texts in rows]
    text = Text(query, max(scores, default=0.0), similar, lexical_weight)
    hits = [_hit(node, 0.0, *text.points(node.rid, texts)) for node, texts in rows]
    return text, [hit for hit in hits if hit.score > 0]


def about(asked: SearchScope, subject: str, text: Text | None) -> list[Hit]:
    """Find the claims about an entity, which a query puts in order: all of them with one, else the newest."""
    ask = f"{_SELECT} where {ABOUT} and {asked.condition} order by c.observed desc, c.id desc"
    if text is None:
        found = asked.execute(f"{ask} limit {asked.wanted}", (number_of(subject), subject))
        return [_hit(_node(row), ENTITY_SEED_SCORE, 0.0, "") for row in found]
    return [
        _hit(_node(row), ENTITY_SEED_SCORE, *text.points(row[0], row[5:]))
        for row in asked.execute(ask, (number_of(subject), subject))
    ]


_SELECT = f"select c.rid, c.observed, c.id, c.skey, c.okey, c.subject, c.predicate, c.object from {FROM}"


def _rows(asked: SearchScope, rids: Iterable[int]) -> list[tuple[Node, tuple[str, str, str]]]:
    ordered = sorted(rids)
    found: list[tuple[Node, tuple[str, str, str]]] = []
    for start in range(0, len(ordered), _AT_ONCE):
        some = ", ".join(map(str, ordered[start : start + _AT_ONCE]))
        rows = asked.execute(f"{_SELECT} where c.rid in ({some}) and {asked.condition}", ())
        found += [(_node(row), row[5:]) for row in rows]
    return found


def _node(row: tuple[Any, ...]) -> Node:
    return Node(*row[:5])


def _hit(node: Node, entity: float, points: float, channel: str) -> Hit:
    named = "entity" if entity else ""
    return Hit(node, entity + points, 0, None, "+".join(filter(None, (named, channel if points else ""))))
