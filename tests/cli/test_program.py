"""The program as a process: however it is started, what it says is whole, and its exit code is that of its answer."""

from __future__ import annotations

import contextlib
import json
import os
import signal
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


def ended(project: Path, *arguments: str, stdout: str = "/dev/null", stderr: str = "") -> tuple[int, str]:
    """Run the program with its streams on files; return its exit code, and standard error if it is not one."""
    with Path(stdout).open("r+") as out, Path(stderr or "/dev/null").open("r+") as err:
        ran = subprocess.run(
            [sys.executable, "-m", "grapharc", *arguments],
            cwd=project,
            env={"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(project / "caches")},
            stdout=out,
            stderr=err if stderr else subprocess.PIPE,
            text=True,
            check=False,
        )
    return ran.returncode, ran.stderr or ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_an_answer_that_nobody_could_write_is_no_success(project: Path) -> None:
    # The second check finds its verdict kept.
    for arguments in (["check", "policy.toml"], ["check", "policy.toml"], ["--version"], ["schema", "graph"]):
        told = ended(project, *arguments, stdout="/dev/full")
        assert told == (2, "error: could not be used: no space left on device\n"), arguments


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("stdout", ["/dev/null", "/dev/full"])
def test_a_failure_that_nobody_could_be_told_of_keeps_its_exit_code(stdout: str, project: Path) -> None:
    for arguments in (["check", "missing.toml"], ["check", "--bogus"], ["chck"]):
        assert ended(project, *arguments, stdout=stdout, stderr="/dev/full") == (2, ""), arguments


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals come otherwise here")
@pytest.mark.parametrize("arguments", [["--format", "concise"], ["--json", "--no-cache"]])
def test_who_is_interrupted_while_nobody_reads_ends_in_words(arguments: list[str], project: Path) -> None:
    for _ in range(2):  # made, then kept
        known = {"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(project / "caches")}
        command = [sys.executable, "-m", "grapharc", "check", "bad.toml", *arguments]
        with subprocess.Popen(
            command, cwd=project, env=known, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(1)  # the rest is more than a pipe holds
            while process.poll() is None:
                process.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.5)
            assert process.returncode == 1
            assert process.stderr.read() in (b"", b"error: interrupted\n")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no names for open files here")
def test_a_report_goes_into_a_pipe_that_has_no_name_of_its_own(project: Path) -> None:
    ran = run("grapharc", "check", "policy.toml", "--output", "concise=/dev/stdout", "--json", cwd=project)
    assert ran.returncode == 0, ran.stderr
    reading, writing = os.pipe()
    known = {"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(project / "caches")}
    subprocess.run(
        [sys.executable, "-m", "grapharc", "check", "policy.toml", "--output", f"json=/dev/fd/{writing}"],
        cwd=project,
        env=known,
        pass_fds=[writing],
        capture_output=True,
        check=True,
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert json.load(pipe)["exit"] == 0
