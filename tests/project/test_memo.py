"""What is known about texts outlives a check, and nothing that happens to the cache fails one."""

from __future__ import annotations

import marshal
import os
import sys
from pathlib import Path

import pytest

from grapharc.project import memo as caches
from grapharc.project.memo import cache_folder, load_memo, save_memo
from grapharc.spec.memo import Memo


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GRAPHARC_CACHE_DIR": str(tmp_path / "caches")}


def _remember(root: Path, environ: dict[str, str]) -> Path:
    memo = Memo()
    memo.put("types", "list[string]", {"item": ["string", None, True, 1.5]})
    save_memo(memo, str(root), environ)
    (cache,) = Path(environ["GRAPHARC_CACHE_DIR"]).glob("*.memo")
    return cache


def test_what_is_kept_comes_back(tmp_path: Path, environ: dict[str, str]) -> None:
    _remember(tmp_path, environ)
    known = load_memo(str(tmp_path), environ)
    assert known.get("types", "list[string]") == {"item": ["string", None, True, 1.5]}
    assert not known.changed
    assert load_memo(str(tmp_path.parent), environ).tables == {}


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "other", "folder", "pipe"])
def test_a_damaged_cache_is_an_empty_one(tmp_path: Path, environ: dict[str, str], damage: str) -> None:
    cache = _remember(tmp_path, environ)
    sealed = cache.read_bytes()
    if damage == "folder":
        cache.unlink()
        cache.mkdir()
    elif damage == "pipe":
        cache.unlink()
        os.mkfifo(cache)
    else:
        damaged = {
            "cut": sealed[:-3],
            "flipped": sealed[:-1] + bytes([sealed[-1] ^ 1]),
            "emptied": b"",
            "other": marshal.dumps({"types": {}}),
        }
        cache.write_bytes(damaged[damage])
    assert load_memo(str(tmp_path), environ).tables == {}
    _ = save_memo(load_memo(str(tmp_path), environ), str(tmp_path), environ)


def test_a_cache_of_another_build_is_an_empty_one(
    tmp_path: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _remember(tmp_path, environ)
    monkeypatch.setattr(caches, "VERSION", "0.0.0")
    assert load_memo(str(tmp_path), environ).tables == {}


@pytest.mark.parametrize("forgery", ["another's", "came along", "none"])
def test_a_cache_that_another_user_sealed_is_an_empty_one(
    tmp_path: Path, environ: dict[str, str], forgery: str
) -> None:
    """Pipelines want the folder of caches within the project, to which a pull request may add files."""
    _remember(tmp_path, environ)
    secret = tmp_path / "caches" / "secret"
    if forgery == "another's":
        secret.write_bytes(b"0" * 32)
    elif forgery == "came along":
        secret.chmod(0o644)
    else:
        secret.unlink()
        secret.mkdir()
    assert load_memo(str(tmp_path), environ).tables == {}
    assert secret.is_dir() or len(secret.read_bytes()) == 32


def test_a_cache_that_cannot_be_written_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    memo = Memo()
    memo.put("types", "x", 1)
    save_memo(memo, str(tmp_path), {"GRAPHARC_CACHE_DIR": str(tmp_path / "taken" / "below")})


def test_the_project_holds_no_cache_that_a_stranger_could_have_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    memo = Memo()
    memo.put("types", "x", 1)
    save_memo(memo, str(tmp_path / "project"), {})
    assert not (tmp_path / "project").exists()
    assert load_memo(str(tmp_path / "project"), {}).get("types", "x") == 1


def test_a_large_cache_loses_what_is_oldest(
    tmp_path: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "MOST_BYTES", 20_000)
    memo = Memo()
    for number in range(1000):
        memo.put("types", f"t{number}", f"{number:50}")
    save_memo(memo, str(tmp_path), environ)
    table = load_memo(str(tmp_path), environ).tables["types"]
    assert 0 < len(table) < 1000
    assert "t999" in table
    assert "t0" not in table


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="elsewhere caches stand where the system wants them")
def test_a_cache_folder_that_is_no_absolute_path_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder({"XDG_CACHE_HOME": "in/the/project"}) == str(tmp_path / ".cache" / "grapharc")
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == str(tmp_path / "grapharc")
