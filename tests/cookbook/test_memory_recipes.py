"""The recipes about claims, run against the door: what they printed is printed again, ids and clocks aside.

Sanctioned differences: there is no ``ClaimIndex`` to go stale, since every search reads what is stored by then; and a
spelling channel of one edit stands in place of ``HashingEmbedder``, so that ``redsi`` finds redis. The recipe about
Cypher ran nothing in the seed, and needs a backend that is not here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grapharc.memory import (
    Claim,
    ClaimStore,
    MemoryStore,
    SQLiteMemoryStore,
    add_and_detect,
    known_entities,
    render_context,
    retrieve_dead_ends,
    search,
    supersede_conflicting,
    unresolved_contradictions,
)
from tests.cookbook.seed import printed, steady

Captured = pytest.CaptureFixture[str]


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SQLiteMemoryStore:
    """Each recipe is run in memory and in a file."""
    return MemoryStore() if request.param == "memory" else SQLiteMemoryStore(tmp_path / "facts.sqlite")


def same(capsys: Captured, expected: list[str]) -> None:
    assert steady(capsys.readouterr().out) == steady("\n".join(expected).replace("observed: ...", "observed: <>"))


def claim(id_: str, subject: str, predicate: str, what: str, source: str, run: str | None = None) -> Claim:
    return Claim(id=id_, subject=subject, predicate=predicate, object=what, source=source, run_id=run)


def test_a_fact_is_recorded_with_where_it_came_from(capsys: Captured, store: SQLiteMemoryStore) -> None:
    given = Claim(
        subject="GraphARC",
        predicate="depends on",
        object="LangGraph",
        source="a readme",
        run_id="run-1",
        confidence=0.9,
    )
    kept = store.add(given)
    print("id:         ", kept.id)
    print("observed_at:", kept.observed_at)
    print("is_current: ", kept.is_current)
    print("key:        ", kept.key)
    for lookup in ("GraphARC", "  grapharc  ", "GRAPHARC!", "Graph-ARC"):
        print(f"current({lookup!r:<14}) -> {[one.object for one in store.current(lookup)]}")
    same(capsys, printed("How do I record a fact so I can audit where it came from?", "id:  "))


def test_a_fact_is_corrected_and_what_was_believed_stays(capsys: Captured, store: SQLiteMemoryStore) -> None:
    question = "How do I correct a fact without losing what we used to believe?"

    def fact(id_: str, value: str) -> Claim:
        return claim(id_, "auth-service", "times out after", value, f"source of {id_}", f"run-{id_}")

    store.add(fact("v1", "30s"))
    store.supersede("v1", fact("v2", "10s"))
    store.supersede("v2", fact("v3", "15s"))
    print("current: ", [(one.id, one.object) for one in store.current("auth-service")])
    ends = store.dead_ends("auth-service")
    print("dead ends:", [(one.id, one.object, "->", one.superseded_by) for one in ends])
    refused: list[tuple[str, Callable[[], object]]] = [
        ("already superseded", lambda: store.supersede("v1", fact("v4", "20s"))),
        ("self-supersede", lambda: store.supersede("v3", fact("v3", "20s"))),
        ("unknown claim", lambda: store.supersede("nope", fact("v4", "20s"))),
    ]
    for what, attempt in refused:
        with pytest.raises((KeyError, ValueError)) as raised:
            attempt()
        print(f"{what}: {type(raised.value).__name__}: {raised.value}")
    same(capsys, printed(question, "current:  ["))
    chain = [
        (one.id, one.source, one.run_id, one.superseded_by) for one in store.history("auth-service", "times out after")
    ]
    assert chain == [
        ("v1", "source of v1", "run-v1", "v2"),
        ("v2", "source of v2", "run-v2", "v3"),
        ("v3", "source of v3", "run-v3", None),
    ]


WRITER = """
import os, sys
from grapharc.memory import Claim, SQLiteMemoryStore
with SQLiteMemoryStore(sys.argv[1]) as store:
    store.add(Claim(id="v1", subject="auth-service", predicate="times out after", object="30s",
                    source="config/prod.yaml", run_id="run-12"))
