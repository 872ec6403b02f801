"""The change of a gate is drawn from the command line, out of a real repository, in words as well as in colours."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import mermaidx
import pytest

from grapharc.cli.draw import VIEWS
from tests.gate.conftest import GRAPH, SAVING, Repository


def draw(repository: Repository, *arguments: str) -> str:
    ran = repository.run("draw", "graphs/answer.toml", *arguments)
    assert (ran.exit, ran.err) == (0, "")
    return ran.out


def test_what_is_new_and_what_is_gone_is_said_and_coloured(repository: Repository) -> None:
    base = repository.commit({})
    repository.write({"graphs/answer.toml": SAVING})
    there = draw(repository, "--base", base)
    assert 'n2("<b>+ added</b><br/><b>apply</b>' in there
    assert there.count("<b>+ added</b>") == 3
    assert there.count("<b>\N{MINUS SIGN} removed</b>") == 1
    assert "classDef added" in there
    assert "changed</b><br/><b>draft" not in there
    repository.commit({})
    back = draw(repository, "--base", "HEAD", "--head", base)
    assert back.count("<b>\N{MINUS SIGN} removed</b>") == 3
    assert "stroke-dasharray" in back


def test_what_a_diagram_has_no_room_for_is_marked_all_the_same(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": GRAPH.replace('"question" }', "\"question + '!'\" }")})
    assert "<b>\N{NOT EQUAL TO} changed</b><br/><b>draft</b>" in draw(repository, "--base", "HEAD")
    assert "changed</b>" not in draw(repository, "--base", "HEAD", "--head", "HEAD")


def test_a_node_that_is_called_otherwise_is_neither_new_nor_gone(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": GRAPH.replace('"draft"', '"think"')})
    drawn = draw(repository, "--base", "HEAD")
    assert "added</b>" not in drawn
    assert "removed</b>" not in drawn


def test_a_graph_on_one_side_only_is_all_new_or_all_gone(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": None})
    gone = draw(repository, "--base", "HEAD")
    assert gone.count("\N{MINUS SIGN} removed</b>") == 5
    repository.commit({})
    assert draw(repository, "--base", "HEAD", "--head", "HEAD~1").count("+ added</b>") == 5


@pytest.mark.parametrize("view", VIEWS)
def test_real_mermaid_draws_a_change_in_every_view(view: str, repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    svg = mermaidx.render(draw(repository, "--base", "HEAD", "--view", view)).svg()
    assert "+ added" in " ".join(ET.fromstring(svg).itertext())


def test_files_are_written_in_every_language(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    said = draw(repository, "--base", "HEAD", "-o", "change.svg", "-o", "change.dot")
    assert said == "wrote change.svg (admitted)\nwrote change.dot (admitted)\n"
    svg = (repository.folder / "change.svg").read_text("utf-8")
    assert "+ added" in svg
    assert "prefers-color-scheme: dark" in svg


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-", "--base", "HEAD"), "what changed in standard input cannot be told"),
        (("graphs/lost.toml", "--base", "HEAD"), "'graphs/lost.toml' is there in neither"),
        (("policy.toml", "--base", "HEAD"), "'policy.toml' is no graph that can be drawn"),
        (("graphs/answer.toml", "--base", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments: tuple[str, ...], said: str, repository: Repository) -> None:
    ran = repository.run("draw", *arguments)
    assert ran.exit == 2
    assert said in ran.err


def test_what_changed_in_a_node_is_said_with_what_it_was(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    repository.commit({})
    repository.write({"graphs/answer.toml": SAVING.replace("'out.md'", "'in.md'")})
    drawn = draw(repository, "--base", "HEAD")
    assert "changed</b><br/><b>apply</b>" in drawn
    assert "<br/>port 'path': 'out.md' → 'in.md'" in drawn.replace("→<br/>", "→ ")
