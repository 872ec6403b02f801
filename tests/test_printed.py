"""Every example in README, docs and examples/ is run, and what it prints is compared; ``make update`` rewrites it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.printed import run_again

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for path in [REPOSITORY / "README.md", *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("examples/*/README.md")]
    if path.is_file()
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(".grapharc"))
    for variable in [name for name in os.environ if name.startswith("GRAPHARC_") and name != "GRAPHARC_UPDATE"]:
        monkeypatch.delenv(variable)
    (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir((tmp_path / page).parent)
    written = (REPOSITORY / page).read_text("utf-8")
    now = run_again(written)
    if os.environ.get("GRAPHARC_UPDATE"):
        (REPOSITORY / page).write_text(now, "utf-8")
    else:
        assert now == written, "make update rewrites what the examples print"


def test_what_the_architecture_page_says_holds_an_invariant_is_there() -> None:
    page = (REPOSITORY / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/.]+)`", page)
    assert len(named) > 10
    assert [name for name in named if not (REPOSITORY / name).exists()] == []