print(f"writer pid={os.getpid()}: wrote v1")
"""
READER = """
import os, sys
from grapharc.memory import Claim, SQLiteMemoryStore
with SQLiteMemoryStore(sys.argv[1]) as store:
    [old] = store.current("Auth Service", "times out after")
    print(f"reader pid={os.getpid()}: found {old.id} = {old.object!r} from {old.source} (run {old.run_id})")
    new = store.supersede(old.id, Claim(id="v2", subject="auth-service", predicate="times out after", object="10s",
                                        source="a postmortem", run_id="run-37"))
    print(f"reader pid={os.getpid()}: superseded {old.id} -> {new.id}")
"""


def test_what_one_process_wrote_another_corrects_and_a_third_reads(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "facts.sqlite"
    for script in (WRITER, READER):
        ran = subprocess.run(
            [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, timeout=60
        )
        print(ran.stdout, end="")
    with SQLiteMemoryStore(path) as store:
        print("parent:", [(one.id, one.object) for one in store.current("auth-service")])
        print("parent dead ends:", [(one.id, one.object) for one in store.dead_ends("auth-service")])
        print("both satisfy ClaimStore:", isinstance(store, ClaimStore), isinstance(MemoryStore(), ClaimStore))
    same(capsys, printed("How do I keep memory across processes?", "writer pid="))


def fill(store: SQLiteMemoryStore, *, platform: bool = False) -> None:
    if platform:
        store.add(claim("r1", "redis", "runs version", "7.2.4", "infra/redis.tf"))
    store.add(claim("r2", "redis", "has known issue", "connection leak under TLS", "incident-9"))
    store.add(claim("a1", "auth-service", "depends on", "redis", "arch.md"))
    if platform:
        store.add(claim("a2", "auth-service", "owned by", "platform team", "owners.yaml"))
    store.add(claim("b1", "billing-service", "depends on", "auth-service", "arch.md"))
    if platform:
        store.add(claim("p1", "platform team", "on call rotation", "PagerDuty schedule P7", "pagerduty"))


def test_the_claims_relevant_to_a_question_are_found(capsys: Captured, store: SQLiteMemoryStore) -> None:
    fill(store, platform=True)
    for title, options in (
        ("entities=['auth-service']", {"entities": ["auth-service"]}),
        ("query='connection leak' (no entity named)", {"query": "connection leak"}),
    ):
        print(f"--- {title} ---")
        for hit in search(store, **options):
            one = hit.claim
            print(
                f"{hit.score:.3f} hop={hit.hops} via={hit.via!s:<5} {hit.channel:<8} "
                f"{one.id} {one.subject} {one.predicate} {one.object}"
            )
    same(capsys, printed("How do I find the claims relevant to a question?", "--- entities=['auth-service'] ---"))


def test_what_is_misspelled_and_what_is_not_asked(capsys: Captured, store: SQLiteMemoryStore) -> None:
    """Sanctioned difference: spelling is a channel of its own, no embedder's work, and one edit is within it."""
    question = "What if the query is misspelled, or there is no query at all?"
    fill(store)
    for query in ("connection leak", "who depends on auth-service"):
        print(f"{query!r:<32} -> {[hit.claim.id for hit in search(store, query=query)]}")
    print("search(store) with neither     ->", search(store))
    print("'authservice' lexical only     ->", [hit.claim.id for hit in search(store, "authservice", spelling=False)])
    found = [hit.claim.id for hit in search(store, "authservice")]
    print("'authservice' + HashingEmbedder->", found)
    theirs = printed(question, "'connection leak'  ")
    same(capsys, theirs[:5])
    assert theirs[5].endswith("-> []")
    transposed = search(store, query="redsi", hops=0)
    assert [(hit.claim.id, hit.channel) for hit in transposed] == [("r2", "spelling"), ("a1", "spelling")]
    print("known entities:", sorted(known_entities(store)))
    same(capsys, theirs[6:])


def test_a_new_claim_is_found_at_once(capsys: Captured, store: SQLiteMemoryStore) -> None:
    """Sanctioned difference: nothing is ever stale; what the seed's rebuilt index finds, every search finds."""
    store.add(claim("a", "redis", "runs version", "7.2", "tf"))
    assert [hit.claim.id for hit in search(store, entities=["redis"])] == ["a"]
    store.add(claim("b", "redis", "has issue", "leak", "i-1"))
    print("rebuilt:    ", [hit.claim.id for hit in search(store, entities=["redis"])])
    same(capsys, printed("Why did my reused index stop finding new claims?", "rebuilt:"))


