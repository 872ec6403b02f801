"""Models that would not answer: of files and of backends that nobody knows a check tells, of those we lack a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, grapharc

__all__ = ["grapharc"]

GRAPH = """
[state]
answer = { type = "string", output = true }

[[nodes]]
name = "note"
kind = "tool.write_file"
reads = { path = "'note.txt'", text = "'begun'" }
writes = {}

[[nodes]]
name = "ask"
kind = "model.call"
args = { role = "writer", prompt = "Answer.", max_tokens = 5 }
writes = { text = "answer" }

[[edges]]
chain = ["__start__", "note", "ask", "__end__"]
"""
USES = '[[use]]\nkind = "*"\n[models]\n'
POLICY = 'default = "allow"\n[[rule]]\nid = "notes"\neffect = "allow"\nresource = "node"\nmatch = "tool.write_file"\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "graph.toml").write_text(GRAPH)
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "grapharc.toml").write_text('[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return tmp_path


@pytest.mark.parametrize(
    ("role", "place"),
    [('writer = "mock/nofile.json"', "5:10"), ('writer = { max_tokens = 9, spec = "mock/nofile.json" }', "5:35")],
)
@pytest.mark.parametrize("paths", [(), ("graph.toml",), ("registry.toml",)])
def test_replies_that_are_not_there_are_told_where_they_are_named(
    grapharc: Callable[..., Ran], here: Path, role: str, place: str, paths: tuple[str, ...]
) -> None:
    (here / "registry.toml").write_text(f"\n{USES}{role}\n")
    ran = grapharc("check", "--format", "concise", "--select", "document_unreadable", *paths)
    assert ran.exit == 1
    assert ran.out.splitlines() == [
        f"registry.toml:{place}: error: 'nofile.json' cannot be read: it is not there [document_unreadable]"
    ]
    (here / "nofile.json").write_text("not for a check to read")
    assert grapharc("check", *paths).exit == 0


def test_a_backend_that_no_version_has_is_told_by_the_check_of_any_graph(
    grapharc: Callable[..., Ran], here: Path
) -> None:
    (here / "registry.toml").write_text(f'{USES}writer = "opnai/gpt-4o-mini"\n')
    ran = grapharc("check", "--format", "concise", "graph.toml")
    assert ran.exit == 0
    assert ran.out.splitlines() == [
        "registry.toml:4:10: warning: there is no backend 'opnai', did you mean 'openai'? [unknown_backend]"
    ]


def test_a_backend_that_is_not_there_is_told_before_anything_runs(grapharc: Callable[..., Ran], here: Path) -> None:
    (here / "registry.toml").write_text(f'{USES}writer = "openai/gpt-4o-mini"\n')
    assert grapharc("check").exit == 0
    ran = grapharc("run", "graph.toml")
    assert ran.exit == 2
    assert ran.err.startswith(
        "error: node 'ask' asks role 'writer', which is played by 'openai/gpt-4o-mini', "
        "and this version has no backend but 'mock/FILE'\n"
    )
    assert not (here / "note.txt").exists()
    assert not (here / ".grapharc").exists()
