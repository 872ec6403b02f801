"""A claim, its citation and its source go in, and a reviewer is asked at most once; a verdict comes out.

Every ambiguity is a refusal: only a JSON ``true`` of the one verdict in a reply accepts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, ConfigDict

from grapharc.runtime.models.json_reply import json_values, visible_part
from grapharc.spec.json_value import is_dict
from grapharc.stdlib_kinds.verification.anchor import Anchor, fold
from grapharc.stdlib_kinds.verification.prompt import review_prompt
from grapharc.stdlib_kinds.verification.relaxations import Relaxation

UNPARSEABLE = "reviewer reply unparseable \u2014 failing closed"
NOT_BOOLEAN = "reviewer 'supported' was not a JSON boolean \u2014 failing closed"
CONTRADICTORY = "reviewer gave more than one verdict \u2014 failing closed"


_VERDICT_KEY = re.compile(r'"supported"\s*:')


class Verdict(BaseModel):
    """What is known about one claim. ``model_accepted`` is None when nobody was asked, False when it did not convince.

    ``flags`` are what a reader should know beside it: ``inside_word``, ``occurrences_left_out`` and the relaxations
    that were on, as ``relaxed:NAME``.
    """

    model_config = ConfigDict(frozen=True)

    claim_text: str
    citation: str
    accepted: bool
    anchor_ok: bool
    model_accepted: bool | None
    reason: str
    flags: tuple[str, ...] = ()


class VerifierStats(BaseModel):
    """How verdicts compare with the truth; the two kinds of error stay apart, since they cost different people."""

    model_config = ConfigDict(frozen=True)

    true_accepts: int = 0
    true_rejects: int = 0
    false_accepts: int = 0
    false_rejects: int = 0


class Reviewer(Protocol):
    """A LangChain chat model, as far as a verifier needs one."""

    def invoke(self, input: list[BaseMessage], /) -> BaseMessage:  # noqa: A002 -- LangChain's name
        """Answer a conversation."""
        ...


def verify_claim(
    reviewer: Reviewer,
    *,
    text: str,
    citation: str,
    source_text: str,
    relaxations: Collection[Relaxation] = (),
) -> Verdict:
    """Look the citation up, and only if it stands in the source ask the reviewer about the claim, in one message."""
    anchor = fold(source_text, tuple(sorted(relaxations))).find(citation)
    flags = tuple(f"relaxed:{name}" for name in anchor.relaxed)
    if not anchor.holds:
        return _verdict(text, anchor, None, anchor.reason, flags)
    prompt = review_prompt(text, anchor, source_text)
    flags += prompt.flags
    supported, reason = read_verdict(reviewer.invoke([HumanMessage(prompt.text)]).text)
    return _verdict(text, anchor, supported, reason, flags)


def read_verdict(reply: str) -> tuple[bool, str]:
    """Return whether a reply accepts, and the reason it gives or why it counts as a refusal.

    The key is counted in the text: one object may say it twice, and one that is cut off may hold another.
    """
    found = [value for value in json_values(reply) if is_dict(value) and "supported" in value]
    if not found:
        return False, UNPARSEABLE
    if len(found) > 1 or len(_VERDICT_KEY.findall(visible_part(reply))) > 1:
        return False, CONTRADICTORY
    supported, reason = found[0]["supported"], found[0].get("reason")
    if not isinstance(supported, bool):
        return False, NOT_BOOLEAN
    return supported, reason if isinstance(reason, str) else ""


def evaluate_verdicts(verdicts: Iterable[Verdict], ground_truth: Mapping[str, bool]) -> VerifierStats:
    """Count verdicts against the truth by claim text. Raises KeyError for a claim whose truth is not given."""
    counts = {"true_accepts": 0, "true_rejects": 0, "false_accepts": 0, "false_rejects": 0}
    for verdict in verdicts:
        right = verdict.accepted == ground_truth[verdict.claim_text]
        counts[f"{str(right).lower()}_{'accepts' if verdict.accepted else 'rejects'}"] += 1
    return VerifierStats.model_validate(counts)


def _verdict(text: str, anchor: Anchor, supported: bool | None, reason: str, flags: tuple[str, ...]) -> Verdict:
    return Verdict(
        claim_text=text,
        citation=anchor.citation,
        accepted=anchor.holds and supported is True,
        anchor_ok=anchor.holds,
        model_accepted=supported,
        reason=reason,
        flags=flags,
    )