def test_memory_fits_into_a_prompt(capsys: Captured, store: SQLiteMemoryStore) -> None:
    """The shorter brief is of a store that the seed does not show; it is held to what the seed says of it."""
    question = "How do I fit memory into a prompt without blowing the context window?"
    store.add(claim("r1", "redis", "runs version", "7.2.4", "infra/redis.tf"))
    store.add(claim("d1", "auth-service", "depends on", "redis", "arch.md"))
    store.add(claim("p1", "auth-service", "listens on port", "8080", "old.yaml"))
    store.add(claim("m1", "auth-service", "deployed to", "eu-west-1", "old.tf"))
    store.add(claim("t1", "auth-service", "times out after", "30s", "config/prod.yaml"))
    store.add(claim("t2", "auth-service", "times out after", "10s", "helm/values.yaml"))
    store.supersede("p1", claim("p2", "auth-service", "listens on port", "8443", "ingress.yaml"))
    store.supersede("m1", claim("m2", "auth-service", "deployed to", "eu-central-1", "terraform@2026"))
    print(render_context(store, entities=["auth-service"]))
    ours = steady(capsys.readouterr().out)
    theirs = steady("\n".join(brief(question)).replace("observed: ...", "observed: <>"))
    # The seed leaves lines out of what it shows: two of the facts, without which its own text would be no brief of it.
    shown_less = ["- auth-service listens on port 8443 [source: ingress.yaml, observed: <>]"]
    shown_less += ["- auth-service times out after 30s [source: config/prod.yaml, observed: <>]"]
    assert [line for line in ours if line not in shown_less] == theirs
    short = steady(render_context(store, entities=["auth-service"], max_tokens=90))
    assert short == steady(
        "\n".join(printed(question, "=== same brief", 5)[1:]).replace("observed: ...", "observed: <>")
    )


def brief(question: str) -> list[str]:
    """The three sections that the seed shows, with the empty lines between them."""
    known = printed(question, "Known facts (with provenance):")
    rivals = printed(question, "Contradictions \u2014 same subject and predicate, different values:")
    return [*known, "", *rivals, "", *printed(question, "Superseded \u2014 do not re-derive these:")]


def test_what_was_already_tried_does_not_grow_for_ever(capsys: Captured, store: SQLiteMemoryStore) -> None:
    question = 'How do I keep the "already tried that" section from growing forever?'
    store.add(claim("v1", "auth-service", "times out after", "30s", "s"))
    for number, value in ((2, "25s"), (3, "20s"), (4, "15s"), (5, "10s")):
        new = claim(f"v{number}", "auth-service", "times out after", value, "incident-4412")
        store.supersede(f"v{number - 1}", new)
    kept, omitted = retrieve_dead_ends(store, entities=["auth-service"], max_dead_ends=2)
    print("shown:", [(one.id, one.object) for one in kept], "omitted:", omitted)
    same(capsys, printed(question, "shown: [("))
    print(render_context(store, entities=["auth-service"], max_dead_ends=2))
    same(
        capsys,
        [*printed(question, "Known facts (with"), "", *printed(question, "Superseded \u2014")],
    )


def test_memory_that_contradicts_itself_is_noticed(capsys: Captured, store: SQLiteMemoryStore) -> None:
    question = "How do I notice that memory contradicts itself?"
    store.add(claim("t1", "auth-service", "times out after", "30s", "config/prod.yaml"))
    for number, what in enumerate(("postgres", "redis")):
        store.add(claim(f"d{number}", "billing", "depends on", what, "arch.md"))
    incoming = claim("t2", "auth-service", "times out after", "10s", "incident-4412")
    stored, conflicts = add_and_detect(store, incoming)
    print("stored anyway:", stored.id)
    for conflict in conflicts:
        print("conflict:", conflict.describe())
    supersede_conflicting(store, conflicts[0])
    print("after resolution, current:", [(one.id, one.object) for one in store.current("auth-service")])
    print("dead ends:", [(one.id, one.object) for one in store.dead_ends("auth-service")])
    for group in unresolved_contradictions(store):
        print("flagged:", group.subject, group.predicate, [one.object for one in group.claims])
    same(capsys, printed(question, "stored anyway: t2"))
