"""Laws of the diff over generated graphs: nothing between equals, each change from either side, and no reach missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.diff.change import TURNED, Change
from grapharc.policy.diff.diff import diff
from grapharc.policy.diff.words import rows, say
from grapharc.spec.reasons import severity
from tests.gate.drawn import drawn, followed, judged, linked_whole, rename

GRAPHS = 300
BLOCK = 50


def turned(change: Change) -> tuple[object, ...]:
    """A change as it must be seen from the other side."""
    return change.what, change.category, TURNED[change.direction], change.after, change.before


def plain(change: Change) -> tuple[object, ...]:
    return change.what, change.category, change.direction, change.before, change.after


@pytest.mark.parametrize("first", range(0, GRAPHS, BLOCK))
def test_the_diff_keeps_its_laws(first: int, record_property: Callable[[str, object], None]) -> None:
    seen = Counter[str]()
    for seed in range(first, first + BLOCK):
        one, other = drawn(seed)
        old, new = judged(one), judged(other)
        assert diff(old, old).changes == (), seed
        there, back = diff(old, new), diff(new, old)
        assert sorted(map(repr, map(turned, there.changes))) == sorted(map(repr, map(plain, back.changes))), seed
        assert {now: name for name, now in there.renamed.items()} == dict(back.renamed), seed
        for change in (*there.changes, *back.changes):
            assert "{" not in say(change)
            assert rows()[change.what]["category"] == change.category
            seen[f"{change.category} {change.direction}"] += 1
        if linked_whole(old) and linked_whole(new):
            seen["reach compared"] += 1
            assert reach_told(there.changes) == reach_by_force(one, other), seed
    record_property("gate", dict(seen))
    assert seen["reach compared"] > BLOCK / 2


Told = dict[str, set[tuple[str, str]]]


def reach_told(changes: tuple[Change, ...]) -> Told:
    """What the diff says that can be reached, and could not be before, by what must not stand on the way."""
    found: Told = {"": set(), "guard": set()}
    for change in changes:
        if change.direction == "widens" and change.what in ("kind_follows_kind", "guard_passed_by"):
            pair = str(change.values["source"]), str(change.values["target"])
            found["guard" if change.what == "guard_passed_by" else ""].add(pair)
            names = change.witness
            assert len(names) > 1, "a widening has the way that proves it"
    return found


def reach_by_force(old: dict[str, object], new: dict[str, object]) -> Told:
    before, after = followed(old), followed(new)
    past = (followed(new, "guard") - followed(old, "guard")) & before & after
    return {"": after - before, "guard": {pair for pair in past if "guard" not in pair}}


def test_what_is_only_called_otherwise_is_the_same_but_for_its_name() -> None:
    seen = 0
    for seed in range(60):
        one, _ = drawn(seed)
        other, _ = drawn(seed)
        name = one["nodes"][seed % len(one["nodes"])]["name"]
        rename(other, name, "renamed")
        before = judged(one)
        if not is_sound(before):
            continue
        found = diff(before, judged(other))
        seen += 1
        assert {old: new for old, new in found.renamed.items() if "/" not in old} == {name: "renamed"}, seed
        assert [change.what for change in found.changes if change.category != "resume"] == ["node_name"], seed
    assert seen > 15


def is_sound(admission: Admission) -> bool:
    """Tell whether nothing is wrong with how it is drawn; what a graph costs that cannot run means nothing."""
    errors = {finding.code for finding in admission.findings if severity(finding) == "error"}
    return linked_whole(admission) and errors <= {"rule_not_decided"}
