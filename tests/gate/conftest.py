"""Real git repositories: files go in, commits come out, and the gate runs in them as in a terminal."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, grapharc

__all__ = ["Repository", "changes", "codes", "grapharc", "repository"]

PROJECT = '[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graphs/**/*.toml"]\n'
REGISTRY = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "tool.*"\n[[use]]\nkind = "graph"\n'
POLICY = """
name = "house"
default = "allow"
[[rule]]
id = "no-shell-after-files"
effect = "deny"
resource = "edge"
match = "tool.read_file -> tool.write_file"
"""
GRAPH = """
name = "answer"
[state]
question = { type = "string", input = true, labels = ["untrusted"] }
text = { type = "string", output = true }
[[nodes]]
name = "draft"
kind = "control.set"
reads = { value = "question" }
writes = { result = "text" }
[[edges]]
chain = ["__start__", "draft", "__end__"]
"""
SAVING = (
    GRAPH.replace('"draft", "__end__"', '"draft", "apply", "__end__"')
    + """
[[nodes]]
name = "apply"
kind = "tool.write_file"
reads = { path = "'out.md'", text = "text" }
"""
)


class Repository:
    """A git repository with a project in it."""

    def __init__(self, folder: Path, run: Callable[..., Ran]) -> None:
        self.folder, self.run = folder, run

    def git(self, *arguments: str) -> str:
        settings = ("-c", "user.name=ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false")
        ran = subprocess.run(
            ["git", *settings, *arguments], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return ran.stdout.strip()

    def write(self, files: dict[str, str | None]) -> None:
        """Write files; None takes one away."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text, "utf-8")

    def commit(self, files: dict[str, str | None]) -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a commit")
        return self.git("rev-parse", "HEAD")

    def gate(self, *arguments: str) -> Ran:
        return self.run("gate", *arguments)


@pytest.fixture
def repository(tmp_path: Path, grapharc: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Repository:
    folder = tmp_path / "a repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "cache"))
    made = Repository(folder, grapharc)
    made.git("init", "-q", "-b", "main")
    made.commit(
        {"grapharc.toml": PROJECT, "registry.toml": REGISTRY, "policy.toml": POLICY, "graphs/answer.toml": GRAPH}
    )
    return made


def changes(repository: Repository, *arguments: str) -> list[dict[str, Any]]:
    """The changes that the gate tells."""
    found: list[dict[str, Any]] = repository.gate("--json", *arguments).json["changes"]
    return found


def codes(repository: Repository, *arguments: str) -> list[str]:
    """The codes of what the gate finds, each once."""
    document = repository.gate("--json", *arguments).json
    return sorted({finding["code"] for finding in document["findings"]})
