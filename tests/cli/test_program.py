"""The program as a process: however it is started, what it says is whole, and its exit code is that of its answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grapharc.spec.version import VERSION

REPOSITORY = Path(__file__).resolve().parent.parent.parent
FAULTS = 3000


def run(module: str, *arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    known = {"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(cwd / "caches"), **environ}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=cwd, env=known, capture_output=True, text=True, check=False
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A document of very many faults, and one of none."""
    nodes = "".join(f'[[nodes]]\nname = "n{number}"\nkind = "no.kind{number}"\n' for number in range(FAULTS))
    (tmp_path / "bad.toml").write_text(f'name = "bad"\n{nodes}')
    (tmp_path / "policy.toml").write_text('name = "open"\nversion = "1"\ndefault = { node = "allow" }\n')
    return tmp_path


@pytest.mark.parametrize("module", ["grapharc", "grapharc.cli"])
def test_it_is_started_by_either_name(module: str, project: Path) -> None:
    ran = run(module, "--version", cwd=project)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"grapharc {VERSION}\n", "")
    ran = run(module, "chck", cwd=project)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: there is no command 'chck', did you mean 'check'?")
    ran = run(module, "check", "--help", cwd=project)
    assert ran.returncode == 0
    assert ran.stdout.startswith("Usage: grapharc check [OPTIONS] [PATHS]...")


@pytest.mark.parametrize("watcher", [[], ["-X", "dev"]])
def test_all_of_a_long_answer_is_said(watcher: list[str], project: Path) -> None:
    environ = {"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(project / "caches")}
    for _ in range(2):  # made, then kept
        ran = subprocess.run(
            [sys.executable, *watcher, "-m", "grapharc", "check", "bad.toml", "--format", "concise"],
            cwd=project,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (1, "")
        assert ran.stdout.count("[unregistered_node]") == FAULTS
        assert ran.stdout.endswith("\n")


def test_what_looks_on_is_asked_when_the_program_ends(project: Path) -> None:
    profile = project / "profile"
    subprocess.run(
        [sys.executable, "-m", "cProfile", "-o", str(profile), "-m", "grapharc.cli", "--version"],
        cwd=project,
        env={"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )
    assert profile.stat().st_size > 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_an_answer_that_nobody_could_write_is_no_success(project: Path) -> None:
    for arguments in (["check", "policy.toml"], ["--version"], ["schema", "graph"]):
        with Path("/dev/full").open("w") as full:
            ran = subprocess.run(
                [sys.executable, "-m", "grapharc", *arguments],
                cwd=project,
                env={"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(project / "caches")},
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert (ran.returncode, ran.stderr) == (2, "error: could not be used: no space left on device\n"), arguments
