"""Levels that a project sets for all documents and for some, and codes that are chosen on the command line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from grapharc.project.check import check
from grapharc.project.choice import EVERYTHING, choose
from grapharc.project.errors import CannotStart
from grapharc.project.settle import Extent, Terms, settle
from grapharc.project.severities import Levels, faults_of_severities, levels_of
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.finding import Finding, Place
from grapharc.spec.read import read_project
from grapharc.spec.reasons import reasons, severity

FIXED = [code for code, row in reasons().items() if row.reason_class != "lint"]
LINT = [code for code, row in reasons().items() if row.reason_class == "lint"]

GRAPH = '[[nodes]]\nname = "step"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "step"]\n'


def model(source: str) -> ProjectModel:
    document, findings = read_project(source.encode(), "grapharc.toml")
    assert not findings
    return document.model


def test_a_level_holds_for_some_documents_and_the_last_one_decides() -> None:
    levels = levels_of(
        model(
            '[severity]\nimplied_end = "note"\nsingle_round = "off"\n'
            '[[overrides]]\npaths = ["legacy/**", "old.toml"]\nseverity = { implied_end = "off" }\n'
            '[[overrides]]\npaths = ["legacy/new/*.toml"]\n[overrides.severity]\nimplied_end = "error"\n'
        )
    )
    found = {path: levels.of("implied_end", path) for path in ("a.toml", "old.toml", "legacy/a/b.toml")}
    assert found == {"a.toml": "note", "old.toml": "off", "legacy/a/b.toml": "off"}
    assert levels.of("implied_end", "legacy/new/a.toml") == "error"
    assert levels.of("implied_end", "legacy/new/deep/a.toml") == "off"
    assert levels.of("single_round", "legacy/a.toml") == "off"
    assert levels.of("self_loop", "legacy/a.toml") is None


@pytest.mark.parametrize("where", ["[severity]\n", '[[overrides]]\npaths = ["**"]\n[overrides.severity]\n'])
@pytest.mark.parametrize("code", FIXED)
def test_no_code_but_lint_has_another_level_anywhere(code: str, where: str) -> None:
    document, _ = read_project(f'{where}{code} = "off"\n'.encode(), "grapharc.toml")
    assert [finding.code for finding in faults_of_severities(document)] == ["fixed_severity"]
    assert levels_of(document.model).of(code, "graph.toml") is None


@pytest.mark.parametrize("code", FIXED)
def test_nothing_that_a_project_or_a_command_says_moves_a_code_but_lint(code: str) -> None:
    finding = Finding(code, Place("graph.toml"))
    levels = Levels({code: "off"}, ((("**",), {code: "off"}),))
    for choice in (EVERYTHING, choose((), ("*", "lint")), choose(("implied_end",), ()), choose((code,), ("*",))):
        settled = settle(
            (finding,), {}, Terms(date(2027, 1, 1), None, choice, levels), Extent(frozenset(), frozenset(), True)
        )
        assert settled.findings == (finding,)
        assert severity(settled.findings[0]) == reasons()[code].severity
    with pytest.raises(CannotStart, match=f"'{code}' cannot be ignored: it is of class {reasons()[code].reason_class}"):
        choose((), (code,))


@pytest.mark.parametrize("code", LINT)
def test_lint_is_chosen_by_code_glob_and_class(code: str) -> None:
    assert not choose((), (code,)).takes(code)
    assert not choose((), ("lint",)).takes(code)
    assert not choose((), (f"{code[:-1]}?",)).takes(code)
    assert choose((code,), ()).takes(code)
    assert not choose(("soundness",), ()).takes(code)
    assert not choose((code,), (code,)).takes(code)
    others = [other for other in LINT if other != code]
    assert not any(choose((code,), ()).takes(other) for other in others)
    assert choose((), (",".join(others),)).takes(code)


@pytest.mark.parametrize(
    ("select", "ignore", "words"),
    [
        (("implied_ned",), (), "--select: there is no code 'implied_ned', did you mean 'implied_end'?"),
        ((), ("field_nver_read",), "--ignore: there is no code 'field_nver_read', did you mean 'field_never_read'?"),
        ((), ("x*",), "--ignore: there is no code 'x*'"),
        ((), ("",), "--ignore: there is no code ''"),
        ((), ("implied_end,",), "--ignore: there is no code ''"),
        ((), ("over_*_budget",), "--ignore: 'over_*_budget' cannot be ignored: none of these codes is lint"),
        ((), ("authority",), "--ignore: 'authority' cannot be ignored: none of these codes is lint"),
    ],
)
def test_what_chooses_nothing_is_told(select: tuple[str, ...], ignore: tuple[str, ...], words: str) -> None:
    with pytest.raises(CannotStart) as told:
        choose(select, ignore)
    assert told.value.message == words


def test_an_override_that_matches_no_document_is_told_when_the_project_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    (tmp_path / "legacy").mkdir()
    (tmp_path / "legacy" / "a.toml").write_text(GRAPH)
    (tmp_path / "grapharc.toml").write_text(
        '[grapharc]\ngraphs = ["legacy/*.toml"]\n'
        '[[overrides]]\npaths = ["legacy/**", "legcay/**"]\nseverity = { implied_end = "off" }\n'
    )
    (found,) = check().findings
    assert (found.code, found.place.path) == ("override_unmatched", ("overrides", 0, "paths", 1))
    assert check("legacy/a.toml").findings == ()
