"""Both sides of a graph, as judged before and as judged now, go in; what is answered otherwise comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.policy.admission import Admission, Verdict
from grapharc.policy.diff.both import About, Both, listed
from grapharc.policy.diff.change import Change, Direction
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import TIERS
from grapharc.spec.frozen import frozen
from grapharc.spec.reasons import severity

Request = tuple[str, tuple[str, ...], str]
"""A resource, the kinds at its ends, and the node or edge that asks."""


def strictness(ruling: Ruling) -> int:
    """Order answers; one that the run may still make stricter is stricter than the same for good."""
    perhaps = {rule.effect for _, rule in ruling.pending}
    later = 2 if "deny" in perhaps else 1 if "ask" in perhaps else 0
    return 3 * (len(TIERS) - TIERS.index(ruling.effect)) + later


def answer(ruling: Ruling) -> str:
    """Put an answer into words."""
    later = sorted({rule.effect for _, rule in ruling.pending})
    return f"{ruling.effect} ({' or '.join(later)} where the run finds so)" if later else ruling.effect


@frozen
class Elsewhere:
    """The graphs of both sides as the other side's registry and policies judge them."""

    new_before: tuple[Admission, ...] = ()
    old_after: tuple[Admission, ...] = ()


def decisions(both: Both, elsewhere: Elsewhere) -> Iterator[Change]:
    """Yield what policies answer otherwise: whether the graph may run at all, and to each of its requests."""
    yield from _verdict(both)
    old, new = _answers(both.old.admission, both), _answers(both.new.admission, None)
    loosened = _looser(new, [old, *(_answers(one, None) for one in elsewhere.new_before)])
    tightened = _looser(old, [new, *(_answers(one, both) for one in elsewhere.old_after)])
    yield from _changes(loosened, "widens", both)
    yield from _changes(tightened, "narrows", both)
    yield from _roles(old, new)


_VERDICTS: Mapping[Verdict, str] = {
    "admitted": "admitted",
    "needs_approval": "admitted, where a person approves",
    "refused": "refused",
}


def _verdict(both: Both) -> Iterator[Change]:
    """A graph that was refused and is not any more may now do all that it says."""
    old, new = both.old.admission, both.new.admission
    if old is None or new is None or (old.verdict == "refused") == (new.verdict == "refused"):
        return
    refused = old if old.verdict == "refused" else new
    codes = sorted({finding.code for finding in refused.findings if severity(finding) == "error"})
    words = {"before": _VERDICTS[old.verdict], "after": _VERDICTS[new.verdict], "why": listed(codes)}
    about = About("verdict", "authority", "verdict", words)
    yield about.change("widens" if refused is old else "narrows", old.verdict, new.verdict)


def _answers(admission: Admission | None, both: Both | None) -> Mapping[Request, Ruling]:
    """What is answered to each request, by the new names of those who make it."""
    found: dict[Request, Ruling] = {}
    for ruling in () if admission is None else admission.rulings:
        for who in _who(ruling, both):
            key = (ruling.resource, ruling.ends, who)
            if key not in found or strictness(ruling) > strictness(found[key]):
                found[key] = ruling
    return found


def _who(ruling: Ruling, both: Both | None) -> Iterator[str]:
    def now(name: str) -> str:
        return both.now(name) if both else name

    yield from (now(node.name) for node in ruling.nodes)
    yield from (f"{now(edge.source)} -> {now(edge.target)}" for edge in ruling.edges)


Found = dict[tuple[str, tuple[str, ...], str, str], tuple[list[str], Ruling, Ruling]]


def _looser(answers: Mapping[Request, Ruling], others: Iterable[Mapping[Request, Ruling]]) -> Found:
    """Find the requests that are answered more freely than the strictest of the others would, by what was asked."""
    others = list(others)
    found: Found = {}
    for key, ruling in answers.items():
        beside = [other[key] for other in others if key in other]
        if not beside:
            continue
        strictest = max(beside, key=strictness)
        if strictness(strictest) > strictness(ruling):
            resource, ends, who = key
            kept = found.setdefault((resource, ends, answer(strictest), answer(ruling)), ([], strictest, ruling))
            kept[0].append(who)
    return found


def _changes(found: Found, direction: Direction, both: Both) -> Iterator[Change]:
    for key in sorted(found):
        resource, ends, strict, loose = key
        who, strictest, _ = found[key]
        subject = f"{resource} {' -> '.join(ends)}"
        values = {"rules": _rules(strictest), "who": listed(sorted(who)), "strict": strict, "loose": loose}
        place = next((both.new.nodes[name].place for name in sorted(who) if name in both.new.nodes), None)
        about = About("decision", "authority", subject, values, place, tuple(sorted(who)))
        before, after = (strict, loose) if direction == "widens" else (loose, strict)
        yield about.change(direction, before, after)


def _rules(ruling: Ruling) -> str:
    """Which rules of which policies gave the stricter answer."""
    said = [
        f"rule '{decision.rule.id}' of policy '{decision.policy.title}'"
        if decision.rule
        else f"the default of policy '{decision.policy.title}'"
        for decision in ruling.decisions
        if decision.effect == ruling.effect
    ]
    said += [f"rule '{rule.id}' of policy '{decision.policy.title}'" for decision, rule in ruling.pending]
    return ", ".join(dict.fromkeys(said))


def _roles(old: Mapping[Request, Ruling], new: Mapping[Request, Ruling]) -> Iterator[Change]:
    """Yield the requests over which other people are asked than before."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for key in sorted(old.keys() & new.keys()):
        before, after = _asked(old[key]), _asked(new[key])
        if before and after and before != after:
            found.setdefault(f"{key[0]} {' -> '.join(key[1])}", (before, after))
    for subject, (before, after) in found.items():
        yield About("approver", "authority", subject).change("incomparable", before, after)


def _asked(ruling: Ruling) -> list[str]:
    return sorted({rule.approver_role for _, rule in ruling.holds})
