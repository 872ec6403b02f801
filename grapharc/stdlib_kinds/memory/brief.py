"""Entities and a query go in; what a node should know before it works comes out, as text for its prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.contradictions import ContradictionGroup, group_conflicts
from grapharc.stdlib_kinds.memory.dead_ends import DEFAULT_MAX_DEAD_ENDS, retrieve_dead_ends
from grapharc.stdlib_kinds.memory.embedding import Embedder
from grapharc.stdlib_kinds.memory.keys import entity_keys
from grapharc.stdlib_kinds.memory.search import (
    DEFAULT_HOPS,
    DEFAULT_LEXICAL_WEIGHT,
    DEFAULT_MAX_CLAIMS,
    ScoredClaim,
    search,
)
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore
from grapharc.stdlib_kinds.memory.times import When

NOTHING = "No prior knowledge about these entities."
_KNOWN = "Known facts (with provenance):"
_CONTRADICTIONS = "Contradictions \u2014 same subject and predicate, different values:"
_SUPERSEDED = "Superseded \u2014 do not re-derive these:"
_NOTE_RESERVE = 24
"""Tokens kept for the line that says what was left out."""


@frozen
class _Section:
    header: str
    lines: tuple[str, ...]


def render_context(
    store: SQLiteMemoryStore,
    query: str | None = None,
    *,
    entities: Iterable[str] | None = None,
    max_claims: int = DEFAULT_MAX_CLAIMS,
    max_dead_ends: int = DEFAULT_MAX_DEAD_ENDS,
    max_tokens: int | None = None,
    hops: int = DEFAULT_HOPS,
    embedder: Embedder | None = None,
    lexical_weight: float = DEFAULT_LEXICAL_WEIGHT,
    spelling: bool = True,
    as_of: When | None = None,
    as_at: When | None = None,
) -> str:
    """Word what is known, what contradicts itself among that, and what was given up, each line with its provenance.

    With ``max_tokens`` (of four characters) whole lines are left out from the end, and the last line says how many.
    """
    named = entity_keys(entities or ())
    hits = search(
        store,
        query,
        entities=named,
        max_claims=max_claims,
        hops=hops,
        embedder=embedder,
        lexical_weight=lexical_weight,
        spelling=spelling,
        as_of=as_of,
        as_at=as_at,
    )
    about = [*named, *(hit.claim.subject for hit in hits)]
    given_up, omitted = retrieve_dead_ends(store, about, max_dead_ends, query, as_at=as_at)
    sections = [
        _Section(_KNOWN, tuple(_facts(hits, store))),
        _Section(_CONTRADICTIONS, tuple(_conflict(group) for group in group_conflicts(hit.claim for hit in hits))),
        _Section(_SUPERSEDED, tuple(_dead_ends(given_up, omitted))),
    ]
    sections = [section for section in sections if section.lines]
    if not sections:
        return NOTHING
    return _whole(sections) if max_tokens is None else _fitted(sections, max_tokens)


def _facts(hits: Sequence[ScoredClaim], store: SQLiteMemoryStore) -> Iterator[str]:
    subjects = {hit.claim.id: hit.claim.subject for hit in hits}
    for hit in hits:
        claim = hit.claim
        line = f"- {_triple(claim)} [source: {_flat(claim.source)}, observed: {claim.observed_at}]"
        if hit.via is None:
            yield line
            continue
        parent = subjects.get(hit.via) or _subject(store, hit.via)
        yield f"{line} (related via {_flat(parent)})"


def _subject(store: SQLiteMemoryStore, claim_id: str) -> str:
    parent = store.get(claim_id)
    return parent.subject if parent else claim_id


def _conflict(group: ContradictionGroup) -> str:
    values = " | ".join(f"'{_flat(each.object)}' ({each.id}, {_flat(each.source)})" for each in group.claims)
    return f"- {_flat(group.subject)} {_flat(group.predicate)}: {values}"


def _dead_ends(claims: Sequence[Claim], omitted: int) -> Iterator[str]:
    for claim in claims:
        yield f"- {_triple(claim)} (superseded by {claim.superseded_by})"
    if omitted:
        yield f"- (+{omitted} older corrections omitted)"


def _triple(claim: Claim) -> str:
    return f"{_flat(claim.subject)} {_flat(claim.predicate)} {_flat(claim.object)}"


def _flat(text: str) -> str:
    """A text on one line: nothing that somebody stored begins a line of its own in a prompt."""
    return " ".join(text.splitlines())


def _whole(sections: Sequence[_Section]) -> str:
    return "\n\n".join("\n".join((section.header, *section.lines)) for section in sections)


def _fitted(sections: Sequence[_Section], max_tokens: int) -> str:
    """Leave lines out from the end until the rest fits; a header never stands over nothing."""
    total = sum(len(section.lines) for section in sections)
    for kept in range(total, -1, -1):
        text = _whole(_first(sections, kept))
        if kept == total and _tokens(text) <= max_tokens:
            return text
        if kept < total and _tokens(text) <= max_tokens - _NOTE_RESERVE:
            break
    else:
        text, kept = "", 0
    note = f"(+{total - kept} lines omitted to fit a {max_tokens}-token budget)"
    return f"{text}\n{note}" if text else note


def _first(sections: Sequence[_Section], lines: int) -> list[_Section]:
    kept: list[_Section] = []
    for section in sections:
        if lines > 0:
            kept.append(_Section(section.header, section.lines[:lines]))
        lines -= len(section.lines)
    return kept


def _tokens(text: str) -> int:
    """Estimate from above how many tokens a text takes, line by line."""
    return sum(max(1, -(-len(line) // 4)) for line in text.split("\n")) if text else 0
