"""A citation stands in the source or it does not; whitespace is the only latitude."""

from __future__ import annotations

import pytest

from grapharc.runtime.evidence import noted_verdicts
from grapharc.stdlib_kinds.verification.anchor import check_anchors, fold


class Noting:
    """What a kind is given to note verdicts in."""

    def __init__(self) -> None:
        self.run_store: dict[str, object] = {}


SOURCE = (
    "Every node declares which state\nfields it may write. Nodes are plain. Every node declares which state fields."
)


@pytest.mark.parametrize(
    ("citation", "holds"),
    [
        ("Every node declares which state fields it may write", True),
        ("Every node  declares \t which state fields", True),
        ("  Nodes are plain. ", True),
        ("Each node declares which state fields it may write", False),
        ("every node declares which state fields", False),
        ("Nodes  are    pl", True),
        ("Nodes  are  ", False),
        ("a            b", False),
        ("", False),
        (".*.*.*.*.*.*.*", False),
    ],
)
def test_a_citation_stands_word_for_word(citation: str, *, holds: bool) -> None:
    assert fold(SOURCE).find(citation).holds is holds


def test_every_occurrence_is_reported() -> None:
    anchor = fold(SOURCE).find("Every node declares which state fields")
    assert [SOURCE[place.start : place.end].split() for place in anchor.occurrences] == [
        ["Every", "node", "declares", "which", "state", "fields"]
    ] * 2
    assert anchor.reason == "citation stands in the source at 0-38, 70-108"


def test_a_short_citation_is_refused_with_its_length() -> None:
    assert fold(SOURCE).find("a" + " " * 12 + "b").reason == "citation is too short to prove anything (3 < 12 chars)"


def test_claims_keep_their_order_and_their_own_members() -> None:
    claims = [
        {"text": "one", "citation": "Nodes are plain.", "extra": 1},
        {"text": "two", "citation": "Nodes are fancy."},
    ]
    outputs = check_anchors(claims=claims, source_text=SOURCE, relaxations=[], ctx=Noting())
    assert outputs["accepted"] == [claims[0]]
    assert outputs["rejected"] == [claims[1]]
    assert [(v["claim_text"], v["accepted"], v["anchor_ok"], v["model_accepted"]) for v in outputs["verdicts"]] == [
        ("one", True, True, None),
        ("two", False, False, None),
    ]
    assert outputs["verdicts"][1]["reason"] == "citation does not exist in the source (deterministic anchor)"


@pytest.mark.parametrize(
    ("citation", "source", "inside"),
    [
        ("the port is 8080", "here the port is 80801 now", True),
        ("the port is 8080", "here the port is 8080. Now", False),
        ("version is 12", "the version is 12.5 now", True),
        ("version is 12.", "the version is 12.5 now", True),
        ("version is 12", "the version is 12. Now", False),
        ("owner is the cafe", "the owner is the cafe\u0301 here", True),
        ("art is in the", "the cart is in the house", True),
        ("auth_service is", "no auth_service is_up", True),
        ("house is in it", "the house is in it, isn't it", False),
    ],
)
def test_what_begins_or_ends_inside_a_word_is_flagged(citation: str, source: str, *, inside: bool) -> None:
    [place] = fold(source).find(citation).occurrences
    assert place.inside_word is inside
    claims = [{"text": "t", "citation": citation}]
    outputs = check_anchors(claims=claims, source_text=source, relaxations=[], ctx=Noting())
    assert outputs["verdicts"][0]["flags"] == (["inside_word"] if inside else [])


def test_relaxations_are_recorded_in_the_verdict_and_verdicts_are_noted() -> None:
    claims = [{"text": "t", "citation": 'it\'s "closed" now'}]
    source = "so it\u2019s \u201cclosed\u201d now"
    ctx = Noting()
    for relaxations, holds, flags in (([], False, []), (["quotes"], True, ["relaxed:quotes"])):
        outputs = check_anchors(claims=claims, source_text=source, relaxations=relaxations, ctx=ctx)
        assert (outputs["verdicts"][0]["accepted"], outputs["verdicts"][0]["flags"]) == (holds, flags)
    assert [noted.standing for noted in noted_verdicts(ctx)] == ["refused", "anchored"]
