"""``kinds``, ``schema`` and ``init``."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return tmp_path


def test_kinds_lists_what_exists_here(grapharc, here: Path) -> None:
    everything = grapharc("kinds").out.splitlines()
    assert everything == sorted(everything)
    assert any(line.startswith("verify.anchor ") for line in everything)
    (here / "registry.toml").write_text('[[use]]\nkind = "control.set"\nas = "assign"\n')
    (only,) = grapharc("kinds", "--registry", "registry.toml").out.splitlines()
    assert only.startswith("assign  ")
    assert [kind["kind"] for kind in grapharc("kinds", "--json", "--registry", "registry.toml").json["kinds"]] == [
        "control.set"
    ]


def test_kinds_shows_one(grapharc) -> None:
    out = grapharc("kinds", "tool.read_file").out
    assert out == grapharc("kinds", "show", "tool.read_file").out
    assert out.startswith("tool.read_file version 1\n")
    assert "reads\n  path: string, a workspace-path\n" in out
    assert "capabilities\n  read_files\n" in out
    told = grapharc("kinds", "show", "--json", "tool.read_file").json
    assert told["reads"] == {"path": {"type": "string", "format": "workspace-path"}}


def test_pinned_arguments_are_shown_as_such(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "tool.read_file"\nargs = { root = "handbook" }\n')
    out = grapharc("kinds", "show", "tool.read_file", "--registry", "registry.toml").out
    assert 'root: pinned to "handbook"' in out


def test_a_kind_that_the_registry_leaves_out_is_told_from_one_that_is_not_there(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "tool.read_file"\n')
    ran = grapharc("kinds", "tool.write_file", "--registry", "registry.toml")
    assert ran.exit == 2
    assert "'tool.write_file' is shipped, and the registry 'registry.toml' does not select it" in ran.err
    assert '[[use]] with kind = "tool.write_file"' in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kinds", "show", "tool.grap"], "there is no kind 'tool.grap' here, did you mean 'tool.grep'?"),
        (["kinds", "list"], "there is no kind 'list' here"),
        (["kinds", "show"], "'kinds show' is no command"),
        (["kinds", "control.set", "control.pass"], "'kinds control.set control.pass' is no command"),
        (["schema", "grpah"], "there is no kind of document 'grpah', did you mean 'graph'?"),
    ],
)
def test_what_does_not_exist_is_2(grapharc, arguments: list[str], message: str) -> None:
    ran = grapharc(*arguments)
    assert ran.exit == 2
    assert ran.err.splitlines()[0] == f"error: {message}"


def test_a_registry_with_faults_is_1(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "tool.raed_file"\n')
    ran = grapharc("kinds", "--registry", "registry.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[")


def test_a_project_document_with_faults_is_1_too(grapharc, here: Path) -> None:
    (here / "grapharc.toml").write_text('[grapharc]\nregistri = "registry.toml"\n')
    ran = grapharc("kinds")
    assert ran.exit == 1
    assert "unknown key 'registri', did you mean 'registry'?" in ran.out


@pytest.mark.parametrize("kind", ["graph", "policy", "registry", "kind", "project", "approvals"])
def test_each_kind_of_document_has_a_schema(grapharc, kind: str) -> None:
    ran = grapharc("schema", kind)
    assert ran.exit == 0
    assert ran.json["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert grapharc("schema", "--json", kind).json["schema"] == ran.json


def test_init_writes_a_project_that_checks_clean_and_runs(
    grapharc, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = grapharc("init", "new")
    assert ran.exit == 0
    assert ran.out.endswith("next:\n  cd new\n  grapharc check\n  grapharc run graphs/answer.toml\n")
    monkeypatch.chdir(here / "new")
    assert grapharc("check").out == "no findings in 4 documents\n"
    ran = grapharc("run", "graphs/answer.toml")
    assert ran.exit == 0, ran.out
    assert "answer: A graph is a set of things and the ways between them.\n" in ran.out


def test_init_writes_over_nothing(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text("mine")
    ran = grapharc("init")
    assert ran.exit == 2
    assert "'policy.toml' is already there" in ran.err
    assert [path.name for path in here.iterdir()] == ["policy.toml"]


def test_init_says_that_a_file_is_no_folder(grapharc) -> None:
    Path("taken").write_text("", "utf-8")
    ran = grapharc("init", "taken")
    assert (ran.exit, ran.err.splitlines()[0]) == (2, "error: 'taken' is no folder")


def test_a_demo_that_is_not_there_is_told_with_those_that_are(grapharc) -> None:
    ran = grapharc("demo", "nest")
    assert ran.exit == 2
    assert ran.err.startswith("error: invalid value for 'NAME': 'nest' is not one of 'cited_answer', ")
