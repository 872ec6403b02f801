"""``check --watch`` in a process of its own: it sees what changes, what comes and what goes, and ends when told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grapharc.cli.main import main

REPOSITORY = Path(__file__).resolve().parent.parent.parent
GOOD = '[[nodes]]\nname = "a"\nkind = "control.pass"\n\n[[edges]]\nchain = ["__start__", "a", "__end__"]\n'


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    (tmp_path / "graph.toml").write_text(GOOD)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(tmp_path / ".cache")}
    command = [sys.executable, "-u", "-m", "grapharc.cli", "check", "--watch", "."]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def told(process: subprocess.Popen[str]) -> str:
    """What is said until it waits again."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("checked at"):
            return "".join(lines)
    raise AssertionError("".join(lines))


def test_it_checks_again_when_a_file_changes_comes_or_goes(watched: subprocess.Popen[str], tmp_path: Path) -> None:
    assert "no findings" in told(watched) or watched.poll() is None
    (tmp_path / "graph.toml").write_text(GOOD.replace("control.pass", "control.pas"))
    assert "unregistered_node" in told(watched)
    (tmp_path / "other.toml").write_text("nodes = [")
    assert "unclosed_bracket" in told(watched)
    (tmp_path / "other.toml").unlink()
    assert "unclosed_bracket" not in told(watched)
    watched.send_signal(signal.SIGINT)
    assert watched.wait(30) == 1


def test_it_only_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--watch", "--fix", "."]) == 2
    assert "--watch only looks, and --fix is asked for" in capsys.readouterr().err


def test_files_of_others_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (tmp_path / "graph.toml").write_text(GOOD)
    files = [str(tmp_path / name) for name in ("pyproject.toml", "graph.toml")]
    assert main(["check", *files]) == 1
    assert "unknown_document" in capsys.readouterr().out
    assert main(["check", "--ours-only", *files]) == 0
    assert main(["fmt", "--check", "--ours-only", *files]) == 0
    assert main(["check", "--ours-only", files[0]]) == 0
