"""A store that an older version wrote: its record is followed into the tables of today, or it is refused in words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from grapharc.memory import Citation, Claim, SQLiteArtifactStore, SQLiteMemoryStore, StoreError, search, verify_store
from grapharc.stdlib_kinds.memory.schema import FOLD

CLAIM_OF_VERSION_1 = """create table claim (
    rid integer primary key, id text not null unique, subject text not null, predicate text not null,
    object text not null, skey text not null, pkey text not null, okey text not null, source text not null,
    run_id text, confidence real not null, observed integer not null, t_from integer not null, t_to integer,
    recorded integer not null
)"""
POST_OF_VERSION_2 = """create table post (
    tid integer not null, tf integer not null, len integer not null, seen integer not null, rid integer not null,
    primary key (tid, tf, len, seen, rid)
) without rowid"""
TAKEN_OVER = "rid, id, subject, predicate, object, skey, pkey, okey, source, run_id, confidence, observed, t_from, t_to"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A store as version 2 laid it out."""
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as store, SQLiteArtifactStore(path) as artifacts:
        store.add_many(
            Claim(id=f"c{n}", subject=f"auth service {n % 3}", predicate="listens on", object=f"port {n}", source="s")
            for n in range(9)
        )
        store.supersede("c1", Claim(id="d1", subject="auth service 1", predicate="is", object="gone", source="s"))
        artifacts.put("report", "one", source="node", claim_ids=["c2"])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"""alter table post rename to later; {POST_OF_VERSION_2};
            insert into post select tid, tf, len, seen, rid from later; drop table later;
            update claim set about_number = 7 * rid; pragma user_version = 2"""
        )
    return path


@pytest.fixture
def first(second: Path) -> Path:
    """A store as version 1 laid it out."""
    with closing(sqlite3.connect(second)) as connection:
        connection.executescript(
            f"""alter table claim rename to later; {CLAIM_OF_VERSION_1};
            insert into claim select {TAKEN_OVER}, recorded from later; drop table later; drop table citation;
            create index claim_key on claim (skey, pkey); create index claim_subject on claim (skey, observed);
            create index claim_object on claim (okey, observed); pragma user_version = 1"""
        )
    return second


@pytest.fixture(params=["first", "second"])
def old(request: pytest.FixtureRequest) -> Path:
    """A store of each older version."""
    return request.getfixturevalue(request.param)


def test_opening_it_to_write_makes_its_tables_anew_and_leaves_its_record(old: Path) -> None:
    ask = "select * from op order by n"
    with closing(sqlite3.connect(old)) as connection:
        before = connection.execute(ask).fetchall()
    with SQLiteMemoryStore(old) as store:
        assert verify_store(store).holds
        assert [claim.id for claim in store.current("auth service 1")] == ["c4", "c7", "d1"]
        assert [claim.superseded_by for claim in store.history("auth service 1", "listens on")] == ["d1", None, None]
        assert [hit.claim.id for hit in search(store, "port 7", max_claims=1)] == ["c7"]
        assert store.rows(ask) == before
        store.cite("c7", Citation(quote="on port 7", source="s", source_sha256="0" * 64, standing="anchored"))
    with SQLiteMemoryStore(old, read_only=True) as store, SQLiteArtifactStore(old, read_only=True) as artifacts:
        assert verify_store(store).holds
        assert [one.quote for one in store.citations("c7")] == ["on port 7"]
        assert [artifacts.read_text(version) for version in artifacts.versions("report")] == ["one"]


def test_reading_it_is_refused_with_what_would_help(old: Path, request: pytest.FixtureRequest) -> None:
    version = {"first": 1, "second": 2}[request.node.callspec.params["old"]]
    before = old.read_bytes()
    with pytest.raises(StoreError) as error:
        SQLiteMemoryStore(old, read_only=True)
    assert str(error.value) == (
        f"'{old}' was written by an older version (schema {version}, this one knows 3), "
        f"'grapharc memory upgrade {old}' would be right, or opening it to write"
    )
    assert old.read_bytes() == before
    assert [path.name for path in old.parent.iterdir() if path.is_file()] == ["m.sqlite"]


def test_a_record_that_cannot_be_followed_is_left_as_it_is(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("drop trigger op_is_not_updated")
        connection.execute("update op set body = 'nothing' where n = 2")
        connection.commit()
        before = list(connection.iterdump())
    with pytest.raises(StoreError, match=r"its record cannot be followed \(.*\), a copy of the file would be right"):
        SQLiteMemoryStore(old)
    with closing(sqlite3.connect(old)) as connection:
        assert list(connection.iterdump()) == before


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("1", None),
        ("3", "was written by a newer version (keys 3, this one knows 2), upgrading grapharc would be right"),
        ("none", "does not say how its keys were made, a copy of the file would be right"),
    ],
)
def test_keys_that_were_made_otherwise_are_made_anew_unless_they_are_newer(
    tmp_path: Path, keys: str, words: str | None
) -> None:
    path = tmp_path / "m.sqlite"
    with SQLiteMemoryStore(path) as store:
        store.add(Claim(id="a", subject="C++", predicate="is", object="a language", source="s"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("update claim set skey = 'c'")
        connection.execute("update meta set v = ?", (keys,))
        connection.commit()
    if words is None:
        with SQLiteMemoryStore(path) as store:
            assert [claim.id for claim in store.current("C++")] == ["a"]
            assert store.current("C") == []
            assert verify_store(store).holds
        return
    for read_only in (False, True):
        with pytest.raises(StoreError) as error:
            SQLiteMemoryStore(path, read_only=read_only)
        assert str(error.value) == f"'{path}' {words}"


def test_all_tables_that_follow_from_the_record_are_made_anew(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        for table in FOLD:
            connection.execute(f"drop table if exists {table}")
    with SQLiteMemoryStore(old) as store:
        assert verify_store(store).holds
        assert len(store.all_claims()) == 10
