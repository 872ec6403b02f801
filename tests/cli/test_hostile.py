"""What a careless or hostile hand gives a command: it is told, it widens nothing, and nothing foreign is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

GRAPH = """
[[nodes]]
name = "step"
kind = "control.pass"

[[edges]]
chain = ["__start__", "step", "__end__"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "graph.toml").write_text(GRAPH)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


def test_no_ceiling_is_lifted_by_a_number_that_is_none(grapharc) -> None:
    ran = grapharc("check", "--max-seconds", "nan", "graph.toml")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err == "error: --max-seconds is nan, but must be a number of at least 0\n"


@pytest.mark.parametrize("flag", ["--config", "--registry", "--policy", "--tenant"])
def test_an_empty_flag_does_not_let_another_layer_decide(grapharc, flag: str) -> None:
    ran = grapharc("check", flag, "", "graph.toml")
    assert ran.exit == 2
    assert ran.err.startswith(f"error: {flag} is empty, but must name something\n")


def test_a_registry_that_is_named_as_a_policy_is_none(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "*"\n')
    ran = grapharc("check", "--registry", "registry.toml", "--policy", "registry.toml", "graph.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[wrong_document]: a policy is needed here and this is a registry")


def test_a_project_document_that_is_a_way_out_is_told_as_one(grapharc, here: Path) -> None:
    (here.parent / "other.toml").write_text("[grapharc]\n")
    (here / "grapharc.toml").symlink_to(here.parent / "other.toml")
    ran = grapharc("check")
    assert ran.exit == 1
    assert ran.out.startswith("error[document_outside_project]: 'grapharc.toml' leads out of the project\n")
