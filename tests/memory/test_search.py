"""What search finds, in which order and why; the seed's recipes, and a plain search over the same claims beside it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.memory import Claim, MemoryStore, ScoredClaim, SQLiteMemoryStore, search
from grapharc.stdlib_kinds.memory import postings
from tests.memory.plain_search import plain_search


def claim(name: str, subject: str, predicate: str, what: str, **more: str) -> Claim:
    return Claim(id=name, subject=subject, predicate=predicate, object=what, source="s", **more)


@pytest.fixture
def store() -> SQLiteMemoryStore:
    """The store of the recipes."""
    store = MemoryStore()
    store.add_many(
        [
            claim("r1", "redis", "runs version", "7.2.4"),
            claim("r2", "redis", "has known issue", "connection leak under TLS"),
            claim("b1", "billing-service", "depends on", "auth-service"),
            claim("p1", "platform team", "on call rotation", "PagerDuty schedule P7"),
            claim("a1", "auth-service", "depends on", "redis"),
            claim("a2", "auth-service", "owned by", "platform team"),
        ]
    )
    return store


def told(hits: Sequence[ScoredClaim]) -> list[str]:
    return [f"{hit.score:.3f} {hit.hops} {hit.via} {hit.channel} {hit.claim.id}" for hit in hits]


def ids(hits: Sequence[ScoredClaim]) -> list[str]:
    return [hit.claim.id for hit in hits]


def test_a_named_entity_and_what_is_one_hop_away_both_ways(store: SQLiteMemoryStore) -> None:
    assert told(search(store, entities=["auth-service"])) == [
        "1.000 0 None entity a2",
        "1.000 0 None entity a1",
        "0.450 1 a2 graph p1",
        "0.450 1 a2 graph b1",
        "0.450 1 a1 graph r2",
        "0.450 1 a1 graph r1",
    ]


def test_text_alone(store: SQLiteMemoryStore) -> None:
    assert told(search(store, query="connection leak")) == ["0.900 0 None lexical r2", "0.405 1 r2 graph a1"]


def test_the_bands_of_entity_and_text_never_meet(store: SQLiteMemoryStore) -> None:
    hits = search(store, query="redis", entities=["Auth-Service!"])
    assert told(hits)[:3] == ["1.799 0 None entity+lexical a1", "1.000 0 None entity a2", "0.900 0 None lexical r1"]


def test_ask_for_nothing_get_nothing(store: SQLiteMemoryStore) -> None:
    assert [search(store), search(store, query=" "), search(store, entities=[])] == [[], [], []]
    assert search(store, query="?!") == []
    assert search(store, query="redis", max_claims=0) == []


def test_a_misspelt_word_and_a_name_run_together_are_found_and_said_to_be_guesses(store: SQLiteMemoryStore) -> None:
    assert told(search(store, query="redsi", hops=0)) == [
        "0.720 0 None spelling r1",
        "0.678 0 None spelling r2",
        "0.639 0 None spelling a1",
    ]
    assert ids(search(store, query="authservice"))[:2] == ["a1", "b1"]
    assert ids(search(store, query="auht-service depends"))[0] == "a1"
    assert search(store, query="authservice", spelling=False) == []
    assert search(store, query="redissssi") == []


def test_a_claim_that_holds_a_word_as_written_is_no_guess(store: SQLiteMemoryStore) -> None:
    channels = {hit.claim.id: hit.channel for hit in search(store, query="leak redsi", hops=0)}
    assert channels == {"r2": "lexical", "r1": "spelling", "a1": "spelling"}


def test_digits_are_never_taken_for_others() -> None:
    store = MemoryStore()
    store.add_many([claim("a", "gateway-8080", "is", "up"), claim("b", "gateway-8081", "is", "down")])
    assert search(store, query="8082") == []
    assert ids(search(store, query="gatway8080", hops=0))[0] == "a"


def test_c_and_its_relatives_are_found_apart() -> None:
    store = MemoryStore()
    store.add_many(claim(name, name, "is a", "language") for name in ("C", "C++", "C#"))
    assert [ids(search(store, query=name, hops=0)) for name in ("C", "C++", "c#")] == [["C"], ["C++"], ["C#"]]
    store.add(claim("l", "store", "documented in", "README.md#L3"))
    assert ids(search(store, query="md", hops=0)) == ["l"]


def test_a_claim_is_found_as_soon_as_it_is_stored_and_gone_when_it_is_superseded(store: SQLiteMemoryStore) -> None:
    store.add(claim("r3", "redis", "listens on port", "6379"))
    assert ids(search(store, query="port", hops=0)) == ["r3"]
    store.supersede("r3", claim("r4", "redis", "listens on port", "6380"))
    assert ids(search(store, query="port", hops=0)) == ["r4"]
    assert ids(search(store, query="port", hops=0, include_superseded=True)) == ["r4", "r3"]
    (old,) = [hit.claim for hit in search(store, query="6379", hops=0, include_superseded=True)]
    assert old.superseded_by == "r4"


def test_what_was_believed_is_searched_as_it_was(store: SQLiteMemoryStore) -> None:
    before = store.add(claim("r3", "redis", "listens on port", "6379")).recorded_at
    store.supersede("r3", claim("r4", "redis", "listens on port", "6380"))
    (hit,) = search(store, query="port", hops=0, as_at=before)
    assert (hit.claim.id, hit.claim.superseded_by) == ("r3", None)


def test_hops_stop_at_what_is_superseded() -> None:
    store = MemoryStore()
    store.add_many(
        [claim("a", "web", "calls", "api"), claim("b", "api", "calls", "old"), claim("c", "old", "is", "slow")]
    )
    assert ids(search(store, entities=["web"], hops=2)) == ["a", "b", "c"]
    store.supersede("b", claim("d", "api", "calls", "new"))
    assert ids(search(store, entities=["web"], hops=2)) == ["a", "d"]


class Colours:
    """An embedder that knows that crimson is a red, and counts what it is asked."""

    def __init__(self, dimension: int = 2) -> None:
        self.asked = 0
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += len(texts)
        return [[float("red" in text or "crimson" in text), float("sea" in text)][: self.dimension] for text in texts]


def test_an_embedder_finds_what_means_the_same_and_is_asked_once_for_each_claim() -> None:
    store, colours = MemoryStore(), Colours()
    store.add_many(
        [claim("a", "apple", "is", "crimson"), claim("b", "sea", "is", "deep"), claim("c", "rose", "is", "red")]
    )
    hits = search(store, query="red", embedder=colours, hops=0)
    assert told(hits) == ["0.900 0 None hybrid c", "0.900 0 None hybrid a"]
    assert colours.asked == 7
    store.add(claim("d", "blood", "is", "crimson"))
    assert ids(search(store, query="red", embedder=colours, hops=0)) == ["d", "c", "a"]
    assert colours.asked == 7 + 1 + 2
    store.supersede("a", claim("e", "apple", "is", "green"))
    assert ids(search(store, query="red", embedder=colours, hops=0)) == ["d", "c"]
    half = search(store, query="sea red", embedder=colours, hops=0, lexical_weight=0.5)
    assert {hit.claim.id: round(hit.score, 3) for hit in half}["d"] == 0.636


class Wrong:
    """An embedder that forgets a text, or changes its mind about the length of a vector."""

    def __init__(self, forget: bool) -> None:
        self.forget = forget
        self.length = 2

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.length += 1
        return [[1.0] * self.length for _ in texts[int(self.forget) :]]


@pytest.mark.parametrize(
    ("forget", "words"),
    [
        (True, "gave 11 vectors for 12 texts, one for each would be right"),
        (False, "gave a vector of 4 numbers after one of 3, all of one length would be right"),
    ],
)
def test_an_embedder_that_is_wrong_is_told_so(store: SQLiteMemoryStore, forget: bool, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        search(store, query="redis", embedder=Wrong(forget))


NAMES = ["api", "web", "db", "api-gateway", "web api", "C++", "cache"]
WORDS = st.sampled_from(["api", "web", "db", "cache", "slow", "policies", "policy", "the", "port"])
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
CLAIMS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["calls", "is the", "needs"]), st.sampled_from(NAMES) | TEXTS,
              st.integers(0, 3), st.booleans()), max_size=40
)  # fmt: skip


@given(CLAIMS, TEXTS | st.just(""), st.lists(st.sampled_from(NAMES), max_size=2), st.integers(1, 12), st.integers(0, 2))
def test_search_answers_as_a_plain_search_does(
    rows: list[tuple[str, str, str, int, bool]], query: str, entities: list[str], wanted: int, hops: int
) -> None:
    """The same claims, scores, hops, ways and channels, among many ties, superseded claims and backdated ones."""
    with MemoryStore() as store:
        for number, (subject, predicate, what, day, corrects) in enumerate(rows):
            new = claim(f"c{number:02}", subject, predicate, what, observed_at=f"2026-01-0{day + 1}T00:00:00Z")
            old = store.current(subject)
            store.supersede(old[0].id, new) if corrects and old else store.add(new)
        plain = plain_search(store.all_claims(), query, entities, wanted, hops)
        found = search(store, query, entities=entities, max_claims=wanted, hops=hops)
    assert [(h.claim, h.score, h.hops, h.via, h.channel) for h in found] == [
        (h.claim, h.score, h.hops, h.via, h.channel) for h in plain
    ]


@pytest.mark.parametrize("bits", [postings.PART_BITS, 8])
def test_pruning_changes_nothing_among_thousands_of_claims(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long postings, of which search reads little: common words alone, rare ones, both, and ties by the hundred.

    In one part, and in seven.
    """
    monkeypatch.setattr(postings, "PART_BITS", bits)
    rng = random.Random(7)
    vocabulary = [f"word{number}" for number in range(60)]

    def text(most: int) -> str:
        return " ".join(vocabulary[int(60 * rng.random() ** 3)] for _ in range(rng.randint(1, most)))

    claims = [
        claim(f"c{number}", text(2), rng.choice(["depends on", "is", "runs"]), text(6),
              observed_at=f"2026-01-{rng.randint(1, 28):02}T00:00:00Z")
        for number in range(1500)
    ]  # fmt: skip
    queries = ["depends on", "is", "word0", "word0 word1 word2", "word59", "word58 on word0", "runs word40 word41 is"]
    queries += [" ".join(vocabulary[start : start + 8]) for start in (0, 10, 40)] + [
        "is depends runs",
        "on is runs word5",
    ]
    with MemoryStore() as store:
        store.add_many(claims)
        for number in range(0, 1500, 50):
            store.supersede(f"c{number}", claim(f"d{number}", text(2), "is", text(3)))
        [(parts,)] = store.rows("select count(distinct part) from post")
        assert parts == (1500 + 2 * 30 >> bits) + 1
        for query in queries:
            found = search(store, query, hops=0)
            plain = plain_search(store.all_claims(), query, [], 20, 0)
            assert [(h.claim.id, h.score) for h in found] == [(h.claim.id, h.score) for h in plain], query


def test_a_question_may_be_a_whole_text() -> None:
    """Of more words than SQLite gives a row columns, or a statement parameters."""
    words = [f"w{number}x" for number in range(3_000)]
    with MemoryStore() as store:
        store.add_many([claim(f"c{part}", "text", "holds", " ".join(words[part::5])) for part in range(5)])
        found = search(store, " ".join(words), hops=0, spelling=False)
        plain = plain_search(store.all_claims(), " ".join(words), [], 20, 0)
    assert len(found) == 5
    assert [(hit.claim.id, hit.score) for hit in found] == [(hit.claim.id, hit.score) for hit in plain]
