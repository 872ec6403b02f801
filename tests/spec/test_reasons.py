"""The catalogue's small template language, and that a finding is worded by it."""

from __future__ import annotations

import pytest

from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.reasons import fill, message, notes, reason, reasons, related_note, remedy, severity

HERE = Place("graph.toml", ("nodes", 0, "kind"))


@pytest.mark.parametrize(
    ("template", "values", "words"),
    [
        ("plain", {}, "plain"),
        ("kind '{kind}'", {"kind": "a"}, "kind 'a'"),
        ("unknown[[, did you mean '{near}'?]]", {"near": "b"}, "unknown, did you mean 'b'?"),
        ("unknown[[, did you mean '{near}'?]]", {"near": ""}, "unknown"),
        ("unknown[[, did you mean '{near}'?]]", {}, "unknown"),
        ("unknown[[, one of {known}]]", {"known": ()}, "unknown"),
        ("one of {known}", {"known": ("b", "a")}, "one of 'a', 'b'"),
        ("[[{a}, ]]then[[ {b} and {c}]]", {"a": 0, "b": 1}, "0, then"),
        ("{{{n}}}", {"n": 3}, "{3}"),
        ("{half} of {whole}", {"half": 0.5, "whole": 2.0}, "0.5 of 2"),
        ("'{kind}'", {"kind": "[[{x}]]"}, "'[[{x}]]'"),
    ],
)
def test_a_template_is_filled(
    template: str, values: dict[str, str | int | float | tuple[str, ...]], words: str
) -> None:
    assert fill(template, values) == words


def test_a_value_that_is_missing_is_our_bug() -> None:
    with pytest.raises(KeyError, match="kind"):
        fill("kind '{kind}'", {})


def test_a_finding_is_worded_by_its_row() -> None:
    finding = Finding("node_denied", HERE, {"kind": "deploy", "policy": "production", "reason": "not here"}, rule="r1")
    assert message(finding) == "kind 'deploy' is denied by rule 'r1' of policy 'production': not here"
    assert remedy(finding).endswith("a rule that allows 'deploy'")
    assert severity(finding) == "error"
    assert severity(finding.at("note")) == "note"


def test_a_related_place_is_worded_by_its_note() -> None:
    assert related_note(Related("first_here", HERE)) == "first declared here"


def test_only_lint_can_be_milder_than_an_error_or_ask() -> None:
    milder = {code for code, row in reasons().items() if row.reason_class == "soundness" and row.severity != "error"}
    assert milder == set()


@pytest.mark.parametrize("code", reasons())
def test_a_row_is_whole(code: str) -> None:
    row = reason(code)
    assert row.reason_class in {"soundness", "authority", "lint"}
    assert row.severity in {"error", "warning", "note"}
    for words in (row.message, row.remedy):
        assert words == words.strip()
        assert words[:1].islower() or words[:1] in "'{["
        assert not words.endswith(".")
    assert row.why.endswith(".")
    assert row.bad.strip()
    assert row.good.strip()


@pytest.mark.parametrize("slug", notes())
def test_a_note_is_lower_case_and_without_full_stop(slug: str) -> None:
    assert notes()[slug][:1].islower()
    assert not notes()[slug].endswith(".")
