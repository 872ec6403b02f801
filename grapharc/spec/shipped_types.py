"""The types that every document may name without declaring them: FORMATS section 1, *Types*."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.types import BOOLEAN, INTEGER, NULL, STRING, Member, OneOf, Record, Type

FAILURE = Record(
    "Failure",
    (
        Member("node", STRING),
        Member("kind", STRING),
        Member("code", STRING),
        Member("message", STRING),
        Member("attempts", INTEGER),
        Member("index", OneOf((INTEGER, NULL))),
    ),
)
MESSAGE = Record("Message", (Member("role", STRING), Member("content", STRING)))
CLAIM = Record("Claim", (Member("text", STRING), Member("citation", STRING)))
VERDICT = Record(
    "Verdict",
    (
        Member("claim_text", STRING),
        Member("citation", STRING),
        Member("accepted", BOOLEAN),
        Member("anchor_ok", BOOLEAN),
        Member("model_accepted", OneOf((BOOLEAN, NULL))),
        Member("reason", STRING),
    ),
)

SHIPPED_TYPES: Mapping[str, Type] = {record.name: record for record in (FAILURE, MESSAGE, CLAIM, VERDICT)}
"""A document's own type of the same name comes first."""
