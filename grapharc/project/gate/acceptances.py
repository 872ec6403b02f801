"""Two open states of a project go in; which findings are accepted on one of them alone, and by what, comes out.

None of it lets a graph do more: only lint can be accepted. It is told so that nothing is silenced unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.allowances import Allowance, allowances
from grapharc.policy.diff.both import About
from grapharc.policy.diff.change import Change
from grapharc.project.baseline import Entry, read_baseline
from grapharc.project.gate.opened import APPROVALS_FILE, Opened
from grapharc.spec.document import Text
from grapharc.spec.documents.approvals import ApprovalModel
from grapharc.spec.finding import Place


def approval_changes(base: Opened, head: Opened) -> Iterator[Change]:
    """Yield which approvals were written down, or taken out; what each is good for is said elsewhere."""
    old, new = _approvals(base), _approvals(head)
    for key in sorted(old.keys() ^ new.keys()):
        index, approval = (new if key in new else old)[key]
        about = About(
            "approval",
            "authority",
            approval.change,
            {"who": approval.who, "until": approval.until, "says": approval.says or approval.change},
            Place(APPROVALS_FILE, ("approval", index)),
        )
        yield about.change("neutral", key in old, key in new, earlier=key in old)


def baseline_changes(base: Opened, head: Opened, path: str) -> Iterator[Change]:
    """Yield which findings a baseline accepts more, or no longer."""
    old, new = _entries(base, path), _entries(head, path)
    for mark in sorted(old.keys() ^ new.keys()):
        entry = (new if mark in new else old)[mark]
        values = {"code": entry.code, "path": entry.document, "says": entry.message}
        about = About("baseline", "authority", mark, values, Place(path, ("findings", entry.index)))
        yield about.change("neutral", mark in old, mark in new, earlier=mark in old)


def suppression_changes(old: Mapping[str, Text], new: Mapping[str, Text]) -> Iterator[Change]:
    """Yield what the authors of documents allow more, or no longer, by their own words; texts go by their paths.

    Of a document that is on one side only all is told. Where an allowance stands is not compared, since lines move.
    """
    for path in sorted(old.keys() | new.keys()):
        before, after = (_allowed(texts.get(path)) for texts in (old, new))
        for key in sorted({*before, *after}):
            one, other = before.get(key, ()), after.get(key, ())
            if len(one) != len(other):
                allowance = (*other, *one)[0]
                until = f"until {allowance.until}" if allowance.until else "for good"
                values = {"code": allowance.code, "reason": allowance.reason, "until": until}
                about = About("suppression", "authority", ", ".join(filter(None, key)), values, allowance.place)
                yield about.change("neutral", len(one) or None, len(other) or None, earlier=not other)


def _approvals(side: Opened) -> Mapping[tuple[str, ...], tuple[int, ApprovalModel]]:
    rows = side.approvals.model.approval.items() if side.approvals is not None else ()
    return {(one.change, one.who, one.why, one.until): (index, one) for index, one in rows}


def _entries(side: Opened, path: str) -> Mapping[str, Entry]:
    data = side.load(path)
    return {} if data is None else read_baseline(data, path).entries


def _allowed(text: Text | None) -> Mapping[tuple[str, str, str], tuple[Allowance, ...]]:
    found: dict[tuple[str, str, str], tuple[Allowance, ...]] = {}
    for one in allowances(text) if text is not None else ():
        if isinstance(one, Allowance):
            key = one.code, one.reason, one.until
            found[key] = (*found.get(key, ()), one)
    return found
