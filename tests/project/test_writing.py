"""Files are written whole, where links lead, with the permissions that they have; a new one takes no other's place."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from grapharc.project.writing import write_file, write_new_file
from tests.cli.conftest import grapharc

__all__ = ["grapharc"]

GRAPH = '[[nodes]]\nname = "a"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "a"]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_link_is_followed_and_permissions_stay(here: Path) -> None:
    kept = here / "kept" / "real.txt"
    kept.parent.mkdir()
    kept.write_text("old")
    kept.chmod(0o600)
    (here / "link.txt").symlink_to("kept/real.txt")
    write_file("link.txt", b"new")
    assert (here / "link.txt").is_symlink()
    assert (kept.read_text(), mode(kept)) == ("new", 0o600)
    assert [path.name for path in kept.parent.iterdir()] == ["real.txt"]


def test_a_link_to_what_is_not_there_yet_leads_to_a_new_file(here: Path) -> None:
    (here / "link.txt").symlink_to("later.txt")
    write_file("link.txt", b"new")
    assert (here / "link.txt").is_symlink()
    assert (here / "later.txt").read_text() == "new"


@pytest.mark.parametrize(
    "arguments",
    [
        ("baseline", "update", "out"),
        ("check", "a.toml", "--output", "json=out"),
        ("draw", "a.toml", "-o", "out.mmd"),
    ],
)
def test_commands_leave_links_and_permissions_as_they_are(grapharc, here: Path, arguments: tuple[str, ...]) -> None:
    (here / "a.toml").write_text(GRAPH)
    (here / "grapharc.toml").write_text('[grapharc]\ngraphs = ["a.toml"]\n')
    grapharc("baseline", "update", "real")
    before = (here / "real").read_text()
    (here / "a.toml").write_text(GRAPH.replace('"a"]', '"a", "__end__"]'))
    (here / "real").chmod(0o600)
    name = arguments[-1].rpartition("=")[2]
    (here / name).symlink_to("real")
    ran = grapharc(*arguments)
    assert ran.exit == 0, ran.err
    assert (here / name).is_symlink()
    assert (here / "real").read_text() != before
    assert mode(here / "real") == 0o600


def test_a_new_file_takes_no_others_place(here: Path) -> None:
    (here / "dangling").symlink_to("nowhere")
    (here / "file").write_text("old")
    for name in ("dangling", "file"):
        with pytest.raises(FileExistsError):
            write_new_file(name, b"new")
    assert (here / "file").read_text() == "old"
    assert sorted(path.name for path in here.iterdir()) == ["dangling", "file"]


def test_of_many_that_write_a_new_file_at_once_one_does(here: Path) -> None:
    done: list[int] = []
    gate = threading.Barrier(8)

    def write(number: int) -> None:
        gate.wait()
        try:
            write_new_file("new", str(number).encode())
            done.append(number)
        except FileExistsError:
            pass

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(here / "new").read_text()] == [str(number) for number in done]
    assert [path.name for path in here.iterdir()] == ["new"]


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP])
def test_where_there_are_no_hard_links_a_new_file_is_written_all_the_same(
    here: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def link(source: str, target: str) -> None:
        raise OSError(number, "no links here", target)

    monkeypatch.setattr(os, "link", link)
    write_new_file("new", b"new")
    assert [(path.name, path.read_bytes()) for path in here.iterdir()] == [("new", b"new")]
    with pytest.raises(FileExistsError):
        write_new_file("new", b"newer")
    assert [(path.name, path.read_bytes()) for path in here.iterdir()] == [("new", b"new")]
