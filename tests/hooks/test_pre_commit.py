"""The hooks, run by the real pre-commit from a clone of this repository, in a real git repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PRE_COMMIT = Path(sys.executable).with_name("pre-commit")

GRAPH = """\
[[nodes]]
name = "a"
kind = "control.pass"

[[edges]]
chain = ["__start__", "a", "__end__"]
"""
POLICY = """\
default = "allow"

[[rule]]
id = "no-shell"
effect = "deny"
resource = "node"
match = "tool.write_file"
reason = "nothing is written here"
"""


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Someone", "-c", "user.email=someone@example.com", "-c", "commit.gpgsign=false"]
    ran = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with what stands in the working tree, as a release of it would."""
    folder = tmp_path_factory.mktemp("source") / "grapharc"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no git repository, so there is nothing to clone")
    for name in (name for name in listed.stdout.decode().split("\0") if name and (REPOSITORY / name).is_file()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, folder / name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A release")
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environments that it makes, so that the hooks share one."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def project(tmp_path: Path, source: Path) -> Path:
    """A project that uses all hooks, with one commit."""
    used = "".join(f"      - id: grapharc-{name}\n" for name in ("check", "policy", "fmt", "gate"))
    head = git(source, "rev-parse", "HEAD").strip()
    config = f"repos:\n  - repo: {source}\n    rev: {head}\n    hooks:\n{used}"
    (tmp_path / ".pre-commit-config.yaml").write_text(config)
    (tmp_path / "grapharc.toml").write_text(
        '[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graph*.toml"]\n'
    )
    (tmp_path / "registry.toml").write_text('[[use]]\nkind = "control.*"\n\n[[use]]\nkind = "tool.*"\n')
    (tmp_path / "graph.toml").write_text(GRAPH)
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')
    (tmp_path / "package.json").write_text('{"name": "other"}\n')
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


def hooks(project: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    git(project, "add", "-A")
    return subprocess.run(
        [str(PRE_COMMIT), "run", "--color=never", *arguments],
        cwd=project,
        env={**os.environ, "PRE_COMMIT_HOME": str(home), "GRAPHARC_CACHE_DIR": str(home / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_manifest_is_one_that_pre_commit_takes() -> None:
    manifest = REPOSITORY / ".pre-commit-hooks.yaml"
    command = [str(PRE_COMMIT), "validate-manifest", str(manifest)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_hooks_pass_a_clean_project_and_other_peoples_files(project: Path, home: Path) -> None:
    ran = hooks(project, home, "--all-files")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Passed") == 4, ran.stdout


def test_each_hook_stops_what_it_is_there_for(project: Path, home: Path) -> None:
    (project / "graph.toml").write_text(GRAPH.replace("control.pass", "control.pas"))
    ran = hooks(project, home, "grapharc-check")
    assert ran.returncode == 1
    assert "graph.toml:3:8" in ran.stdout
    assert "did you mean 'control.pass'?" in ran.stdout

    turned = GRAPH.replace('name = "a"\nkind = "control.pass"', 'kind = "control.pass"\nname = "a"')
    (project / "graph.toml").write_text(turned)
    ran = hooks(project, home, "grapharc-fmt")
    assert ran.returncode == 1
    assert "files were modified by this hook" in ran.stdout
    assert (project / "graph.toml").read_text().startswith('[[nodes]]\nname = "a"\n')

    (project / "graph.toml").write_text(GRAPH)
    (project / "policy.toml").write_text(POLICY.replace("tool.write_file", "tool.write_flie"))
    ran = hooks(project, home, "grapharc-policy")
    assert ran.returncode == 1
    assert "tool.write_flie" in ran.stdout

    (project / "policy.toml").write_text(POLICY)
    (project / "graph.toml").write_text(
        GRAPH.replace("control.pass", "tool.read_file").replace('name = "a"', 'name = "a"\nreads = { path = "\'x\'" }')
    )
    ran = hooks(project, home, "grapharc-gate")
    assert ran.returncode == 1
    assert "read_files" in ran.stdout
