"""Claims, a source and the role of a reviewer go in; accepted and rejected claims with their verdicts come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from langchain_core.messages import BaseMessage

from grapharc.runtime.evidence import EvidenceContext, Noted, note_verdict, source_digest
from grapharc.runtime.models.roles import ModelContext, open_model
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.verification.relaxations import Relaxation
from grapharc.stdlib_kinds.verification.verdict import Verdict, evaluate_verdicts, verify_claim


class ReviewContext(ModelContext, EvidenceContext, Protocol):
    """What a review uses of the run's context."""


class TooManyClaims(Exception):
    """More claims came in than one activation reviews. ``count`` of them, ``limit`` as the argument says."""

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(count, limit)
        self.count, self.limit = count, limit

    def __str__(self) -> str:
        return f"{self.count} claims came in, and max_claims allows {self.limit}"


class _RoleReviewer:
    """The model of a role, each call of which says whose it is."""

    def __init__(self, role: str, max_tokens: int, ctx: ModelContext) -> None:
        self._model = open_model(role, ctx)
        self._metadata = {"role": role, "max_tokens": max_tokens}

    def invoke(self, input: list[BaseMessage], /) -> BaseMessage:  # noqa: A002 -- LangChain's name
        return self._model.invoke(input, config={"metadata": self._metadata})


def check_claims(
    *,
    claims: list[Mapping[str, Json]],
    source_text: str,
    reviewer: str,
    max_claims: int,
    max_tokens: int,
    relaxations: Sequence[Relaxation],
    ctx: ReviewContext,
) -> dict[str, Json]:
    """Return ``accepted``, ``rejected`` and one of ``verdicts`` for each claim, in the order of the claims.

    Raises TooManyClaims before anybody is asked.
    """
    if len(claims) > max_claims:
        raise TooManyClaims(len(claims), max_claims)
    digest = source_digest(source_text)
    model = _RoleReviewer(reviewer, max_tokens, ctx)
    accepted: list[Json] = []
    rejected: list[Json] = []
    verdicts: list[Json] = []
    for claim in claims:
        verdict = verify_claim(
            model,
            text=str(claim["text"]),
            citation=str(claim["citation"]),
            source_text=source_text,
            relaxations=relaxations,
        )
        (accepted if verdict.accepted else rejected).append(claim)
        verdicts.append({**verdict.model_dump(), "flags": list(verdict.flags)})
        standing = "reviewed" if verdict.accepted else "refused"
        note_verdict(ctx, Noted(verdict.claim_text, verdict.citation, digest, standing))
    return {"accepted": accepted, "rejected": rejected, "verdicts": verdicts}


def compare_with_truth(*, verdicts: list[Mapping[str, Json]], truth: Mapping[str, bool]) -> dict[str, Json]:
    """Return the four counts of ``stats``. Raises KeyError for a claim whose truth is not given."""
    return {"stats": evaluate_verdicts(map(Verdict.model_validate, verdicts), truth).model_dump()}
