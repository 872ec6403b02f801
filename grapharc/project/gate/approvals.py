"""The approvals of both sides, the changes and the day go in; which approval counts for which change comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias

from grapharc.project.gate.report import Approved, State
from grapharc.spec.document import Document
from grapharc.spec.documents.approvals import ApprovalModel, ApprovalsModel
from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.frozen import frozen

Source: TypeAlias = Literal["base", "head"]
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@frozen
class Counting:
    """By the digest of a change the approval that counts for it, and the state of each approval of the head.

    ``spent`` are the indexes of those that are good for nothing, of several for one change all but the one that counts.
    """

    by_change: Mapping[str, ApprovalModel]
    approvals: tuple[Approved, ...]
    spent: tuple[int, ...]


def count(
    base: Document[ApprovalsModel] | None,
    head: Document[ApprovalsModel] | None,
    needed: Mapping[str, str],
    source: Source,
    today: date,
) -> Counting:
    """Match approvals with the changes that need one, whose documents are given by their digests.

    What the base has counts, whether the head still has it or has taken it out as spent; of two days the earlier. What
    only the head has counts only where the head is the source.
    """
    found = _settled(_rows(base), _rows(head), needed, source, today)
    return Counting(*found, _spent(_rows(base), _rows(head), needed, source, today))


def _spent(
    base: Mapping[int, ApprovalModel],
    head: Mapping[int, ApprovalModel],
    needed: Mapping[str, str],
    source: Source,
    today: date,
) -> tuple[int, ...]:
    """Return what is good for nothing; behind one that is taken out there may be another one for the same change.

    What ended does not hold back what is left: it is taken out of the base by the same change of the file.
    """
    before, after = {index: one for index, one in base.items() if is_current(one, today)}, head
    while True:
        _, states = _settled(before, after, needed, source, today)
        gone = [one.index for one in states if one.state in SPENT]
        if not gone:
            kept = {one.index for one in states}
            return tuple(index for index in head if index not in kept)
        after = {index: one for index, one in after.items() if index not in gone}


SPENT: tuple[State, ...] = ("expired", "stale", "unused")


def _settled(
    base: Mapping[int, ApprovalModel],
    head: Mapping[int, ApprovalModel],
    needed: Mapping[str, str],
    source: Source,
    today: date,
) -> tuple[Mapping[str, ApprovalModel], tuple[Approved, ...]]:
    """What counts by its change, and the state of what the head has, one for each change."""
    before, after = _by_change(base), _by_change(head)
    counting = after if source == "head" else before
    by_change: dict[str, ApprovalModel] = {}
    for change in needed.keys() & counting.keys():
        approvals = [one[1] for one in (before.get(change), after.get(change)) if one is not None]
        if all(
            is_current(approval, today) for approval in approvals if source == "base" or approval is counting[change][1]
        ):
            by_change[change] = counting[change][1]
    documents = set(needed.values())
    states = [
        Approved(index, approval, _state(change, approval, by_change, before, source, documents, today))
        for change, (index, approval) in after.items()
    ]
    return by_change, tuple(sorted(states, key=lambda one: one.index))


def _state(
    change: str,
    approval: ApprovalModel,
    by_change: Mapping[str, ApprovalModel],
    before: Mapping[str, tuple[int, ApprovalModel]],
    source: Source,
    documents: set[str],
    today: date,
) -> State:
    if not is_current(approval, today):
        return "expired"
    if change in by_change:
        return "used"
    if change not in before and source == "base":
        return "self_approved"
    return "stale" if approval.document in documents else "unused"


def is_current(approval: ApprovalModel, today: date) -> bool:
    """Tell whether an approval still counts on a day; one that is no day never does."""
    until = day(approval.until)
    return until is not None and today <= until


def day(text: str) -> date | None:
    """Return the day that a text names, None where it names none."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def faults_of_approvals(document: Document[ApprovalsModel]) -> Iterator[Finding]:
    """Yield what is wrong with approvals that are otherwise well formed."""
    first: dict[str, int] = {}
    for index, approval in document.model.approval.items():
        place = Place(document.path, ("approval", index, "change"))
        if _DIGEST.fullmatch(approval.change) is None:
            yield Finding("malformed_digest", place, {"digest": approval.change}, subject=approval.document)
        elif (before := first.setdefault(approval.change, index)) != index:
            related = Related("first_here", Place(document.path, ("approval", before, "change")))
            yield Finding("approved_twice", place, subject=approval.change, related=(related,))
        if day(approval.until) is None:
            until = Place(document.path, ("approval", index, "until"))
            yield Finding("malformed_day", until, {"until": approval.until}, subject=approval.change)


def _rows(document: Document[ApprovalsModel] | None) -> Mapping[int, ApprovalModel]:
    return dict(document.model.approval.items()) if document is not None else {}


def _by_change(rows: Mapping[int, ApprovalModel]) -> Mapping[str, tuple[int, ApprovalModel]]:
    """The approvals by their change; of two for one change the one that ends first."""
    found: dict[str, tuple[int, ApprovalModel]] = {}
    for index, approval in rows.items():
        known = found.get(approval.change)
        if known is None or approval.until < known[1].until:
            found[approval.change] = index, approval
    return found


def findings_of(path: str, approvals: Sequence[Approved]) -> Iterator[Finding]:
    """Yield a finding for each approval that is not good for what it is there for."""
    for one in approvals:
        code = _CODES.get(one.state)
        if code is not None:
            values = {"who": one.approval.who, "until": one.approval.until, "says": one.approval.says}
            place = Place(path, ("approval", one.index, "change"))
            yield Finding(code, place, values, subject=one.approval.document or one.approval.change)


_CODES: Mapping[State, str] = {
    "expired": "approval_expired",
    "stale": "approval_stale",
    "unused": "approval_unused",
    "self_approved": "approval_from_head",
}
