"""Claims and what is known of a store go in; lines for people, and JSON for programs, come out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.memory import Citation, Claim, ScoredClaim, Statistics, Verified
from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.log import Op


def hits_text(hits: Sequence[ScoredClaim], colour: bool) -> str:
    """Return a claim a line with its score and how it was found, its provenance beneath."""
    if not hits:
        return "nothing found\n"
    lines: list[str] = []
    for hit in hits:
        how = hit.channel if hit.via is None else f"{hit.hops} {'hop' if hit.hops == 1 else 'hops'} from {hit.via}"
        lines.append(f"{hit.score:.3f}  {paint(_triple(hit.claim), 'title', colour)}")
        lines.append(f"       {_provenance(hit.claim)}; {how}")
    return _joined(lines)


def hits_json(hits: Sequence[ScoredClaim]) -> dict[str, Json]:
    """Return hits, best first."""
    return {
        "hits": [
            {**claim_json(hit.claim), "score": hit.score, "channel": hit.channel, "hops": hit.hops, "via": hit.via}
            for hit in hits
        ]
    }


def claim_text(claim: Claim, rests: Sequence[Citation], colour: bool) -> str:
    """Return all that is known of a claim, and what it rests on."""
    rows = [(name, str(value)) for name, value in claim_json(claim).items() if value is not None]
    widest = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{widest}}  {printable(value)}" for name, value in rows]
    lines += [f"  {'rests on':<{widest}}  {_citation(each)}" for each in rests]
    return paint(_triple(claim), "title", colour) + "\n" + _joined(lines)


def cited_json(claim: Claim, rests: Sequence[Citation]) -> dict[str, Json]:
    """Return all that is known of a claim, and what it rests on."""
    return {**claim_json(claim), "citations": [_citation_json(each) for each in rests]}


def claim_json(claim: Claim) -> dict[str, Json]:
    """Return all that is known of a claim."""
    return {
        "id": claim.id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "source": claim.source,
        "run_id": claim.run_id,
        "confidence": claim.confidence,
        "observed_at": claim.observed_at,
        "valid_from": claim.valid_from,
        "valid_to": claim.valid_to,
        "recorded_at": claim.recorded_at,
        "superseded_by": claim.superseded_by,
        "superseded_at": claim.superseded_at,
    }


def entity_text(held: Sequence[Claim], given_up: Sequence[Claim], colour: bool) -> str:
    """Return what is held of an entity, and what was given up."""
    lines: list[str] = []
    for title, claims in (("held", held), ("superseded", given_up)):
        if claims:
            lines.append(paint(title, "title", colour))
            lines.extend(f"  {line}" for claim in claims for line in _lines(claim))
    return _joined(lines)


def entity_json(held: Sequence[Claim], given_up: Sequence[Claim]) -> dict[str, Json]:
    """Return the same."""
    return {"held": [claim_json(claim) for claim in held], "superseded": [claim_json(claim) for claim in given_up]}


def history_text(chain: Sequence[tuple[Claim, Sequence[Citation]]], colour: bool) -> str:
    """Return one value after the other with what it rests on, what is held now marked."""
    lines: list[str] = []
    for claim, rests in chain:
        fate = paint("held", "good", colour) if claim.is_current else f"superseded by {claim.superseded_by}"
        lines.append(f"{claim.observed_at}  {paint(printable(claim.object), 'title', colour)}  ({fate})")
        indent = " " * len(claim.observed_at)
        lines.append(f"{indent}  {_origin(claim)}")
        lines.extend(f"{indent}  rests on {_citation(each)}" for each in rests)
    return _joined(lines)


def history_json(chain: Sequence[tuple[Claim, Sequence[Citation]]]) -> dict[str, Json]:
    """Return the same."""
    return {"history": [cited_json(claim, rests) for claim, rests in chain]}


def stats_text(found: Statistics, colour: bool) -> str:
    """Return a count a line."""
    rows = [(name.replace("_", " "), "-" if value is None else str(value)) for name, value in stats_json(found).items()]
    widest = max(len(name) for name, _ in rows)
    return _joined(f"{paint(f'{name:<{widest}}', 'title', colour)}  {value}" for name, value in rows)


def stats_json(found: Statistics) -> dict[str, Json]:
    """Return the same."""
    return {
        "claims": found.claims,
        "held": found.held,
        "superseded": found.superseded,
        "entities": found.entities,
        "contradictions": found.contradictions,
        "artifacts": found.artifacts,
        "runs": found.runs,
        "operations": found.operations,
        "first": found.first,
        "last": found.last,
    }


def verified_text(found: Verified, colour: bool) -> str:
    """Return the end of the chain, or what is wrong and where."""
    if found.faults:
        lines = [f"{paint('fault', 'error', colour)}: {printable(fault)}" for fault in found.faults]
        return _joined(lines)
    head = "" if not found.operations else f", head {found.head}"
    counted = "1 operation" if found.operations == 1 else f"{found.operations} operations"
    return f"{paint('whole', 'good', colour)}: {counted}{head}\n"


def verified_json(found: Verified) -> dict[str, Json]:
    """Return the same."""
    return {"operations": found.operations, "head": found.head, "faults": list(found.faults)}


def export_text(found: Sequence[Op]) -> str:
    """Return JSON, an operation a line, with what a terminal would obey or hide as an escape."""
    return _joined(_escaped(canonical(one)) for one in _operations(found))


def _escaped(line: str) -> str:
    """Escape as JSON does; all that is not printable stands within strings."""
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line)


def export_json(found: Sequence[Op]) -> dict[str, Json]:
    """Return the same in one document."""
    return {"operations": list(_operations(found))}


def _operations(found: Iterable[Op]) -> Iterator[dict[str, Json]]:
    for op in found:
        yield {
            "n": op.n,
            "writer": op.writer,
            "seq": _cell(op.seq),
            "at": _cell(op.hlc),
            "verb": op.verb,
            "format": _cell(op.format),
            **_body(op.body),
            "prev": _cell(op.prev),
            "hash": _cell(op.hash),
        }


def _body(text: str) -> dict[str, Json]:
    """The value that was recorded; where the text is no canonical JSON, somebody else wrote it: the text, marked."""
    try:
        value: Json = json.loads(text)
        is_ours = canonical(value) == text
    except (ValueError, RecursionError):
        return {"body": text, "body_is_text": True}
    return {"body": value} if is_ours else {"body": text, "body_is_text": True}


def _cell(value: object) -> Json:
    """A value of a column as it stands there, of whatever type somebody made it; bytes in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, int) else str(value)


def _lines(claim: Claim) -> Iterator[str]:
    by = "" if claim.superseded_by is None else f", superseded by {claim.superseded_by}"
    yield f"{printable(claim.predicate)} {printable(claim.object)}"
    yield f"  {_provenance(claim)}{by}"


def _triple(claim: Claim) -> str:
    return printable(f"{claim.subject} {claim.predicate} {claim.object}")


def _provenance(claim: Claim) -> str:
    return f"{_origin(claim)}, seen {claim.observed_at}"


def _origin(claim: Claim) -> str:
    run = "" if claim.run_id is None else f", run {claim.run_id}"
    return printable(f"{claim.id} from {claim.source}{run}")


def _citation(one: Citation) -> str:
    run = "" if one.run_id is None else f", run {one.run_id}"
    return printable(f"'{one.quote}' in {one.source} (sha256 {one.source_sha256[:12]}), {one.standing}{run}")


def _citation_json(one: Citation) -> dict[str, Json]:
    return {
        "quote": one.quote,
        "source": one.source,
        "source_sha256": one.source_sha256,
        "standing": one.standing,
        "run_id": one.run_id,
        "recorded_at": one.recorded_at,
    }


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
