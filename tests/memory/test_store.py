"""What a claim store holds, what it gave up, and what it refuses to take, in memory and in a file."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grapharc.memory import (
    Claim,
    ClaimStore,
    MemoryStore,
    SQLiteMemoryStore,
    add_and_detect,
    known_entities,
    search,
    supersede_conflicting,
    unresolved_contradictions,
    verify_store,
)
from grapharc.spec.frozen import replace
from grapharc.stdlib_kinds.memory.keys import number_of


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SQLiteMemoryStore]:
    """Both stores, which are one implementation."""
    with MemoryStore() if request.param == "memory" else SQLiteMemoryStore(tmp_path / "memory.sqlite") as opened:
        yield opened


def fact(name: str, what: str, source: str = "config/prod.yaml", run: str | None = None) -> Claim:
    return Claim(id=name, subject="auth-service", predicate="times out after", object=what, source=source, run_id=run)


def test_a_fact_is_found_by_any_spelling_of_its_entity_and_no_other(store: SQLiteMemoryStore) -> None:
    claim = store.add(
        Claim(
            subject="GraphARC", predicate="depends on", object="LangGraph", source="README.md#L3", run_id="run-12",
            confidence=0.9,
        )
    )  # fmt: skip
    assert claim.key == ("grapharc", "depends on")
    assert claim.is_current
    assert store.get(claim.id) == claim
    found = {name: [c.object for c in store.current(name)] for name in ("GraphARC", "  grapharc  ", "GRAPHARC!")}
    assert set(map(tuple, found.values())) == {("LangGraph",)}
    assert store.current("Graph-ARC") == []
    assert store.current("GraphARC", "") == []


@pytest.mark.parametrize(
    "names",
    [("C", "C++", "C#"), ("東京", "北京"), ("कि", "की"), ("!!!", "???"), ("F", "F#"), ("Graph-ARC", "GraphARC")],
)
def test_different_entities_stay_apart(store: SQLiteMemoryStore, names: tuple[str, ...]) -> None:
    store.add_many(Claim(id=name, subject=name, predicate="is", object="x", source="s") for name in names)
    assert {name: [claim.id for claim in store.current(name)] for name in names} == {name: [name] for name in names}


@pytest.mark.parametrize(
    ("one", "other"), [("ﬁle", "FILE"), ("\uff2bafka", "kafka"), ("auth_service", "Auth  Service!")]
)
def test_spellings_of_one_entity_meet(store: SQLiteMemoryStore, one: str, other: str) -> None:
    store.add(Claim(subject=one, predicate="is", object="x", source="s"))
    assert len(store.current(other)) == 1


def test_a_correction_keeps_what_was_believed(store: SQLiteMemoryStore) -> None:
    store.add(fact("v1", "30s", "config/prod.yaml@2026-05", "run-12"))
    store.supersede("v1", fact("v2", "10s", "config/prod.yaml@2026-06", "run-37"))
    store.supersede("v2", fact("v3", "15s", "incident-4412 postmortem", "run-51"))
    assert [(c.id, c.object) for c in store.current("auth-service")] == [("v3", "15s")]
    assert [(c.id, c.object, c.superseded_by) for c in store.dead_ends("auth-service")] == [
        ("v1", "30s", "v2"),
        ("v2", "10s", "v3"),
    ]
    chain = store.history("auth-service", "times out after")
    assert [(c.id, c.source, c.run_id, c.superseded_by) for c in chain] == [
        ("v1", "config/prod.yaml@2026-05", "run-12", "v2"),
        ("v2", "config/prod.yaml@2026-06", "run-37", "v3"),
        ("v3", "incident-4412 postmortem", "run-51", None),
    ]
    assert [c.superseded_at for c in chain if c.superseded_at] == sorted(c.superseded_at for c in chain[:2])


def test_the_preconditions_of_a_correction(store: SQLiteMemoryStore) -> None:
    store.add(fact("v1", "30s"))
    store.supersede("v1", fact("v2", "10s"))
    before = store.all_claims()
    with pytest.raises(ValueError) as twice:  # noqa: PT011
        store.supersede("v1", fact("v9", "1s"))
    assert str(twice.value) == "claim 'v1' was already superseded by 'v2'"
    with pytest.raises(ValueError) as itself:  # noqa: PT011
        store.supersede("v2", fact("v2", "1s"))
    assert str(itself.value) == (
        "claim 'v2' cannot supersede itself \u2014 a correction is a new claim with its own id, "
        "so the old one survives to be pointed at"
    )
    with pytest.raises(KeyError) as unknown:
        store.supersede("nope", fact("v9", "1s"))
    assert str(unknown.value) == "\"unknown claim 'nope'\""
    assert store.all_claims() == before


def test_a_known_id_is_never_written_over(store: SQLiteMemoryStore) -> None:
    first = store.add(fact("v1", "30s"))
    assert store.add(first) == first, "the same claim again is no second one"
    with pytest.raises(
        ValueError, match="claim 'v1' is stored with other content already, a correction is a new claim"
    ):
        store.add(fact("v1", "31s"))
    store.supersede("v1", fact("v2", "10s"))
    with pytest.raises(ValueError, match="claim 'v1' is stored with other content"):
        store.supersede("v2", fact("v1", "30s"))
    with pytest.raises(ValueError, match="claim 'v1' was itself superseded by 'v2', a correction that is current"):
        store.supersede("v2", first)
    assert [(c.id, c.object, c.superseded_by) for c in store.all_claims()] == [("v1", "30s", "v2"), ("v2", "10s", None)]
    stored = store.get("v1")
    assert stored is not None
    assert store.add(stored) == stored, "nor is one that is superseded meanwhile"


def test_many_are_stored_whole_or_not_at_all(store: SQLiteMemoryStore) -> None:
    with pytest.raises(ValueError, match="claim 'v1' is stored with other content"):
        store.add_many([fact("v0", "1s"), fact("v1", "30s"), fact("v1", "31s")])
    assert store.all_claims() == []
    twice = store.add_many([fact("v0", "1s"), (same := fact("v1", "30s")), fact("v2", "2s"), same])
    assert [claim.id for claim in twice] == ["v0", "v1", "v2", "v1"]
    assert [claim.id for claim in store.all_claims()] == ["v0", "v1", "v2"], "in the order they came, each once"
    assert store.all_claims() == twice[:3]
    with MemoryStore() as other:
        other.add(fact("v1", "30s"))
        other.supersede("v1", fact("v2", "10s"))
        (old,) = other.dead_ends("auth-service")
    with pytest.raises(ValueError, match="claim 'v8' says that 'v2' has superseded it, adding it as current"):
        store.add_many([fact("v9", "1s"), replace(old, id="v8")])
    assert store.all_claims() == twice[:3]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"source": ""}, "claim 'c' needs a source \u2014 a fact with no provenance cannot be audited after the fact"),
        ({"source": " \n"}, "needs a source"),
        ({"subject": " "}, "subject of claim 'c' is ' ', text that is not blank would be right"),
        ({"object": ""}, "object of claim 'c' is '', text that is not blank"),
        ({"predicate": 5}, "predicate of claim 'c' is 5, text that is not blank"),
        ({"subject": "\ud800"}, "subject of claim 'c' has half a character"),
        ({"run_id": ""}, "run_id of claim 'c' is '', text"),
        ({"id": ""}, "the id of a claim is '', text that is not blank"),
        ({"confidence": float("nan")}, "confidence nan of claim 'c' is not from 0 to 1, 0.9 would be right"),
        ({"confidence": 7.0}, "confidence 7.0 of claim 'c' is not from 0 to 1"),
        ({"confidence": -0.1}, "is not from 0 to 1"),
        ({"confidence": True}, "confidence True of claim 'c' is not"),
        ({"observed_at": "yesterday"}, "observed_at 'yesterday' is no date, one like '2026-05-01T12:00:00"),
        ({"observed_at": "2026-05-01"}, "has no time zone, '2026-05-01T00:00:00[+]00:00' would be right if it is UTC"),
        ({"observed_at": "2026-13-01T00:00:00Z"}, "observed_at '2026-13-01T00:00:00Z' is no date"),
        ({"valid_from": "2026-05-01T00:00"}, "valid_from '2026-05-01T00:00' has no time zone"),
        ({"valid_to": "2020-01-01T00:00:00Z"}, "valid_to '2020-01-01T00:00:00Z' is not after valid_from"),
    ],
)
def test_what_is_no_claim_is_refused_with_what_would_be(wrong: dict[str, Any], words: str) -> None:
    right = {"id": "c", "subject": "a", "predicate": "b", "object": "c", "source": "d"}
    with pytest.raises(ValueError, match=words):
        Claim(**{**right, **wrong})


def test_moments_are_written_in_one_way() -> None:
    claim = Claim(subject="a", predicate="b", object="c", source="d", observed_at="2026-05-01T14:00:00+02:00")
    assert claim.observed_at == claim.valid_from == "2026-05-01T12:00:00.000000+00:00"
    later = [Claim(subject="a", predicate="b", object="c", source="d").observed_at for _ in range(100)]
    assert later == sorted(set(later)), "no two claims of a process tie"


def test_a_contradiction_is_reported_and_resolved_by_whoever_can(store: SQLiteMemoryStore) -> None:
    store.add(fact("t1", "30s"))
    store.add_many(
        Claim(subject="billing", predicate="depends on", object=what, source="arch.md")
        for what in ("postgres", "redis")
    )
    stored, conflicts = add_and_detect(store, fact("t2", "10s", "incident-4412"))
    assert stored.id == "t2"
    assert [conflict.describe() for conflict in conflicts] == [
        "auth-service times out after: '10s' (from incident-4412) contradicts '30s' (from config/prod.yaml, claim t1)"
    ]
    assert len(unresolved_contradictions(store)) == 2
    supersede_conflicting(store, conflicts[0])
    assert [(c.id, c.object) for c in store.current("auth-service")] == [("t2", "10s")]
    assert [(c.id, c.object) for c in store.dead_ends("auth-service")] == [("t1", "30s")]
    flagged = unresolved_contradictions(store)
    assert [(group.subject, group.predicate, [c.object for c in group.claims]) for group in flagged] == [
        ("billing", "depends on", ["postgres", "redis"])
    ]
    assert unresolved_contradictions(store, ["BILLING"]) == flagged
    assert unresolved_contradictions(store, ["auth-service"]) == []
    assert known_entities(store) == {"auth service", "billing"}


def test_the_same_value_again_is_no_contradiction(store: SQLiteMemoryStore) -> None:
    store.add(fact("t1", "30s"))
    assert add_and_detect(store, fact("t2", "30S"))[1] == []


def test_names_that_share_a_number_stay_apart(store: SQLiteMemoryStore) -> None:
    """Indices hold numbers of keys, and these two names have the same one."""
    one, other = "plumless", "buckeroo"
    assert number_of(one) == number_of(other)
    store.add(Claim(id="a", subject=one, predicate="is", object=other, source="s"))
    store.add(Claim(id="b", subject=other, predicate="is", object="x", source="s"))
    store.add(Claim(id="c", subject="y", predicate="is", object=one, source="s"))
    assert [claim.id for claim in store.current(one)] == [claim.id for claim in store.history(one, "is")] == ["a"]
    assert [claim.id for claim in store.current(other, "is")] == ["b"]
    assert unresolved_contradictions(store) == unresolved_contradictions(store, [one, other]) == []
    assert known_entities(store) == {one, other, "y"}
    assert {hit.claim.id: hit.via for hit in search(store, entities=[one])} == {"a": None, "b": "a", "c": "a"}
    assert {hit.claim.id for hit in search(store, entities=[other], hops=0)} == {"b"}
    assert [hit.claim.id for hit in search(store, "plumles", hops=0)] == ["a", "c"], "each is learned for misspellers"


def test_both_are_claim_stores(store: SQLiteMemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    assert store.journal_mode == ("wal" if store.path != ":memory:" else "memory")


def test_what_is_written_in_a_transaction_is_read_in_it_and_is_gone_with_it(store: SQLiteMemoryStore) -> None:
    def fail() -> None:
        with store.writing() as writing:
            writing.add(fact("v1", "30s"))
            assert [hit.claim.id for hit in search(store, entities=["auth-service"])] == ["v1"]
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert store.all_claims() == []
    assert search(store, entities=["auth-service"]) == []


def test_threads_share_a_store(store: SQLiteMemoryStore) -> None:
    def work(number: int) -> list[str]:
        store.add(fact(f"t{number}", f"{number}s"))
        return [hit.claim.id for hit in search(store, query=f"{number}s", hops=0)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(40)))
    assert all(f"t{number}" in ids for number, ids in enumerate(found))
    assert verify_store(store).operations == 40


def test_long_texts_are_stored_found_and_not_remembered_in_the_process(store: SQLiteMemoryStore) -> None:
    long = "needle " + "straw " * 50_000
    store.add(Claim(id="l", subject="stack", predicate="holds", object=long, source="s"))
    assert [hit.claim.id for hit in search(store, query="needle", hops=0)] == ["l"]
    assert store.current("stack")[0].object == long
