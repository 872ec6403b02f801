"""Completion, asked by the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grapharc.cli.commands import COMMANDS
from grapharc.cli.main import main

REPOSITORY = Path(__file__).resolve().parent.parent.parent

BASH = """
eval "$(grapharc completion bash)"
complete -p grapharc > /dev/null || exit 3
COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 )); _grapharc_completion grapharc
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -Uz compinit && compinit -u -D
eval "$(grapharc completion zsh)"
[ "${{_comps[grapharc]}}" = _grapharc_completion ] || exit 3
compadd() {{ print -l -- "${{(@P)@[-1]}}" }}
_describe() {{ print -l -- "${{(@P)3}}" | sed 's/:.*//' }}
words=({words}); CURRENT=${{#words}}; _grapharc_completion
"""
FISH = """
grapharc completion fish | source
set found (complete -C "{line}")
printf '%s\\n' $found | sed 's/[[:space:]].*//'
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A PATH on which ``grapharc`` is this very code."""
    script = tmp_path / "bin" / "grapharc"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m grapharc.cli "$@"\n')
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(REPOSITORY), "HOME": str(tmp_path)}


def asked(shell: str, script: str, environment: dict[str, str]) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here; .ci/run installs one")
    ran = subprocess.run([shell, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return sorted(line for line in ran.stdout.splitlines() if line)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("grapharc dr", ["draw"]), ("grapharc explain join_", ["join_may_never_fire", "join_undecidable"])],
)
def test_shells_complete_commands_and_codes(words: str, expected: list[str], environment: dict[str, str]) -> None:
    assert asked("bash", BASH.format(words=words), environment) == expected
    found = asked("fish", FISH.format(line=words), environment) if shutil.which("fish") else expected
    assert found == expected
    found = asked("zsh", ZSH.format(words=words), environment) if shutil.which("zsh") else expected
    assert found == expected


def test_every_command_is_offered(environment: dict[str, str]) -> None:
    assert asked("bash", BASH.format(words="grapharc ''"), environment) == sorted(COMMANDS)


def test_another_shell_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bas"]) == 2
    assert capsys.readouterr().err == (
        "error: 'bas' is no shell that can be served, did you mean 'bash'?\n  = bash, zsh and fish can\n"
    )
