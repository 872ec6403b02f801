"""The project with a fault of every family, and a check of it in every format at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grapharc.cli.rendering.formats import FORMATS
from tests.cli.conftest import Ran, grapharc

__all__ = ["grapharc"]

PROJECT = Path(__file__).parent / "project"
TERMS = ("--today", "2027-01-01", "--baseline", "known.json")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


@pytest.fixture
def project(here: Path) -> Path:
    """A copy of the project, in which commands are given."""
    shutil.copytree(PROJECT, here, dirs_exist_ok=True)
    return here


@pytest.fixture
def told(grapharc: Callable[..., Ran], tmp_path: Path) -> Callable[..., Mapping[str, str]]:
    """Check what is named, and return what each format says of it."""

    def tell(*arguments: str) -> dict[str, str]:
        folder = tmp_path / "written"
        folder.mkdir(exist_ok=True)
        outputs = [f"--output={name}={folder / name}" for name in FORMATS]
        ran = grapharc("check", *arguments, *outputs)
        assert ran.exit in (0, 1), ran.err
        found = {name: (folder / name).read_bytes().decode() for name in FORMATS}
        assert ran.out == found["text"]
        return found

    return tell
