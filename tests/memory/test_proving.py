"""A store proves that it is whole; whatever is changed in its file, by whatever means, it does so no longer."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from grapharc.memory import (
    Citation,
    Claim,
    MemoryStore,
    SQLiteArtifactStore,
    SQLiteMemoryStore,
    StoreError,
    statistics,
    verify_store,
)
from grapharc.stdlib_kinds.memory.log import chained
from grapharc.stdlib_kinds.memory.schema import FOLD


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all sorts of operations; nobody writes to it but to copies."""
    path = tmp_path_factory.mktemp("whole") / "m.sqlite"
    with SQLiteMemoryStore(path) as store, SQLiteArtifactStore(path) as artifacts:
        store.add_many(
            Claim(id=f"c{n}", subject=f"auth service {n % 3}", predicate="listens on", object=f"port {n}", source="s")
            for n in range(9)
        )
        store.supersede("c1", Claim(id="d1", subject="auth service 1", predicate="is", object="gone", source="s"))
        rests = Citation(quote="it is gone now", source="s", source_sha256="0" * 64, standing="anchored", run_id="r")
        store.cite("d1", rests)
        first = artifacts.put("report", "one", source="node", run_id="r", node="n")
        artifacts.put("report", "two", source="node", parents=[first.id], claim_ids=["c1", "d1"])
    return path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy to meddle with."""
    shutil.copytree(whole.parent, tmp_path / "copy")
    return tmp_path / "copy" / "m.sqlite"


def faults(path: Path, head: str | None = None) -> list[str]:
    with SQLiteMemoryStore(path, read_only=True) as store:
        verified = verify_store(store, head=head)
    assert verified.holds == (not verified.faults)
    return list(verified.faults)


def meddle(path: Path, *statements: str) -> None:
    """Change a file as somebody would who knows SQLite: without the triggers, which are put back."""
    with closing(sqlite3.connect(path)) as connection:
        ask = "select name, sql from sqlite_schema where type = 'trigger'"
        triggers: dict[str, Any] = dict(connection.execute(ask).fetchall())
        for name in triggers:
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            connection.execute(statement)
        for sql in triggers.values():
            connection.execute(sql)
        connection.commit()


def test_a_store_that_nobody_changed_holds(copy: Path) -> None:
    with SQLiteMemoryStore(copy, read_only=True) as store:
        verified = verify_store(store)
        found = statistics(store)
    assert (verified.operations, verified.faults) == (14, ())
    assert (found.claims, found.held, found.superseded, found.artifacts) == (10, 9, 1, 2)
    assert (found.entities, found.contradictions, found.operations) == (3, 3, 14)
    assert verify_store(MemoryStore()).holds


def test_operations_cannot_be_changed_by_those_who_mean_no_harm(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        for statement in ("update op set verb = 'x'", "delete from op", "update op set n = 99 where n = 1"):
            with pytest.raises(sqlite3.IntegrityError, match="the table of operations is append-only"):
                connection.execute(statement)


@pytest.mark.parametrize("operation", [1, 7, 12, 14])
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("n", "99"),
        ("writer", "2"),
        ("seq", "99"),
        ("hlc", "hlc + 1"),
        ("verb", "'ASSERT'"),
        ("body", "replace(body, 's', 'S')"),
        ("body", "cast(x'ff' as text)"),
        ("body", "5"),
        ("format", "2"),
        ("prev", "zeroblob(31) || x'01'"),
        ("prev", "'text'"),
        ("hash", "zeroblob(32)"),
        ("hash", "'text'"),
        ("hlc", "'never'"),
    ],
)
def test_any_column_of_any_operation_that_is_changed_is_noticed(
    copy: Path, column: str, value: str, operation: int
) -> None:
    if (column, operation) == ("prev", 1) and "zeroblob" in value:
        value = "zeroblob(31) || x'02'"
    meddle(copy, "insert into writer values (2, 'somebody')", f"update op set {column} = {value} where n = {operation}")
    (told,) = faults(copy)
    assert told.startswith("operation ")


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["delete from op where n = 4"], "operation 4 is gone: the one after it is 5"),
        (["delete from op where n = 1"], "operation 1 is gone: the one after it is 2"),
        (
            ["update op set n = -1 where n = 3", "update op set n = 3 where n = 4", "update op set n = 4 where n = -1"],
            "operation 3 does not follow the one before it: that was changed, or this one was put in",
        ),
        (["update writer set name = 'somebody'"], "operation 1 was changed after it was written"),
        (["delete from writer"], "operation 1 was changed after it was written"),
        (["drop index claim_object"], "'claim_object' is missing since the store was made"),
        (["create table more (x)"], "'more' was added since the store was made"),
    ],
)
def test_operations_left_out_moved_or_signed_by_others_are_noticed(
    copy: Path, statements: list[str], words: str
) -> None:
    meddle(copy, *statements)
    assert words in faults(copy)[0]


def test_the_end_that_is_cut_off_is_noticed_by_what_followed_from_it_and_by_a_noted_hash(copy: Path) -> None:
    with SQLiteMemoryStore(copy) as store:
        head = verify_store(store).head
        store.supersede("c0", Claim(id="z", subject="auth service 0", predicate="is", object="gone", source="s"))
    assert faults(copy, head) == []
    meddle(copy, "delete from op where n = 16")
    assert faults(copy)[0].startswith("table 'closing' is not what the record makes of it: a row was changed: ")
    meddle(copy, "delete from op where n >= 14")
    (told,) = faults(copy, head)
    assert told == f"no operation has the hash '{head}': what it was of is gone, or this is another store"


@pytest.mark.parametrize("table", FOLD)
@pytest.mark.parametrize("how", ["changed", "deleted", "added", "torn"])
def test_what_readers_see_is_compared_row_by_row_with_what_follows_from_the_record(
    copy: Path, table: str, how: str
) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        columns = [row[1:3] for row in connection.execute(f"pragma table_info({table})")]
        texts = [name for name, kind in columns if kind == "TEXT"]
        name, kind = columns[-1]
        if how == "torn" and not texts:
            return
        values = ", ".join("99999" if kind == "INTEGER" else "'more'" for _, kind in columns)
        statements = {
            "changed": f"update {table} set {name} = {f'{name} + 1' if kind == 'INTEGER' else repr('other')}",
            "deleted": f"delete from {table}",
            "added": f"insert into {table} values ({values})",
            "torn": f"update or ignore {table} set {texts and texts[-1]} = cast(x'ff00' as text)",
        }
        connection.execute(statements[how])
        connection.commit()
    assert faults(copy)[0].startswith(f"table '{table}' is not what the record makes of it")


def test_any_byte_of_the_record_that_is_flipped_in_the_file_is_noticed(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        bodies = [row[0].encode() for row in connection.execute("select body from op")]
        hashes = [row[0] for row in connection.execute("select hash from op")]
    data = copy.read_bytes()
    places = [data.index(part) + offset for part in (*bodies[::4], *hashes[::4]) for offset in range(0, len(part), 23)]
    for place in places:
        copy.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert faults(copy), place
    copy.write_bytes(data)
    assert faults(copy) == []


def test_a_schema_that_is_no_text_any_more_is_told_in_words(copy: Path) -> None:
    data = copy.read_bytes()
    place = data.index(b"create table claim" if b"create table claim" in data else b"CREATE TABLE claim")
    copy.write_bytes(data[: place + 9] + b"\xf3" + data[place + 10 :])
    with pytest.raises(StoreError, match=r"cannot be used .*, a whole file on a disk with space left would be right"):
        faults(copy)


def noticed(path: Path) -> bool:
    """Whether a store is not taken for whole: it says what is wrong, or cannot be opened."""
    try:
        return faults(path) != []
    except StoreError:
        return True


def test_any_bit_of_a_file_that_is_flipped_is_noticed_where_it_changes_what_a_table_holds(copy: Path) -> None:
    def held() -> object:
        try:
            with closing(sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)) as connection:
                connection.text_factory = bytes
                names = connection.execute(
                    "select cast(name as text) from sqlite_schema where type = 'table'"
                ).fetchall()
                return [connection.execute(f"select * from {name.decode()}").fetchall() for (name,) in names]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return str(error)

    data, before = copy.read_bytes(), held()
    rng = random.Random(5)
    changed = 0
    for place in rng.sample([place for place, byte in enumerate(data) if byte], 60):
        copy.write_bytes(data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :])
        if held() != before:
            changed += 1
            assert noticed(copy), place
    assert changed > 30


def test_damage_that_sqlite_itself_trips_over_is_told(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        [(size,)] = connection.execute("pragma page_size")
        [(versions,)] = connection.execute("select rootpage from sqlite_schema where name = 'meta'")
    data = bytearray(copy.read_bytes())
    for page in range(1, len(data) // size):
        if page + 1 != versions:
            data[page * size : page * size + 8] = b"\xff" * 8
    copy.write_bytes(bytes(data))
    assert faults(copy)[0].startswith("the file is damaged: ")
    data[(versions - 1) * size : versions * size] = b"\xff" * size
    copy.write_bytes(bytes(data))
    with pytest.raises(StoreError, match=r"cannot be used .database disk image is malformed., a whole file"):
        faults(copy)


def test_bytes_of_artifacts_that_are_gone_or_changed_are_told(copy: Path) -> None:
    with SQLiteArtifactStore(copy) as artifacts:
        one, two = artifacts.versions("report")
        artifacts.blob_path(one).write_bytes(b"eno")
        artifacts.blob_path(two).unlink()
    told = faults(copy)
    assert "holds other bytes than artifact 'report' did" in told[0]
    assert "the bytes of artifact 'report' are gone" in told[1]


def test_an_operation_that_is_put_in_with_a_right_hash_of_its_own_does_not_follow(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        _, writer, seq, hlc, verb, body, form, prev, _ = connection.execute("select * from op where n = 5").fetchone()
        name = connection.execute("select name from writer where id = ?", (writer,)).fetchone()[0]
    forged = body.replace("port 4", "port 5")
    hashed = chained(prev, 5, name, seq, hlc, verb, forged, form)
    meddle(copy, f"update op set body = '{forged}', hash = x'{hashed.hex()}' where n = 5")
    assert faults(copy) == ["operation 6 does not follow the one before it: that was changed, or this one was put in"]
