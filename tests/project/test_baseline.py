"""A baseline accepts the findings that were there when it was made, and may only shrink."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapharc.project.baseline import baseline_text, entry_of, read_baseline
from grapharc.spec.finding import Finding, Place
from grapharc.spec.reasons import message, reasons
from tests.cli.conftest import grapharc

__all__ = ["grapharc"]

GRAPH = '[[nodes]]\nname = "{name}"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "{name}"]\n'
MARK = "0" * 32


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    for name in ("a", "b"):
        (folder / f"{name}.toml").write_text(GRAPH.format(name=name))
    (folder / "grapharc.toml").write_text('[grapharc]\ngraphs = ["*.toml"]\n')
    return folder


def codes(ran) -> list[str]:
    return [finding["code"] for finding in ran.json["findings"]]


def test_what_was_there_is_accepted_and_what_is_new_is_not(grapharc, here: Path) -> None:
    assert codes(grapharc("check", "--json")) == ["implied_end", "implied_end"]
    assert grapharc("baseline", "update", "known.json").out == "wrote known.json: 2 findings accepted\n"
    ran = grapharc("check", "--baseline", "known.json", "--fail-on", "warning")
    assert (ran.exit, ran.out) == (0, "no findings in 3 documents, 2 accepted\n")
    (here / "c.toml").write_text(GRAPH.format(name="c"))
    assert codes(grapharc("check", "--json", "--baseline", "known.json")) == ["implied_end"]


def test_moved_lines_change_nothing(grapharc, here: Path) -> None:
    grapharc("baseline", "update", "known.json")
    (here / "a.toml").write_text(
        "# more\n\n"
        + GRAPH.format(name="a").replace(
            "[[edges]]",
            '[[nodes]]\nname = "z"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "z", "__end__"]\n[[edges]]',
        )
    )
    assert codes(grapharc("check", "--json", "--baseline", "known.json")) == []


def test_it_is_the_same_text_however_it_is_made(grapharc, here: Path) -> None:
    grapharc("baseline", "update", "one.json")
    grapharc("baseline", "update", "two.json", "b.toml", "a.toml", "grapharc.toml")
    assert (here / "one.json").read_bytes() == (here / "two.json").read_bytes()
    held = json.loads((here / "one.json").read_text())
    assert held["findings"] == sorted(held["findings"], key=lambda row: (row["document"], row["code"]))
    assert sorted(held["findings"][0]) == ["code", "document", "fingerprint", "message"]


def test_an_entry_that_is_mended_is_told_and_taken_out_and_nothing_is_added(grapharc, here: Path) -> None:
    grapharc("baseline", "update", "known.json")
    (here / "b.toml").write_text(GRAPH.format(name="b").replace('"b"]', '"b", "__end__"]'))
    (here / "c.toml").write_text(GRAPH.format(name="c"))
    ran = grapharc("check", "--baseline", "known.json", "b.toml")
    assert ran.out.startswith("warning[baseline_entry_stale]: 'implied_end' is not found in 'b.toml' any more")
    assert " --> known.json:5:5\n" in ran.out
    ran = grapharc("baseline", "update", "known.json")
    assert ran.exit == 0
    assert ran.out == (
        "took 1 entry out of known.json\n"
        "  b.toml: no edge leaves node 'b', so its path ends there [implied_end]\n"
        "1 finding accepted in known.json\n"
        "1 finding not in it: a baseline may only shrink\n"
    )
    assert codes(grapharc("check", "--json", "--baseline", "known.json")) == ["implied_end"]
    held = (here / "known.json").read_bytes()
    assert grapharc("baseline", "update", "--json", "known.json").json == {
        "exit": 0,
        "baseline": "known.json",
        "kept": 1,
        "gone": [],
        "new": 1,
    }
    assert (here / "known.json").read_bytes() == held


def test_entries_of_documents_that_are_not_looked_at_stay(grapharc, here: Path) -> None:
    grapharc("baseline", "update", "known.json")
    held = (here / "known.json").read_bytes()
    assert codes(grapharc("check", "--json", "--baseline", "known.json", "a.toml")) == []
    grapharc("baseline", "update", "known.json", "a.toml")
    assert (here / "known.json").read_bytes() == held
    (here / "b.toml").unlink()
    assert codes(grapharc("check", "--json", "--baseline", "known.json")) == ["baseline_entry_stale"]


@pytest.mark.parametrize(
    "broken",
    [
        GRAPH.format(name="b") + "and = = this\n",
        GRAPH.format(name="b").replace('"control.pass"', '"no.kind"'),
        "= nobody can tell what this is\n",
    ],
)
@pytest.mark.parametrize("paths", [[], ["b.toml"], ["."]])
def test_entries_of_documents_that_were_not_judged_to_the_end_stay(
    grapharc, here: Path, broken: str, paths: list[str]
) -> None:
    grapharc("baseline", "update", "known.json")
    held = (here / "known.json").read_bytes()
    (here / "b.toml").write_text(broken)
    assert "baseline_entry_stale" not in codes(grapharc("check", "--json", "--baseline", "known.json", *paths))
    grapharc("baseline", "update", "known.json", *paths)
    assert (here / "known.json").read_bytes() == held


@pytest.mark.parametrize("code", [code for code, row in reasons().items() if row.reason_class != "lint"])
def test_no_code_but_lint_is_accepted_by_a_baseline(code: str) -> None:
    row = {"code": code, "document": "graph.toml", "fingerprint": MARK, "message": "please"}
    baseline = read_baseline(json.dumps({"baseline": "1", "findings": [row]}).encode(), "known.json")
    assert [finding.code for finding in baseline.findings] == ["not_acceptable"]
    assert not baseline.accepts(Finding(code, Place("graph.toml")), MARK)


def test_a_denied_node_stays_denied_whatever_a_baseline_says(grapharc, here: Path) -> None:
    (here / "a.toml").write_text(GRAPH.format(name="a").replace("control.pass", "control.pas"))
    finding = grapharc("check", "--json", "a.toml").json["findings"][1]
    assert finding["code"] == "unregistered_node"
    row = {key: finding[key] for key in ("code", "document", "fingerprint", "message")}
    (here / "known.json").write_text(json.dumps({"baseline": "1", "findings": [row]}))
    found = codes(grapharc("check", "--json", "--baseline", "known.json", "a.toml"))
    assert found == ["implied_end", "unregistered_node", "not_acceptable"]
    ran = grapharc("baseline", "update", "known.json", "a.toml")
    assert ran.exit == 1
    assert json.loads((here / "known.json").read_text())["findings"] == [row]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "the file must be a table with 'baseline' and 'findings'"),
        ('{"findings": []}', "the file must be a table with 'baseline' and 'findings'"),
        ('{"baseline": "2", "findings": []}', "'baseline' must be \"1\", the format that this version reads"),
        ('{"baseline": "1", "findings": {}}', "'findings' must be a list"),
        ('{"baseline": "1", "findings": [1]}', "it must be a table"),
        ('{"baseline": "1", "findings": [{"code": "implied_end"}]}', "it lacks 'document'"),
    ],
)
def test_what_is_no_baseline_is_told(grapharc, here: Path, content: str, words: str) -> None:
    (here / "known.json").write_text(content)
    ran = grapharc("check", "--json", "--baseline", "known.json", "a.toml")
    assert ran.exit == 1
    (finding,) = (found for found in ran.json["findings"] if found["document"] == "known.json")
    assert (finding["code"], finding["message"]) == ("malformed_baseline", f"this is no entry of a baseline: {words}")
    assert grapharc("baseline", "update", "known.json", "a.toml").exit == 1
    assert (here / "known.json").read_text() == content


def test_more_that_is_no_entry_is_told() -> None:
    good = {"code": "implied_end", "document": "a", "fingerprint": MARK, "message": ""}
    rows = [good, good, {**good, "fingerprint": 1}, {**good, "more": 1}, {**good, "code": "implied_ned"}]
    baseline = read_baseline(json.dumps({"baseline": "1", "findings": rows}).encode(), "known.json")
    assert [message(finding) for finding in baseline.findings] == [
        "this is no entry of a baseline: its fingerprint stands there twice",
        "this is no entry of a baseline: 'fingerprint' must be a string",
        "this is no entry of a baseline: it has a key 'more', and only code, document, fingerprint, message are known",
        "there is no code 'implied_ned', did you mean 'implied_end'?",
    ]
    assert list(baseline.entries) == [MARK]


def test_an_entry_accepts_its_own_code_and_document_only() -> None:
    finding = Finding("implied_end", Place("a"), subject="x")
    baseline = read_baseline(baseline_text([entry_of(finding, MARK)]).encode(), "known.json")
    assert baseline.findings == ()
    assert baseline.accepts(finding, MARK)
    assert not baseline.accepts(Finding("implied_end", Place("b"), subject="x"), MARK)
    assert not baseline.accepts(Finding("self_loop", Place("a"), subject="x"), MARK)
    assert not baseline.accepts(finding, "1" * 32)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--baseline", "absent.json"], "'absent.json' is not there"),
        (["check", "--baseline", ""], "--baseline is empty, but must name something"),
        (["baseline"], "'baseline' is no command"),
        (["baseline", "update"], "'baseline update' is no command"),
        (["baseline", "add", "known.json"], "'baseline add known.json' is no command"),
        (["baseline", "update", "."], "'.' is no file for a baseline"),
    ],
)
def test_what_cannot_be_begun_is_2(grapharc, arguments: list[str], words: str) -> None:
    ran = grapharc(*arguments)
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"error: {words}"


@pytest.mark.parametrize("file", ["a.toml", "./a.toml", "link.toml"])
@pytest.mark.parametrize("paths", [("a.toml",), ("a.toml", "b.toml"), ()])
def test_a_document_is_no_baseline_of_itself(grapharc, here: Path, file: str, paths: tuple[str, ...]) -> None:
    (here / "link.toml").symlink_to("a.toml")
    before = (here / "a.toml").read_text()
    for command in (["baseline", "update", file], ["check", "--baseline", file]):
        ran = grapharc(*command, *paths)
        assert (ran.exit, ran.out) == (2, "")
        shown = file.removeprefix("./")
        assert ran.err.startswith(f"error: '{shown}' is a document of this check, and no baseline of it\n")
    assert (here / "a.toml").read_text() == before


def test_of_another_document_nothing_is_told_but_that_it_is_no_baseline(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text('default = "allow"\n')
    for command in (["baseline", "update", "policy.toml"], ["check", "--baseline", "policy.toml"]):
        ran = grapharc(*command, "a.toml", "--json")
        assert ran.exit == 1
        assert codes(ran) == ["implied_end", "malformed_baseline"]
