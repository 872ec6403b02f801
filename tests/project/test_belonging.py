"""A document below the working directory that belongs to another project is not judged without that project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, grapharc

__all__ = ["grapharc"]

GRAPH = """
[[nodes]]
name = "step"
kind = "control.pass"

[[edges]]
chain = ["__start__", "step", "__end__"]
"""
STRICT = """
[[rule]]
id = "nothing-goes"
effect = "deny"
resource = "node"
match = "*"
reason = "not here"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a project in ``billing``, whose policy denies everything, and no project of its own."""
    folder = tmp_path / "here"
    (folder / "billing" / "graphs").mkdir(parents=True)
    (folder / "billing" / "grapharc.toml").write_text('[grapharc]\npolicy = ["policy.toml"]\ngraphs = ["graphs/*"]\n')
    (folder / "billing" / "policy.toml").write_text(STRICT)
    (folder / "billing" / "graphs" / "graph.toml").write_text(GRAPH)
    (folder / "other").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


Grapharc = Callable[..., Ran]


def codes(ran: Ran) -> list[tuple[str, str]]:
    return [(finding["document"], finding["code"]) for finding in ran.json["findings"]]


@pytest.mark.parametrize("verb", ["check", "run", "draw"])
def test_it_is_refused_in_words_and_not_judged_by_other_rules(grapharc: Grapharc, verb: str) -> None:
    ran = grapharc(verb, "billing/graphs/graph.toml")
    assert ran.exit == 1
    assert ran.out.startswith(
        "error[project_not_in_force]: it belongs to the project 'billing/grapharc.toml', which is not in force here\n"
        " --> billing/graphs/graph.toml:1:1\n"
    )
    assert "add --config\n    billing/grapharc.toml\n" in ran.out
    assert "1 error in 1 document\n" in ran.out


def test_the_remedy_puts_its_own_policy_in_force(grapharc: Grapharc) -> None:
    ran = grapharc("check", "--json", "--config", "billing/grapharc.toml", "billing/graphs/graph.toml")
    assert ("graphs/graph.toml", "node_denied") in codes(ran)


@pytest.mark.parametrize("asked", ["billing", "."])
def test_a_folder_is_looked_into_all_the_same(grapharc: Grapharc, here: Path, asked: str) -> None:
    (here / "billing" / "registry.toml").write_text('[[use]]\nkind = "no.such"\n')
    assert codes(grapharc("check", "--json", asked)) == [
        ("billing/graphs/graph.toml", "project_not_in_force"),
        ("billing/policy.toml", "project_not_in_force"),
        ("billing/registry.toml", "unknown_kind"),
    ]


def test_from_beside_it_is_the_same(grapharc: Grapharc, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "other")
    assert codes(grapharc("check", "--json", "../billing/graphs/graph.toml")) == [
        ("../billing/graphs/graph.toml", "project_not_in_force")
    ]


def test_a_project_is_in_force_for_what_it_names_itself(grapharc: Grapharc, here: Path) -> None:
    (here / "grapharc.toml").write_text('[grapharc]\ngraphs = ["billing/graphs/*"]\n')
    assert codes(grapharc("check", "--json")) == []
    assert codes(grapharc("check", "--json", "billing/graphs/graph.toml")) == []
    (here / "grapharc.toml").write_text('[grapharc]\npolicy = ["./billing/policy.toml"]\n')
    found = codes(grapharc("check", "--json", "billing/graphs/graph.toml", "billing/policy.toml"))
    assert found == [("billing/graphs/graph.toml", "project_not_in_force")]


def test_one_that_is_named_is_in_force_for_whatever_stands_beside_it(
    grapharc: Grapharc, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "mine.toml").write_text("[grapharc]\n")
    assert codes(grapharc("check", "--json", "--config", "mine.toml", "billing/graphs/graph.toml")) == []
    monkeypatch.setenv("GRAPHARC_CONFIG", "mine.toml")
    assert codes(grapharc("check", "--json", "billing/graphs/graph.toml")) == []


def test_a_project_above_is_never_looked_for(grapharc: Grapharc, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "billing" / "graphs")
    assert codes(grapharc("check", "--json", "graph.toml")) == []


def test_a_verdict_that_was_kept_ends_when_a_project_comes(grapharc: Grapharc, here: Path) -> None:
    (here / "other" / "graph.toml").write_text(GRAPH)
    assert grapharc("check", "other/graph.toml").exit == 0
    (here / "other" / "grapharc.toml").write_text("[grapharc]\n")
    assert grapharc("check", "other/graph.toml").exit == 1
