"""``memory``: what people are shown of a store, and what they are told where there is nothing to show."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from grapharc.memory import Citation, Claim, SQLiteArtifactStore, SQLiteMemoryStore
from grapharc.spec.canonical import canonical

AT = "2026-05-01T12:00:00.000000+00:00"


def claim(id_: str, subject: str, predicate: str, what: str, source: str) -> Claim:
    return Claim(
        id=id_, subject=subject, predicate=predicate, object=what, source=source, observed_at=AT, run_id="run-1"
    )


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "facts.sqlite"
    with SQLiteMemoryStore(path) as store, SQLiteArtifactStore(path) as artifacts:
        store.add(claim("a1", "auth-service", "depends on", "redis", "arch.md"))
        store.add(claim("v1", "auth-service", "times out after", "30s", "prod.yaml"))
        store.supersede("v1", claim("v2", "auth-service", "times out after", "10s", "incident\x1b[31m"))
        store.add(claim("r1", "redis", "runs version", "7.2", "infra.tf"))
        store.add(claim("r2", "redis", "runs version", "7.4", "infra.tf"))
        artifacts.put("report.md", "hello", source="node:report", run_id="run-2")
    return path


def changed(store: Path, name: str, *statements: str) -> str:
    """Copy a store and change it behind our back."""
    shutil.copy(store, name)
    if Path(f"{store}.blobs").exists():
        shutil.copytree(f"{store}.blobs", f"{name}.blobs", dirs_exist_ok=True)
    with sqlite3.connect(name) as connection:
        triggers = connection.execute("select name, sql from sqlite_schema where type = 'trigger'").fetchall()
        for trigger, _ in triggers:
            connection.execute(f"drop trigger {trigger}")
        for statement in statements:
            assert connection.execute(statement).rowcount > 0
        for _, made in triggers:
            connection.execute(made)
    connection.close()
    return name


def test_search_shows_claims_with_their_provenance_and_why(grapharc, store: Path) -> None:
    ran = grapharc("memory", "search", "facts.sqlite", "redsi", "--hops", "0")
    assert ran.exit == 0
    assert re.sub(r"^\d\.\d{3}", "<>", ran.out, flags=re.MULTILINE).splitlines() == [
        "<>  redis runs version 7.4",
        f"       r2 from infra.tf, run run-1, seen {AT}; spelling",
        "<>  redis runs version 7.2",
        f"       r1 from infra.tf, run run-1, seen {AT}; spelling",
        "<>  auth-service depends on redis",
        f"       a1 from arch.md, run run-1, seen {AT}; spelling",
    ]
    ran = grapharc("memory", "search", "facts.sqlite", "--entity", "Auth Service", "--json")
    assert [(hit["id"], hit["channel"], hit["hops"], hit["via"]) for hit in ran.json["hits"]] == [
        ("v2", "entity", 0, None),
        ("a1", "entity", 0, None),
        ("r2", "graph", 1, "a1"),
        ("r1", "graph", 1, "a1"),
    ]


def test_show_takes_an_id_or_an_entity(grapharc, store: Path) -> None:
    lines = grapharc("memory", "show", "facts.sqlite", "v1").out.splitlines()
    assert lines[0] == "auth-service times out after 30s"
    assert "  superseded_by  v2" in lines
    assert grapharc("memory", "show", "facts.sqlite", "AUTH service").out.splitlines() == [
        "held",
        "  depends on redis",
        f"    a1 from arch.md, run run-1, seen {AT}",
        "  times out after 10s",
        f"    v2 from incident\\x1b[31m, run run-1, seen {AT}",
        "superseded",
        "  times out after 30s",
        f"    v1 from prod.yaml, run run-1, seen {AT}, superseded by v2",
    ]
    assert grapharc("memory", "show", "facts.sqlite", "v2", "--json").json["object"] == "10s"


def test_history_shows_what_replaced_what(grapharc, store: Path) -> None:
    assert grapharc("memory", "history", "facts.sqlite", "auth-service", "times out after").out.splitlines() == [
        f"{AT}  30s  (superseded by v2)",
        f"{'':32}  v1 from prod.yaml, run run-1",
        f"{AT}  10s  (held)",
        f"{'':32}  v2 from incident\\x1b[31m, run run-1",
    ]
    told = grapharc("memory", "history", "--json", "facts.sqlite", "auth-service", "times out after").json
    assert [one["superseded_by"] for one in told["history"]] == ["v2", None]


def test_show_history_and_export_tell_what_a_claim_rests_on(grapharc, store: Path) -> None:
    with SQLiteMemoryStore(store) as held:
        rests = {"source_sha256": "ab" * 32, "standing": "reviewed", "run_id": "run-3"}
        held.cite("v2", Citation(quote="it times out\nafter 10s", source="incident\x1b[31m", **rests))
    told = f"'it times out\\nafter 10s' in incident\\x1b[31m (sha256 {'ab' * 6}), reviewed, run run-3"
    assert grapharc("memory", "show", "facts.sqlite", "v2").out.splitlines()[-1] == f"  rests on     {told}"
    lines = grapharc("memory", "history", "facts.sqlite", "auth-service", "times out after").out.splitlines()
    assert lines[4:] == [f"{'':32}  rests on {told}"]
    shown = grapharc("memory", "show", "facts.sqlite", "v2", "--json").json["citations"]
    history = grapharc("memory", "history", "--json", "facts.sqlite", "auth-service", "times out after").json["history"]
    assert [one["citations"] for one in history] == [[], shown]
    [cited] = shown
    recorded = cited.pop("recorded_at")
    assert cited == {"quote": "it times out\nafter 10s", "source": "incident\x1b[31m", **rests}
    last = json.loads(grapharc("memory", "export", "facts.sqlite").out.splitlines()[-1])
    assert (last["verb"], last["body"]) == ("cite", {**cited, "claim": "v2"})
    assert recorded > AT
    assert grapharc("memory", "verify", "facts.sqlite").exit == 0


def test_upgrade_makes_an_older_store_readable(grapharc, store: Path) -> None:
    before = grapharc("memory", "stats", "facts.sqlite").out
    old = changed(store, "old.sqlite", "update meta set v = '1'")
    ran = grapharc("memory", "stats", old)
    assert (ran.exit, ran.err.splitlines()) == (
        2,
        [
            "error: 'old.sqlite' was written by an older version (keys 1, this one knows 2)",
            "  = 'grapharc memory upgrade old.sqlite' would be right, or opening it to write",
        ],
    )
    assert grapharc("memory", "upgrade", old).out == before
    assert grapharc("memory", "verify", old).exit == 0
    ran = grapharc("memory", "upgrade", "none.sqlite")
    assert (ran.exit, ran.err.splitlines()[0]) == (2, "error: 'none.sqlite' does not exist")
    assert not Path("none.sqlite").exists()


def test_stats_counts(grapharc, store: Path) -> None:
    told = grapharc("memory", "stats", "facts.sqlite", "--json").json
    assert {name: told[name] for name in told if name not in ("first", "last")} == {
        "exit": 0,
        "claims": 5,
        "held": 4,
        "superseded": 1,
        "entities": 2,
        "contradictions": 1,
        "artifacts": 1,
        "runs": 2,
        "operations": 7,
    }
    assert told["first"] < told["last"]
    assert "contradictions  1\n" in grapharc("memory", "stats", "facts.sqlite").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "facts.sqlite", "zzz"], "nothing found"),
        (["show", "facts.sqlite", "auth-servic"], "no claim and no entity 'auth-servic', did you mean 'auth service'?"),
        (
            ["history", "facts.sqlite", "auth-service", "is owned by"],
            "nothing is held of 'auth-service' and 'is owned by', of it is held: depends on, times out after",
        ),
        (["history", "facts.sqlite", "nobody", "is"], "nothing is held of 'nobody' and 'is'"),
    ],
)
def test_where_nothing_is_held_the_answer_is_no(grapharc, store: Path, arguments: list[str], message: str) -> None:
    ran = grapharc("memory", *arguments)
    assert (ran.exit, ran.out) == (1, f"{message}\n")
    assert grapharc("memory", *arguments, "--json").json["exit"] == 1


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["stats", "none.sqlite"], "'none.sqlite' does not exist", "the path of a claim store would be right"),
        (["stats", "."], "'.' is a folder", "the path of a file in it would be right"),
        (["search", "facts.sqlite"], "nothing is asked for", "words to look for, or --entity NAME, would be right"),
        (["stats", "text.txt"], "'text.txt' is no SQLite database", "the path of a claim store would be right"),
        (["upgrade", "text.txt"], "'text.txt' is no SQLite database", "the path of a claim store would be right"),
        (["upgrade", "empty"], "'empty' is empty", "the path of a claim store would be right"),
        (
            ["stats", "other.sqlite"],
            "'other.sqlite' is a SQLite database of something else",
            "the path of a claim store would be right",
        ),
        (["serch", "facts.sqlite"], "there is no command 'memory serch', did you mean 'search'?", None),
        (["search", "facts.sqlite", "x", "--max", "0"], None, None),
    ],
)
def test_what_is_no_store_is_2(
    grapharc, store: Path, arguments: list[str], message: str | None, hint: str | None
) -> None:
    for name, content in (("text.txt", "hello"), ("empty", "")):
        Path(name).write_text(content)
    with sqlite3.connect("other.sqlite") as other:
        other.execute("create table t (a)")
    other.close()
    ran = grapharc("memory", *arguments)
    assert ran.exit == 2
    lines = ran.err.splitlines()
    assert message is None or lines[0] == f"error: {message}"
    assert hint is None or lines[1] == f"  = {hint}"
    assert Path("empty").read_bytes() == b""


def test_verify_proves_the_whole_store(grapharc, store: Path) -> None:
    ran = grapharc("memory", "verify", "facts.sqlite")
    assert ran.exit == 0
    head = re.fullmatch(r"whole: 7 operations, head ([0-9a-f]{64})\n", ran.out)
    assert head is not None
    assert grapharc("memory", "verify", "facts.sqlite", "--head", head[1]).exit == 0
    cut = changed(store, "cut.sqlite", "delete from op where n = 7", "delete from artifact")
    assert grapharc("memory", "verify", cut).exit == 0
    ran = grapharc("memory", "verify", cut, "--head", head[1])
    assert (ran.exit, ran.out) == (
        1,
        f"fault: no operation has the hash '{head[1]}': what it was of is gone, or this is another store\n",
    )


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "update op set body = replace(body, '30s', '31s') where n = 2",
            "operation 2 was changed after it was written",
        ),
        ("update op set verb = 'close' where n = 1", "operation 1 was changed after it was written"),
        ("update op set hlc = hlc + 1 where n = 3", "operation 3 was changed after it was written"),
        ("update op set hash = zeroblob(32) where n = 4", "operation 4 was changed after it was written"),
        ("delete from op where n = 3", "operation 3 is gone: the one after it is 4"),
        ("update writer set name = 'other'", "operation 1 was changed after it was written"),
        ("update claim set object = '31s' where id = 'v2'", "table 'claim' is not what the record makes of it"),
        ("delete from closing", "table 'closing' is not what the record makes of it"),
        ("update post set tf = tf + 1", "table 'post' is not what the record makes of it"),
        ("update artifact set name = 'other.md'", "table 'artifact' is not what the record makes of it"),
    ],
)
def test_verify_finds_what_was_changed(grapharc, store: Path, statement: str, fault: str) -> None:
    ran = grapharc("memory", "verify", changed(store, "changed.sqlite", statement))
    assert ran.exit == 1
    assert ran.out.splitlines()[0].startswith(f"fault: {fault}")


def test_verify_finds_a_byte_that_was_changed_in_any_column_of_any_operation(grapharc, store: Path) -> None:
    for column in ("seq", "hlc", "verb", "body", "format", "prev", "hash"):
        value = "zeroblob(32)" if column in ("prev", "hash") else f"{column} || '1'"
        statement = f"update op set {column} = {value} where n = 5"  # noqa: S608
        assert grapharc("memory", "verify", changed(store, f"{column}.sqlite", statement)).exit == 1


def test_verify_looks_at_the_bytes_of_artifacts(grapharc, store: Path) -> None:
    [blob] = [path for path in Path(f"{store}.blobs").rglob("*") if path.is_file()]
    blob.write_text("hullo")
    assert "holds other bytes than artifact 'report.md' did" in grapharc("memory", "verify", "facts.sqlite").out
    blob.unlink()
    ran = grapharc("memory", "verify", "facts.sqlite", "--json")
    assert ran.exit == 1
    assert ran.json["faults"][0].startswith("the bytes of artifact 'report.md' are gone")


def test_an_export_can_be_proved_by_anybody(grapharc, store: Path) -> None:
    lines = grapharc("memory", "export", "facts.sqlite").out.splitlines()
    before = bytes(32)
    for line in lines:
        op = json.loads(line)
        assert line == canonical(op)
        head = f"{op['n']} {op['writer']} {op['seq']} {op['at']} {op['format']} {op['verb']}\n"
        before = sha256(before + (head + canonical(op["body"])).encode()).digest()
        assert op["hash"] == before.hex()
    assert grapharc("memory", "export", "facts.sqlite", "--json").json["operations"] == [
        json.loads(line) for line in lines
    ]


COMMANDS = (
    ("search", "redis"),
    ("search", "--entity", "auth-service"),
    ("show", "v1"),
    ("show", "auth-service"),
    ("history", "auth-service", "times out after"),
    ("stats",),
    ("verify",),
    ("export",),
)


@pytest.mark.parametrize("arguments", COMMANDS)
def test_looking_changes_nothing_and_leaves_nothing(grapharc, store: Path, arguments: tuple[str, ...]) -> None:
    def listed() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in store.parent.iterdir() if path.is_file()}

    before = listed()
    assert list(before) == ["facts.sqlite"]
    name, *more = arguments
    for form in ([], ["--json"]):
        assert grapharc("memory", name, "facts.sqlite", *more, *form).exit == 0
    assert listed() == before


def looked_at(grapharc, path: str) -> dict[str, tuple[int, str]]:
    """What each command says of a store; none of them takes what somebody did to it for a bug of ours."""
    told: dict[str, tuple[int, str]] = {}
    for name, *arguments in COMMANDS:
        for more in ([], ["--json"]):
            ran = grapharc("memory", name, path, *arguments, *more)
            assert ran.exit in (0, 1, 2), (name, arguments, more, ran.out, ran.err)
            told[name] = (ran.exit, ran.out + ran.err)
    return told


def chained_anew(store: Path, name: str, column: str, value: str | bytes | int, operation: int = 2) -> str:
    """Copy a store, and change an operation as somebody would who knows how hashes are made."""
    copy = changed(store, name, "update meta set v = v")
    with sqlite3.connect(copy) as connection:
        connection.execute("drop trigger op_is_not_updated")
        connection.execute(f"update op set {column} = ? where n = ?", (value, operation))  # noqa: S608
        before = bytes(32)
        ask = """select o.n, w.name, o.seq, o.hlc, o.format, o.verb, o.body from op o join writer w on w.id = o.writer
            order by o.n"""
        for n, *head, body in connection.execute(ask).fetchall():
            after = sha256(before + (" ".join(map(str, (n, *head))) + f"\n{body}").encode()).digest()
            connection.execute("update op set prev = ?, hash = ? where n = ?", (before, after, n))
            before = after
        made = sqlite3.connect(store).execute("select sql from sqlite_schema where name = 'op_is_not_updated'")
        connection.execute(made.fetchone()[0])
    connection.close()
    return copy


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("body", "{}", "says what cannot be recorded: "),
        ("body", "[]", "says what cannot be recorded: its body is no object"),
        ("body", "nothing", "says what cannot be recorded: "),
        ("body", "[" * 100_000, "says what cannot be recorded: "),
        ("body", '{"id":"x","subject":5,"predicate":"p","object":"o","source":"s"}', "says what cannot be recorded: "),
        (
            "body",
            '{"id":"x","subject":"s","predicate":"p","object":"o","source":"s"}',
            "says what cannot be recorded: ",
        ),
        ("verb", "close", "says what cannot be recorded: "),
        ("verb", "put", "says what cannot be recorded: "),
        ("verb", "forget", "says what cannot be recorded: its verb 'forget' is none of "),
        ("hlc", "never", "is numbered or dated as none can be"),
        ("format", "none", "is in no format that there is"),
        ("format", 2, "was written by a newer version"),
        ("seq", "none", "is numbered or dated as none can be"),
    ],
)
def test_an_operation_that_was_chained_anew_is_named(
    grapharc, store: Path, column: str, value: str, fault: str
) -> None:
    told = looked_at(grapharc, chained_anew(store, "anew.sqlite", column, value))
    assert told["verify"][0] == 1
    assert f"operation 2 {fault}" in told["verify"][1]


def test_a_hash_of_bytes_that_is_a_path_is_not_followed(grapharc, store: Path) -> None:
    body = json.loads(sqlite3.connect(store).execute("select body from op where n = 7").fetchone()[0])
    copy = chained_anew(store, "path.sqlite", "body", canonical({**body, "sha256": "/../../facts.sqlite"}), 7)
    with sqlite3.connect(copy) as connection:
        connection.execute("update artifact set sha = '/../../facts.sqlite'")
    connection.close()
    assert "is named by no hash of artifact 'report.md'" in looked_at(grapharc, copy)["verify"][1]


def test_an_export_tells_a_changed_body_as_the_text_that_it_is(grapharc, store: Path) -> None:
    copy = changed(store, "torn.sqlite", "update op set body = 'not json' where n = 2")
    lines = [json.loads(line) for line in grapharc("memory", "export", copy).out.splitlines()]
    assert (lines[1]["body"], lines[1]["body_is_text"]) == ("not json", True)
    assert "body_is_text" not in lines[0]


@pytest.mark.parametrize("value", ["'text'", "x'ff'", "9223372036854775807"])
def test_no_cell_that_was_changed_is_taken_for_a_bug_of_ours(grapharc, store: Path, value: str) -> None:
    with sqlite3.connect(store) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
        cells = [(table, row[1]) for table in tables for row in connection.execute(f"pragma table_info({table})")]
    connection.close()
    for table, column in cells:
        copy = changed(store, f"{table}.{column}.sqlite", "update meta set v = v")
        with closing(sqlite3.connect(copy)) as connection:
            if table == "op":
                connection.execute("drop trigger op_is_not_updated")
            try:
                connection.execute(f"update or replace {table} set {column} = {value}")  # noqa: S608
            except sqlite3.Error:
                continue
            connection.commit()
        looked_at(grapharc, copy)
