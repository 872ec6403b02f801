"""Files that are no store, cannot be used, or are used by somebody else: what is said, and that nothing is touched."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from grapharc.memory import (
    Claim,
    SQLiteArtifactStore,
    SQLiteMemoryStore,
    StoreError,
    known_entities,
    search,
    statistics,
    verify_store,
)

FACT = Claim(id="a", subject="api", predicate="is", object="up", source="s")


def said(path: Path, *, read_only: bool = False) -> str:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError) as error:
        SQLiteMemoryStore(path, timeout=0.05, read_only=read_only)
    assert (path.read_bytes() if path.is_file() else None) == before, "the file was touched"
    return str(error.value).removeprefix(f"'{path}' ")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, and they are long enough for a header\n" * 40)
    assert said(path) == "is no SQLite database, the path of a claim store would be right"
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


def test_a_database_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("create table customers (name text)")
    assert said(path) == "is a SQLite database of something else, the path of a claim store would be right"


def test_a_store_that_a_newer_version_wrote(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    SQLiteMemoryStore(path).close()
    with closing(sqlite3.connect(path)) as later:
        later.execute("pragma user_version = 99")
    words = "was written by a newer version (schema 99, this one knows 3), upgrading grapharc would be right"
    assert said(path) == said(path, read_only=True) == words


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    assert said(tmp_path) == "is a folder, the path of a file in it would be right"
    assert said(tmp_path / "no" / "m.sqlite").startswith("is in a folder that does not exist, making the folder first")
    assert said(tmp_path / "m.sqlite", read_only=True) == "does not exist, the path of a claim store would be right"
    (tmp_path / "empty").touch()
    assert said(tmp_path / "empty", read_only=True) == "is empty, the path of a claim store would be right"
    with SQLiteMemoryStore(tmp_path / "empty") as store:
        assert store.all_claims() == [], "a file without a byte is one that is still to be made"


def test_a_name_with_every_odd_character_is_a_name(tmp_path: Path) -> None:
    path = tmp_path / "what? 50%#1 '\u6771\u4eac'.sqlite"
    with SQLiteMemoryStore(path) as store:
        store.add(FACT)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_store_that_is_only_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as store:
        store.add(FACT)
    before = path.read_bytes()
    with SQLiteMemoryStore(path, read_only=True) as store:
        assert [hit.claim.id for hit in search(store, query="api")] == ["a"]
        with pytest.raises(StoreError, match="cannot be written, the right to write the file and its folder would be"):
            store.add(Claim(subject="b", predicate="is", object="c", source="s"))
    assert path.read_bytes() == before


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


LOOKS = [
    statistics,
    verify_store,
    known_entities,
    lambda store: search(store, query="api"),
    lambda store: store.get("a"),
]


@pytest.mark.parametrize("look", LOOKS)
def test_reading_leaves_nothing_beside_a_store(tmp_path: Path, look: Callable[[SQLiteMemoryStore], object]) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as store:
        store.add(FACT)
    before = listed(tmp_path)
    assert list(before) == ["m.sqlite"]
    with SQLiteMemoryStore(path, read_only=True) as store:
        look(store)
    assert listed(tmp_path) == before


def test_reading_sees_what_a_writer_at_work_has_stored_and_leaves_its_files_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as writer:
        writer.add(FACT)
        before = sorted(listed(tmp_path))
        with SQLiteMemoryStore(path, read_only=True) as reader:
            assert [claim.id for claim in reader.all_claims()] == ["a"]
            writer.add(Claim(id="b", subject="b", predicate="is", object="c", source="s"))
            assert [claim.id for claim in reader.all_claims()] == ["a", "b"]
        assert sorted(listed(tmp_path)) == before
    assert sorted(listed(tmp_path)) == ["m.sqlite"]
    with SQLiteMemoryStore(path, read_only=True) as reader, SQLiteMemoryStore(path) as writer:
        writer.add(Claim(id="c", subject="c", predicate="is", object="d", source="s"))
        assert [claim.id for claim in reader.all_claims()] == ["a", "b", "c"], "one who came first sees it as well"
    assert sorted(listed(tmp_path)) == ["m.sqlite"]


KILLED = """
import os, sys
from grapharc.memory import Claim, SQLiteMemoryStore
store = SQLiteMemoryStore(sys.argv[1])
store.add(Claim(id="a", subject="api", predicate="is", object="up", source="s"))
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs a signal that nobody can catch")
def test_what_a_killed_writer_left_is_read_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    root = Path(__file__).resolve().parent.parent.parent
    subprocess.run([sys.executable, "-c", KILLED, str(path)], env={"PYTHONPATH": str(root)}, check=False)
    before = {name: data for name, data in listed(tmp_path).items() if not name.endswith("-shm")}
    assert sorted(before) == ["m.sqlite", "m.sqlite-wal"]
    with SQLiteMemoryStore(path, read_only=True) as store:
        assert [claim.id for claim in store.all_claims()] == ["a"]
    assert {name: data for name, data in listed(tmp_path).items() if not name.endswith("-shm")} == before


AS_NOBODY = """
import os, sys
from grapharc.memory import SQLiteMemoryStore, StoreError
os.setgid(65534); os.setuid(65534)
for read_only in (False, True):
    try:
        with SQLiteMemoryStore(sys.argv[1], read_only=read_only) as store:
            print([claim.id for claim in store.all_claims()])
    except StoreError as error:
        print(str(error).partition("' ")[2])
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="to become nobody needs root")
def test_a_file_without_the_right_to_write_or_read(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as store:
        store.add(FACT)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder not in (Path("/"), Path("/tmp")):  # noqa: S108
            folder.chmod(folder.stat().st_mode | 0o055)
    path.chmod(0o444)
    assert run(AS_NOBODY, str(path)) == [
        "cannot be written, read_only=True, or the right to write it, would be right",
        "['a']",
    ]
    path.chmod(0o000)
    assert run(AS_NOBODY, str(path)) == ["cannot be read, the right to read it would be right"] * 2


def run(program: str, *arguments: str) -> list[str]:
    root = Path(__file__).resolve().parent.parent.parent
    command = [sys.executable, "-c", program, *arguments]
    ran = subprocess.run(command, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_a_store_that_somebody_holds_for_long_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path, timeout=0.05) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.add(FACT)
        other.execute("begin immediate")
        assert [claim.id for claim in store.current("api")] == ["a"]
        words = "is being written by another process, waiting was no use for 0.05 s: try again when that has ended"
        with pytest.raises(StoreError, match=words):
            store.add(Claim(subject="b", predicate="is", object="c", source="s"))
        with SQLiteArtifactStore(path, timeout=0.05) as artifacts, pytest.raises(StoreError, match=words):
            artifacts.put("a", "b", source="s")
        other.execute("rollback")
        store.add(Claim(id="b", subject="b", predicate="is", object="c", source="s"))
        assert [claim.id for claim in store.all_claims()] == ["a", "b"]


def test_a_store_that_is_closed_says_so(tmp_path: Path) -> None:
    store = SQLiteMemoryStore(tmp_path / "m.sqlite")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed, opening it again would be right"):
        store.all_claims()
