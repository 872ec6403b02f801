"""The command that makes the generated pages says when they are stale; `make docs-check` asks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.cli.docs import PAGES, main

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def test_a_stale_page_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0
    assert main([str(tmp_path), "--check"]) == 0
    (tmp_path / "codes.md").write_text("old")
    assert main(["--check", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"{tmp_path / 'codes.md'} is stale, `make docs` rewrites it\n"
    assert main([]) == 2


def test_the_index_names_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    assert all(f"({name})" in index for name in PAGES)
