"""The same documents are told the same, byte for byte, in every process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def told(folder: Path, seed: str, caches: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "grapharc.cli", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": seed, "GRAPHARC_CACHE_DIR": str(caches)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


@pytest.mark.parametrize("arguments", [("check",), ("check", "--json"), ("kinds", "--json")])
def test_output_is_the_same_for_every_hash_seed_folder_and_cache(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    example = REPOSITORY / "examples" / "wrong"
    elsewhere = tmp_path / "else where" / "wrong"
    shutil.copytree(example, elsewhere)
    first = told(example, "0", tmp_path / "a", *arguments)
    assert first == told(example, "1", tmp_path / "a", *arguments)
    assert first == told(elsewhere, "2", tmp_path / "b", *arguments)


def test_the_record_of_an_admission_is_the_same(tmp_path: Path) -> None:
    example = REPOSITORY / "examples" / "cited_answer"
    arguments = ("run", "graph.toml", "--check-only", "--json")
    assert told(example, "0", tmp_path, *arguments) == told(example, "7", tmp_path, *arguments)


def test_a_project_reached_from_elsewhere_is_told_the_same(tmp_path: Path) -> None:
    """Paths print relative to the project document's folder, wherever the command runs."""
    example = REPOSITORY / "examples" / "wrong"
    config = ("--config", str(example / "grapharc.toml"))
    inside = told(example, "0", tmp_path, "check", "two_writers.toml")
    assert inside == told(tmp_path, "0", tmp_path, "check", *config, str(example / "two_writers.toml"))
