"""Entities and a query go in; the claims that matter come out, each with why it is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.embedding import Embedder, similarities
from grapharc.stdlib_kinds.memory.keys import entity_keys, number_of
from grapharc.stdlib_kinds.memory.moments import moments, recorded, visible
from grapharc.stdlib_kinds.memory.query import understand
from grapharc.stdlib_kinds.memory.rows import COLUMNS, FROM, claim_of
from grapharc.stdlib_kinds.memory.seeds import Hit, Node, SearchScope, Text, about, read_text
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore
from grapharc.stdlib_kinds.memory.times import When

DEFAULT_HOP_DECAY = 0.45
DEFAULT_HOPS = 1
DEFAULT_LEXICAL_WEIGHT = 0.6
DEFAULT_MAX_CLAIMS = 20


@frozen
class ScoredClaim:
    """A claim that was found, ``hops`` away from what was asked for, ``via`` the claim of that id, by a ``channel``.

    Channels are ``entity``, ``lexical``, ``spelling`` and ``hybrid`` (an embedder had a say), one of the last three
    after ``entity+``, and ``graph``.
    """

    claim: Claim
    score: float
    hops: int
    via: str | None
    channel: str


def search(
    store: SQLiteMemoryStore,
    query: str | None = None,
    *,
    entities: Iterable[str] | None = None,
    max_claims: int = DEFAULT_MAX_CLAIMS,
    hops: int = DEFAULT_HOPS,
    hop_decay: float = DEFAULT_HOP_DECAY,
    embedder: Embedder | None = None,
    lexical_weight: float = DEFAULT_LEXICAL_WEIGHT,
    spelling: bool = True,
    include_superseded: bool = False,
    as_of: When | None = None,
    as_at: When | None = None,
) -> list[ScoredClaim]:
    """Return the claims that matter, those that matter most first; none for no query and no entity.

    A named entity's claims score at least 1. Text adds 0.9 at most: a claim's BM25F score over the best one's, blended
    with an embedder's similarity where there is one. A hop from a claim to one about its object, or to one whose object
    is its subject, multiplies the score by ``hop_decay``; from each claim it goes to the newest ``max_claims`` of
    either sort. All that is stored is searched, whoever stored it and when; what is superseded only if it is asked for.
    """
    at = moments(as_of, as_at)
    hits: dict[int, Hit] = {}
    with store.reading() as execute:
        asked = SearchScope(execute, recorded(at) if include_superseded else visible(at), max_claims)
        text: Text | None = None
        if query is not None and query.strip():
            similar: Mapping[int, float] = similarities(store, embedder, query) if embedder else {}
            text, found = read_text(asked, understand(execute, query, spelling), similar, lexical_weight)
            hits = {hit.node.rid: hit for hit in found}
        for name in entity_keys(entities or ()):
            hits |= {hit.node.rid: hit for hit in about(asked, name, text)}
        for _ in range(hops):
            hop(asked, hits, hop_decay)
        kept = _best(hits, max_claims)
        rows = execute(f"select {COLUMNS} from {FROM} where c.rid in ({_listed(kept)})", ()).fetchall()
    claims = {row[0]: claim_of(row, at.as_at) for row in rows}
    return [ScoredClaim(claims[hit.node.rid], hit.score, hit.hops, hit.via, hit.channel) for hit in kept]


def hop(asked: SearchScope, hits: dict[int, Hit], decay: float) -> None:
    """Go one step from the best hits, best first; a claim that is reached is kept with the most that it can have."""
    for parent in _best(hits, asked.wanted):
        inherited = parent.score * decay
        for node in _neighbours(asked, parent.node):
            if node.rid not in hits or hits[node.rid].score < inherited:
                hits[node.rid] = Hit(node, inherited, parent.hops + 1, parent.node.id, "graph")


def _neighbours(asked: SearchScope, node: Node) -> list[Node]:
    """Return the newest claims about a claim's object, and the newest that lead to its subject."""
    return [
        Node(*row)
        for number, column, name in (
            ("subject_number", "skey", node.object),
            ("object_number", "okey", node.subject),
        )
        for row in asked.execute(
            f"select c.rid, c.observed, c.id, c.skey, c.okey from {FROM} where c.{number} = ? and c.{column} = ? "
            f"and {asked.condition} order by c.observed desc, c.id desc limit {asked.wanted}",
            (number_of(name), name),
        )
    ]


def _best(hits: dict[int, Hit], wanted: int) -> list[Hit]:
    return sorted(hits.values(), key=lambda hit: hit.order, reverse=True)[:wanted]


def _listed(hits: list[Hit]) -> str:
    return ", ".join(str(hit.node.rid) for hit in hits)
