"""Processes that share a store: one writes, one corrects, one reads; two race; one is killed while it writes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grapharc.memory import (
    Claim,
    ClaimStore,
    MemoryStore,
    SQLiteArtifactStore,
    SQLiteMemoryStore,
    search,
    verify_store,
)

REPOSITORY = Path(__file__).resolve().parent.parent.parent

HEAD = """
import os, sys
from grapharc.memory import Claim, SQLiteArtifactStore, SQLiteMemoryStore
def fact(name, what, **more):
    about = {"subject": "auth-service", "predicate": "times out after", "source": "config/prod.yaml"}
    return Claim(id=name, object=what, **about, **more)
"""
WRITER = """
with SQLiteMemoryStore(sys.argv[1]) as store:
    store.add(fact("v1", "30s", run_id="run-12"))
    print("wrote v1")
"""
READER = """
with SQLiteMemoryStore(sys.argv[1]) as store:
    (found,) = store.current("auth-service")
    print(f"found {found.id} = {found.object!r} from {found.source} (run {found.run_id})")
    store.supersede(found.id, fact("v2", "10s"))
"""
RACER = """
with SQLiteMemoryStore(sys.argv[1], timeout=30) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        try:
            store.supersede(f"old{number}", fact(f"{sys.argv[2]}{number}", sys.argv[2]))
            print("won", number)
        except ValueError as error:
            print(error)
"""
UNTIL_KILLED = """
with SQLiteMemoryStore(sys.argv[1]) as store, SQLiteArtifactStore(sys.argv[1]) as artifacts:
    number = 0
    while True:
        name = f"{sys.argv[2]}-{number}"
        if number % 3 == 0:
            store.add_many(fact(f"{name}-{part}", f"{part} {name}") for part in range(40))
        elif number % 3 == 1:
            store.supersede(f"{sys.argv[2]}-{number - 1}-0", fact(name, name))
        else:
            artifacts.put(name, name * 1000, source="node", artifact_id=name)
        print(name, flush=True)
        number += 1
"""


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + program, *arguments],
        env={"PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(program: str, *arguments: str) -> str:
    out, _ = start(program, *arguments).communicate()
    return out.strip()


def test_a_writer_a_reader_that_corrects_and_a_parent_that_reads_both(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    assert run(WRITER, str(path)) == "wrote v1"
    assert run(READER, str(path)) == "found v1 = '30s' from config/prod.yaml (run run-12)"
    with SQLiteMemoryStore(path) as store:
        assert [(claim.id, claim.object) for claim in store.current("auth-service")] == [("v2", "10s")]
        assert [(claim.id, claim.object) for claim in store.dead_ends("auth-service")] == [("v1", "30s")]
        assert verify_store(store).holds
    assert isinstance(SQLiteMemoryStore(path), ClaimStore)
    assert isinstance(MemoryStore(), ClaimStore)


def test_what_another_process_writes_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with SQLiteMemoryStore(path) as store:
        assert search(store, query="times out") == []
        run(WRITER, str(path))
        assert [hit.claim.id for hit in search(store, query="times out")] == ["v1"]
        run(READER, str(path))
        assert [hit.claim.id for hit in search(store, query="times out")] == ["v2"]


def test_of_two_that_race_to_supersede_a_claim_exactly_one_wins(tmp_path: Path) -> None:
    path, races = tmp_path / "memory.sqlite", 60
    with SQLiteMemoryStore(path) as store:
        store.add_many(
            Claim(id=f"old{n}", subject="auth-service", predicate="times out after", object=f"{n}s", source="s")
            for n in range(races)
        )
    racers = [start(RACER, str(path), name, str(races)) for name in ("left", "right")]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    outputs = [racer.communicate("go\n")[0].splitlines() for racer in racers]
    for number, (left, right) in enumerate(zip(*outputs, strict=True)):
        won = f"won {number}"
        if left == won:
            assert right == f"claim 'old{number}' was already superseded by 'left{number}'"
        else:
            assert (left, right) == (f"claim 'old{number}' was already superseded by 'right{number}'", won)
    with SQLiteMemoryStore(path) as store:
        assert len(store.dead_ends("auth-service")) == len(store.current("auth-service")) == races
        assert verify_store(store).holds


FOUNDER = """
print("ready", flush=True)
sys.stdin.readline()
with SQLiteMemoryStore(sys.argv[1], timeout=30) as store:
    store.add(fact(sys.argv[2], sys.argv[2]))
    print("stored")
"""


def test_processes_that_all_make_the_same_store_share_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    founders = [start(FOUNDER, str(path), f"f{number}") for number in range(5)]
    for founder in founders:
        assert founder.stdout is not None
        assert founder.stdout.readline() == "ready\n"
        assert founder.stdin is not None
    for founder in founders:
        assert founder.stdin is not None
        founder.stdin.write("go\n")
        founder.stdin.flush()
    assert [founder.communicate()[0] for founder in founders] == ["stored\n"] * 5
    with SQLiteMemoryStore(path) as store:
        assert {claim.id for claim in store.all_claims()} == {f"f{number}" for number in range(5)}
        assert store.journal_mode == "wal"
        assert verify_store(store).holds


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that nobody can catch")
def test_killing_a_writer_loses_nothing_that_was_acknowledged_and_leaves_nothing_half(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    acknowledged: list[str] = []
    for turn in range(8):
        writer = start(UNTIL_KILLED, str(path), f"w{turn}")
        assert writer.stdout is not None
        acknowledged += [writer.stdout.readline().strip() for _ in range(3 + turn)]
        time.sleep(0.0007 * turn)
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.communicate()[0].split()
        with SQLiteMemoryStore(path) as store, SQLiteArtifactStore(path) as artifacts:
            claims = {claim.id for claim in store.all_claims()}
            for name in acknowledged:
                if int(name.partition("-")[2]) % 3 == 0:
                    assert {f"{name}-{part}" for part in range(40)} <= claims
                elif int(name.partition("-")[2]) % 3 == 1:
                    assert name in claims
                else:
                    assert artifacts.read_text(name) == name * 1000
            batches = [name.rpartition("-")[0] for name in claims if name.count("-") == 2]
            assert {batches.count(batch) for batch in batches} == {40}, "a batch is stored whole"
            assert verify_store(store).holds
