"""Laws of the store, over histories that nobody would write: replay, interleaving, and both kinds of time."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from grapharc.memory import Claim, MemoryStore, SQLiteArtifactStore, SQLiteMemoryStore, search, verify_store
from grapharc.stdlib_kinds.memory.fold import Fold
from grapharc.stdlib_kinds.memory.log import operations
from grapharc.stdlib_kinds.memory.schema import FOLD
from grapharc.stdlib_kinds.memory.tables import open_scratch
from grapharc.stdlib_kinds.memory.times import iso, micros

Step: TypeAlias = tuple[str, int, int, int, int]
"""What is done, about which subject, with which object, valid from which day, for how many days (0: for ever)."""

on_disk = settings(max_examples=settings.default.max_examples // 4 if settings.default else 15)
"""Fewer cases, since each of them waits for a disk at every step."""

SUBJECTS = ["api", "auth service", "C++", "\u6771\u4eac"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "many", "correct", "again", "put"]),
        st.integers(0, 3),
        st.integers(0, 5),
        st.integers(1, 9),
        st.integers(0, 4),
    ),
    max_size=25,
)


def made(number: int, step: Step, more: int = 0) -> Claim:
    _, subject, what, day, days = step
    return Claim(
        id=f"c{number}.{more}",
        subject=SUBJECTS[subject],
        predicate="listens on",
        object=f"port {what}",
        source="s",
        valid_from=f"2026-01-{day:02}T00:00:00Z",
        valid_to=f"2026-01-{day + days:02}T00:00:00Z" if days else None,
    )


def do(store: SQLiteMemoryStore, artifacts: SQLiteArtifactStore | None, number: int, step: Step) -> None:
    """Do a step the way a caller would; what is corrected is the oldest that is held."""
    new = made(number, step)
    held = store.current(new.subject)
    match step[0]:
        case "many":
            store.add_many([new, *(made(number, step, more) for more in range(1, 4))])
        case "correct" if held:
            store.supersede(held[0].id, new)
        case "again" if held:
            store.add(held[-1])
        case "put" if artifacts is not None:
            artifacts.put("report", f"{step[2]}", source="s", artifact_id=f"a{number}")
        case _:
            store.add(new)


def dumped(connection: sqlite3.Connection) -> list[str]:
    """Everything that readers see, as the text that would make it again."""
    return [line for line in connection.iterdump() if any(line.startswith(f'INSERT INTO "{name}"') for name in FOLD)]


@on_disk
@given(STEPS)
def test_replaying_the_record_makes_what_readers_see_again_byte_for_byte(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.sqlite"
        with SQLiteMemoryStore(path) as store, SQLiteArtifactStore(path) as artifacts, open_scratch() as scratch:
            for number, step in enumerate(steps):
                do(store, artifacts, number, step)
            with store.reading() as execute:
                fold = Fold(scratch)
                for op in operations(execute):
                    fold.replay(op)
                    if op.n % 3 == 0:  # how operations were put together in transactions must not show
                        fold.finish()
                fold.finish()
            with closing(sqlite3.connect(path)) as connection:
                assert dumped(connection) == dumped(scratch)
            assert verify_store(store).holds


@on_disk
@given(STEPS, st.lists(st.booleans(), min_size=25, max_size=25))
def test_however_two_writers_take_turns_the_store_stays_whole(steps: list[Step], turns: list[bool]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.sqlite"
        with SQLiteMemoryStore(path) as left, SQLiteMemoryStore(path) as right:
            for number, (step, turn) in enumerate(zip(steps, turns, strict=False)):
                do(left if turn else right, None, number, step)
            claims = left.all_claims()
            assert claims == right.all_claims()
            known = {claim.id: claim for claim in claims}
            assert len(known) == len(claims)
            for claim in claims:
                if claim.superseded_by is not None:
                    successor = known[claim.superseded_by]
                    assert claim.superseded_at is not None
                    assert claim.superseded_at > max(claim.recorded_at or "", successor.recorded_at or "")
            moments = [claim.recorded_at or "" for claim in claims]
            assert moments == sorted(set(moments)), "recorded in one order, whoever did"
            for subject in SUBJECTS:
                current, given_up = left.current(subject), right.dead_ends(subject)
                everything = [claim for claim in claims if claim.subject == subject]
                assert sorted([*current, *given_up], key=lambda claim: claim.recorded_at or "") == everything
                found = search(right, entities=[subject], hops=0, max_claims=100)
                assert {hit.claim.id for hit in found} == {claim.id for claim in current}
            assert verify_store(right).holds


class Beliefs:
    """What was believed after each change, kept whole: the plain way to remember two kinds of time."""

    def __init__(self) -> None:
        self.snapshots: list[tuple[int, dict[str, tuple[int, int, bool]]]] = [(0, {})]

    def learn(self, at: str | None, claim_id: str, since: int, until: int, given_up: bool) -> None:
        assert at is not None
        after = {**self.snapshots[-1][1], claim_id: (since, until, given_up)}
        self.snapshots.append((micros(at, "at"), after))

    def held(self, as_of: int | None, as_at: int | None) -> set[str]:
        believed = [beliefs for at, beliefs in self.snapshots if as_at is None or at <= as_at][-1]
        if as_of is None:
            return {name for name, (_, _, given_up) in believed.items() if not given_up}
        return {name for name, (since, until, _) in believed.items() if since <= as_of < until}


FOREVER = 2**62


@given(STEPS, st.data())
def test_the_four_quadrants_of_time(steps: list[Step], data: st.DataObject) -> None:
    """Now and then, of the world and of belief: the store answers what remembering every belief whole answers."""
    beliefs = Beliefs()
    with MemoryStore() as store:
        for number, step in enumerate(steps):
            new = made(number, step)
            since = micros(new.valid_from, "since")
            until = micros(new.valid_to, "until") if new.valid_to else FOREVER
            held = store.current(new.subject)
            if step[0] == "correct" and held:
                stored = store.supersede(held[0].id, new)
                old = store.get(held[0].id)
                assert old is not None
                ends = min(since, micros(old.valid_to, "until") if old.valid_to else FOREVER)
                beliefs.learn(stored.recorded_at, new.id, since, until, False)
                beliefs.learn(old.superseded_at, old.id, micros(old.valid_from, "since"), ends, True)
            else:
                beliefs.learn(store.add(new).recorded_at, new.id, since, until, False)
        learned = [at for at, _ in beliefs.snapshots[1:]] or [1]
        for _ in range(6):
            day = data.draw(st.none() | st.integers(0, 14))
            as_of = None if day is None else micros("2026-01-01T00:00:00Z", "day") + (day - 1) * 86_400_000_000
            as_at = data.draw(st.none() | st.tuples(st.sampled_from(learned), st.integers(-1, 1)).map(sum))
            asked: dict[str, Any] = {
                "as_of": None if as_of is None else iso(as_of),
                "as_at": None if as_at is None else iso(as_at),
            }
            found = [claim for subject in SUBJECTS for claim in store.current(subject, **asked)]
            assert {claim.id for claim in found} == beliefs.held(as_of, as_at)
            by_search = search(store, entities=SUBJECTS, hops=0, max_claims=200, **asked)
            assert {hit.claim.id for hit in by_search} == beliefs.held(as_of, as_at)
            by_text = search(store, query="port", hops=0, max_claims=200, **asked)
            assert {hit.claim.id for hit in by_text} == beliefs.held(as_of, as_at)
            if as_of is None:
                assert all(claim.is_current for claim in found), "what was held then says so"
