"""A phase, a file and a number of claims go in; what was measured comes out as one JSON document.

Each phase runs in a process of its own, so that what one keeps in memory is not counted for another.
"""

from __future__ import annotations

import difflib
import json
import random
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from statistics import median
from typing import TypeVar

from benchmarks.claims.corpus import claims, questions, typos
from benchmarks.claims.plain import PlainIndex
from grapharc.memory import Claim, SQLiteMemoryStore, search
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.moments import Moments, visible
from grapharc.stdlib_kinds.memory.search import hop
from grapharc.stdlib_kinds.memory.seeds import SearchScope, about
from grapharc.stdlib_kinds.memory.spelling import nearest

In, Out = TypeVar("In"), TypeVar("Out")
BATCH = 10_000
QUESTIONS = 160


def build(path: str, count: int) -> dict[str, object]:
    """Store claims in batches; what the last tenth took counts, when the store is nearly full."""
    spent: list[tuple[float, float, int]] = []
    with SQLiteMemoryStore(path) as store:
        for batch in batches(claims(count)):
            start, wall = time.process_time(), time.perf_counter()
            store.add_many(batch)
            spent.append((time.process_time() - start, time.perf_counter() - wall, len(batch)))
    last = spent[-max(1, len(spent) // 10) :]
    total = sum(size for *_, size in last)
    return {
        "insert": sum(cpu for cpu, *_ in last) / total,
        "insert_wall": sum(wall for _, wall, _ in last) / total,
        "memory": peak(),
    }


def ask(path: str, count: int) -> dict[str, object]:
    """Search, look up what is held, go one hop and put typos right."""
    rng = random.Random(8)  # noqa: S311
    with SQLiteMemoryStore(path, read_only=True) as store:
        asked = questions(QUESTIONS)
        search(store, "to warm up")
        times, answers = each(lambda query: search(store, query, hops=0, spelling=False), asked)
        hopping, _ = each(lambda query: search(store, query), asked)
        known = one_of_each(count, rng)
        held, _ = each(lambda claim: store.current(claim.subject, claim.predicate), known * 4)
        wrong = typos(600)
        with store.reading() as execute:
            # Of the names that a store of this size knows at all.
            wrong = [pair for pair in wrong if about(SearchScope(execute, "true", 1), key(pair[1]), None)]
            spelt, guesses = each(lambda pair: nearest(execute, key(pair[0]), 1), wrong)
            names_known = execute("select count(distinct skey) from claim", ()).fetchone()[0]
            right = sum(guess == [key(pair[1])] for guess, pair in zip(guesses, wrong, strict=True))
            hops = [one_hop(SearchScope(execute, visible(Moments()), 20), rng.sample(known, 20)) for _ in range(30)]
    return {
        "search": spread(times),
        "search_and_hop": spread(hopping),
        "answers": [[(hit.claim.id, hit.score) for hit in answer] for answer in answers],
        "current": spread(held),
        "hop": spread(hops),
        "spelling": spread(spelt),
        "right": right / max(1, len(wrong)),
        "typos": len(wrong),
        "names": names_known,
        "memory": peak(),
    }


def one_of_each(count: int, rng: random.Random) -> list[Claim]:
    """Return claims about 500 subjects, each as likely as the other, however often it is spoken of."""
    of_subjects = {claim.subject: claim for claim in islice(claims(count), 10 * BATCH)}
    return rng.sample(list(of_subjects.values()), min(len(of_subjects), 500))


def one_hop(asked: SearchScope, seeds: Sequence[Claim]) -> float:
    """Return the seconds of one hop from one claim about each of the subjects."""
    hits = {hit.node.rid: hit for claim in seeds for hit in about(asked, key(claim.subject), None)[:1]}
    start = time.process_time()
    hop(asked, hits, 0.45)
    return time.process_time() - start


def plain(path: str, count: int) -> dict[str, object]:
    """Do the same plainly: postings in memory, a table with two indices and FTS5, difflib over the names."""
    index = PlainIndex(claims(count))
    times, answers = each(index.search, questions(QUESTIONS))
    with closing(sqlite3.connect(f"{path}.plain", isolation_level=None)) as connection:
        connection.executescript(
            "pragma journal_mode = wal; pragma synchronous = full;"
            "create table claim (id text primary key, s text, p text, o text, source text, observed text);"
            "create index about on claim (s, p); create index leading on claim (o);"
            "create virtual table found using fts5 (s, p, o)"
        )
        spent: list[float] = []
        for batch in batches(claims(count)):
            rows = [(c.id, key(c.subject), key(c.predicate), key(c.object), c.source, c.observed_at) for c in batch]
            start = time.process_time()
            connection.execute("begin immediate")
            connection.executemany("insert into claim values (?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("insert into found values (?, ?, ?)", [row[1:4] for row in rows])
            connection.execute("commit")
            spent.append((time.process_time() - start) / len(batch))
        last = spent[-max(1, len(spent) // 10) :]
        ask_for = "select * from claim where s = ? and p = ?"
        known = [(key(claim.subject), key(claim.predicate)) for claim in one_of_each(count, random.Random(8))]  # noqa: S311
        held, _ = each(lambda names: connection.execute(ask_for, names).fetchall(), known * 4)
    everybody = sorted({claim.subject for claim in claims(count)})
    spelt, _ = each(lambda pair: difflib.get_close_matches(pair[0], everybody, 1), typos(3))
    return {
        "search": spread(times),
        "answers": answers,
        "insert": sum(last) / len(last),
        "current": spread(held),
        "spelling": spread(spelt),
        "memory": peak(),
    }


def each(work: Callable[[In], Out], inputs: Iterable[In]) -> tuple[list[float], list[Out]]:
    """Do a work with each input, and return the processor seconds of each and what came out."""
    times: list[float] = []
    outputs: list[Out] = []
    for value in inputs:
        start = time.process_time()
        outputs.append(work(value))
        times.append(time.process_time() - start)
    return times, outputs


def spread(times: Sequence[float]) -> tuple[float, float]:
    """Return the median, and what 95 of 100 stay below."""
    return median(times), sorted(times)[int(len(times) * 0.95)]


def batches(found: Iterator[Claim]) -> Iterator[list[Claim]]:
    """Return claims in batches."""
    while batch := list(islice(found, BATCH)):
        yield batch


def peak() -> int:
    """Return the most memory this process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    phases = {"build": build, "ask": ask, "plain": plain}
    print(json.dumps(phases[sys.argv[1]](sys.argv[2], int(sys.argv[3]))))
