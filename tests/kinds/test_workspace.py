"""No path leads out of a workspace: real folders, real links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grapharc.runtime.workspace import Workspace, WorkspaceEscape, WorkspaceLink
from grapharc.stdlib_kinds.tools.files import MAX_BYTES, FileTooLong, list_dir, read_file, write_file
from grapharc.stdlib_kinds.tools.search import MAX_MATCHES, TooManyMatches, find_lines, find_paths


class Context:
    """The part of a run's context that file kinds use."""

    def __init__(self, root: Path) -> None:
        self.workspace = Workspace(root)


@pytest.fixture
def ctx(tmp_path: Path) -> Context:
    root = tmp_path / "work"
    (root / "notes" / "deep").mkdir(parents=True)
    (root / "notes" / "a.txt").write_text("alpha\nbeta\n", encoding="utf-8")
    (root / "notes" / "deep" / "b.txt").write_text("beta again\n", encoding="utf-8")
    (root / "inside").symlink_to("notes")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "work-twin").mkdir()
    (tmp_path / "work-twin" / "x.txt").write_text("twin", encoding="utf-8")
    (root / "out").symlink_to("..")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "loop").symlink_to("loop")
    return Context(root)


ESCAPES = [
    "../secret.txt",
    "notes/../../secret.txt",
    "/etc/passwd",
    "out/secret.txt",
    "out.txt",
    "../work-twin/x.txt",
    "a\0b",
]


@pytest.mark.parametrize("path", ESCAPES)
def test_no_kind_follows_a_way_out(ctx: Context, path: str) -> None:
    with pytest.raises(WorkspaceEscape):
        read_file(path=path, root=".", ctx=ctx)
    with pytest.raises(WorkspaceEscape):
        list_dir(path=path, root=".", ctx=ctx)
    with pytest.raises(WorkspaceEscape):
        write_file(path=path, text="x", root=".", ctx=ctx)
    with pytest.raises(WorkspaceEscape):
        read_file(path="a.txt", root=path, ctx=ctx)


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "notes/../../*"])
def test_no_pattern_leads_out(ctx: Context, pattern: str) -> None:
    with pytest.raises(WorkspaceEscape):
        find_paths(pattern=pattern, root=".", ctx=ctx)
    with pytest.raises(WorkspaceEscape):
        find_lines(pattern="x", glob=pattern, root=".", ctx=ctx)


def test_a_root_is_a_workspace_of_its_own(ctx: Context) -> None:
    assert read_file(path="a.txt", root="notes", ctx=ctx) == {"text": "alpha\nbeta\n"}
    with pytest.raises(WorkspaceEscape):
        read_file(path="../out.txt", root="notes", ctx=ctx)


def test_a_link_within_the_workspace_is_not_followed_either(ctx: Context) -> None:
    """A policy decides by the path as it is written: by a link, another file would be opened than was judged."""
    (ctx.workspace.root / "notes" / "latest.txt").symlink_to("a.txt")
    for path, root in [("inside/a.txt", "."), ("a.txt", "inside"), ("notes/latest.txt", "."), ("latest.txt", "notes")]:
        with pytest.raises(WorkspaceLink, match="not followed"):
            read_file(path=path, root=root, ctx=ctx)
        with pytest.raises(WorkspaceLink, match="not followed"):
            write_file(path=path, text="c", root=root, ctx=ctx)
    with pytest.raises(WorkspaceLink, match="not followed"):
        list_dir(path="inside", root=".", ctx=ctx)


def test_a_path_has_one_spelling(ctx: Context) -> None:
    assert write_file(path="./notes//c.txt", text="c", root=".", ctx=ctx) == {"path": "notes/c.txt"}
    assert read_file(path="./c.txt", root="notes/.", ctx=ctx) == {"text": "c"}


def test_a_link_put_in_place_after_the_check_is_not_followed(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = Workspace.resolve

    def swap(self: Workspace, path: str, *, writing: bool = False):
        resolved = resolve(self, path, writing=writing)
        folder = self._root / "notes"
        if not folder.is_symlink():
            folder.rename(self._root / "moved")
            folder.symlink_to("..")
        return resolved

    monkeypatch.setattr(Workspace, "resolve", swap)
    with pytest.raises((WorkspaceEscape, NotADirectoryError)):
        read_file(path="notes/a.txt", root=".", ctx=ctx)
    (ctx.workspace.root / "notes").unlink()
    (ctx.workspace.root / "moved").rename(ctx.workspace.root / "notes")
    with pytest.raises((WorkspaceEscape, NotADirectoryError)):
        write_file(path="notes/new.txt", text="x", root=".", ctx=ctx)
    assert not (ctx.workspace.root.parent / "new.txt").exists()


def test_listing_marks_folders_and_is_sorted(ctx: Context) -> None:
    assert list_dir(path=".", root=".", ctx=ctx) == {"entries": ["inside", "loop", "notes/", "out", "out.txt"]}


def test_glob_and_grep_never_follow_links(ctx: Context) -> None:
    assert find_paths(pattern="**", root=".", ctx=ctx) == {"paths": ["notes/a.txt", "notes/deep/b.txt"]}
    assert find_paths(pattern="*/*.txt", root=".", ctx=ctx) == {"paths": ["notes/a.txt"]}
    assert find_paths(pattern="**/?.txt", root=".", ctx=ctx) == {"paths": ["notes/a.txt", "notes/deep/b.txt"]}
    assert find_lines(pattern="^beta", glob="**", root=".", ctx=ctx) == {
        "matches": [
            {"path": "notes/a.txt", "line": 2, "text": "beta"},
            {"path": "notes/deep/b.txt", "line": 1, "text": "beta again"},
        ]
    }


def test_a_pattern_that_matches_everything_is_refused(ctx: Context) -> None:
    (ctx.workspace._root / "many.txt").write_text("x\n" * (MAX_MATCHES + 1), encoding="utf-8")
    with pytest.raises(TooManyMatches, match="narrower"):
        find_lines(pattern="x", glob="many.txt", root=".", ctx=ctx)


def test_a_write_is_whole_and_leaves_nothing_behind(ctx: Context) -> None:
    write_file(path="reports/new/r.md", text="h\u00e9", root=".", ctx=ctx)
    folder = ctx.workspace._root / "reports" / "new"
    assert [entry.name for entry in folder.iterdir()] == ["r.md"]
    assert (folder / "r.md").read_bytes() == "h\u00e9".encode()


def test_a_write_that_fails_keeps_the_old_text(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        write_file(path="notes/a.txt", text="half", root=".", ctx=ctx)
    assert read_file(path="notes/a.txt", root=".", ctx=ctx) == {"text": "alpha\nbeta\n"}
    assert sorted(entry.name for entry in (ctx.workspace._root / "notes").iterdir()) == ["a.txt", "deep"]


def test_what_is_no_regular_text_is_an_error_and_never_hangs(ctx: Context) -> None:
    os.mkfifo(ctx.workspace._root / "pipe")
    assert read_file(path="pipe", root=".", ctx=ctx) == {"text": ""}
    (ctx.workspace._root / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(UnicodeDecodeError):
        read_file(path="bytes", root=".", ctx=ctx)
    with pytest.raises(FileNotFoundError):
        read_file(path="nowhere.txt", root=".", ctx=ctx)
    with (ctx.workspace._root / "long").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(FileTooLong, match="at most"):
        read_file(path="long", root=".", ctx=ctx)
