"""Command lines that make no sense are told as such, before anything that the documents say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

FAULTY = '[[nodes]]\nname = "a"\nkind = "no.such.kind"\n'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "x"], "'x' is no input, NAME=VALUE would be right"),
        (["--input", "=x"], "'=x' is no input, NAME=VALUE would be right"),
        (["--input", "x=1", "--input", "x=2"], "input 'x' is given twice"),
        (["--run-id", "../x"], "'../x' is no name for a run: letters, digits, '_', '.' and '-' would be right"),
    ],
)
def test_a_malformed_input_comes_before_the_faults_of_the_graph(
    grapharc: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graph.toml").write_text(FAULTY)
    for more in ((), ("--check-only",)):
        ran = grapharc("run", "graph.toml", *arguments, *more)
        assert (ran.exit, ran.out) == (2, "")
        assert ran.err.splitlines()[0] == f"error: {message}"
