"""What gets into a store by memory.record, and what never does."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

import grapharc
from grapharc.memory import Claim, SQLiteMemoryStore, verify_store
from tests.kinds.memory_project import CORRECT, Project, said

SOURCE = "The auth-service times out after 10s in production. It depends on redis and on postgres for sessions."
TIMEOUT = said("auth-service", "times out after", "10s", "auth-service times out after 10s")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of its own for each test."""
    return Project(tmp_path)


def held(project: Project, subject: str = "auth-service") -> list[tuple[str, str, str]]:
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        return [(claim.predicate, claim.object, claim.source) for claim in store.current(subject)]


def test_a_verified_fact_is_recorded_with_where_and_when_it_was_learned(project: Project) -> None:
    outputs = project.record([TIMEOUT], SOURCE)
    assert outputs["refused"] == []
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        [claim] = store.current("auth-service")
    assert [claim.id] == outputs["ids"]
    assert (claim.object, claim.source, claim.confidence) == ("10s", "arch.md", 1.0)
    [trace] = (project.folder / ".grapharc" / "runs").glob("*.jsonl")
    records = [json.loads(line) for line in trace.read_text().splitlines()]
    assert claim.run_id == trace.stem
    assert records[0]["at"] <= claim.observed_at <= records[-1]["at"]


def test_a_recorded_fact_shows_the_quote_and_the_source_that_it_rests_on(project: Project) -> None:
    [recorded] = project.record([TIMEOUT], SOURCE)["ids"]
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        [rests] = store.citations(recorded)
        [claim] = store.current("auth-service")
        assert verify_store(store).holds
    assert (rests.quote, rests.source, rests.standing) == ("auth-service times out after 10s", "arch.md", "anchored")
    assert rests.source_sha256 == sha256(SOURCE.encode()).hexdigest()
    assert rests.run_id == claim.run_id
    other = said("auth-service", "times out after", "10s", "the limit: auth-service times out after 10s")
    newer = "Now the limit: auth-service times out after 10s."
    for _ in range(2):  # the same again is no second one
        assert project.record([other], newer, verifier="verify.claims")["ids"] == [recorded]
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        assert [(one.quote, one.standing) for one in store.citations(recorded)] == [
            ("auth-service times out after 10s", "anchored"),
            ("the limit: auth-service times out after 10s", "reviewed"),
        ]
        assert store.all_claims() == [claim], "nothing grows truer by it"
        assert verify_store(store).holds


def test_a_fact_that_nobody_verified_rests_on_nothing(project: Project) -> None:
    loose = said("auth-service", "is owned by", "platform", "owned by the platform team")
    facts = [TIMEOUT, loose]
    ids = project.record(facts, SOURCE, claims="said", requires="nothing")["ids"]
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        assert [len(store.citations(name)) for name in ids] == [1, 0]


def test_a_second_run_finds_what_the_first_recorded(project: Project) -> None:
    first = project.record([TIMEOUT], SOURCE)
    other = said("Auth-Service", "times out after", "12s", "the limit is 12s")
    second = project.record([other], "We now say that the limit is 12s.")
    assert second["conflicts"] == [
        f"Auth-Service times out after: '12s' (from arch.md) contradicts '10s' (from arch.md, claim {first['ids'][0]})"
    ]
    assert [value for _, value, _ in held(project)] == ["10s", "12s"]


def test_what_is_not_verified_is_refused_and_says_why(project: Project) -> None:
    """The claims go past the verifier: all that was said, and not what it accepted."""
    facts = [
        TIMEOUT,
        said("auth-service", "times out after", "99s", "auth-service times out after 99s"),
        said("auth-service", "depends on", "mysql", ""),
    ]
    outputs = project.record(facts, SOURCE, claims="said")
    assert len(outputs["ids"]) == 1
    assert [(one["object"], one["reason"]) for one in outputs["refused"]] == [
        ("99s", "the claim 'auth-service times out after 99s' was refused"),
        ("mysql", "it has no citation, one that a verifier accepted in this run would be right"),
    ]
    assert held(project) == [("times out after", "10s", "arch.md")]


@pytest.mark.parametrize(
    ("object_", "text"),
    [
        ("99s", "auth-service times out after 10s."),
        ("10s", "auth-service never times out after 10s."),
        ("10s", "It is false that auth-service times out after 10s."),
        ("-10s", "auth-service times out after 10s."),
    ],
)
def test_the_verified_words_must_be_the_fact(project: Project, object_: str, text: str) -> None:
    fact = said("auth-service", "times out after", object_, "auth-service times out after 10s", text)
    outputs = project.record([fact], SOURCE)
    assert outputs["ids"] == []
    assert outputs["refused"][0]["reason"] == (
        f"nothing in this run verified 'auth-service times out after {object_}' with its citation, "
        "a claim of these words would be right"
    )
    assert held(project) == []


def test_a_verdict_that_the_state_holds_verifies_nothing(project: Project) -> None:
    """A model that words a verdict has not made one: what counts is what a verifier noted."""
    graph = """
[state]
claims = { type = "list[Fact]", input = true }
source = { type = "string", default = "model" }
verdicts = { type = "list[Verdict]", input = true }
refused = { type = "list[Refusal]", output = true }
[[nodes]]
name = "record"
kind = "memory.record"
[[edges]]
chain = ["__start__", "record", "__end__"]
"""
    verdict = {
        "claim_text": "a is b",
        "citation": "it says that a is b",
        "accepted": True,
        "anchor_ok": True,
        "model_accepted": True,
        "reason": "",
    }
    fact = {"subject": "a", "predicate": "is", "object": "b", "citation": "it says that a is b"}
    outputs = project.run(graph, {"claims": [fact], "verdicts": [verdict]})
    assert len(outputs["refused"]) == 1
    assert held(project, "a") == []


def test_reviewed_asks_for_a_reviewer(project: Project) -> None:
    outputs = project.record([TIMEOUT], SOURCE, requires="reviewed")
    assert outputs["refused"][0]["reason"] == (
        "the claim 'auth-service times out after 10s' stands in its source, and no reviewer was convinced"
    )
    outputs = project.record([TIMEOUT], SOURCE, requires="reviewed", verifier="verify.claims")
    assert len(outputs["ids"]) == 1


def test_a_reviewer_who_refuses_after_the_anchor_held_is_the_last_word(project: Project) -> None:
    (project.folder / "replies.json").write_text(json.dumps([json.dumps({"supported": False})]))
    anchor = '[[nodes]]\nname = "anchor"\nkind = "verify.anchor"\nreads = { claims = "said" }\n'
    anchor += 'writes = { accepted = "anchored" }\n'
    state = 'anchored = { type = "list[Said]", output = true }\n'
    outputs = project.record(
        [TIMEOUT], SOURCE, claims="said", verifier="verify.claims", before=("anchor", anchor, state)
    )
    assert len(outputs["anchored"]) == 1
    assert outputs["refused"][0]["reason"] == "the claim 'auth-service times out after 10s' was refused"


def test_nothing_is_required_where_the_registry_says_so(project: Project) -> None:
    fact = said("auth-service", "is owned by", "platform", "")
    assert len(project.record([fact], SOURCE, claims="said", requires="nothing")["ids"]) == 1


def test_poison_repetition_makes_nothing_more_true(project: Project) -> None:
    twice = [TIMEOUT, {**TIMEOUT, "object": "10S", "text": "AUTH-SERVICE times  out after 10s"}]
    first = project.record(twice, SOURCE)
    assert len(set(first["ids"])) == 1
    for _ in range(3):
        assert project.record([TIMEOUT], SOURCE) == {"ids": first["ids"][:1], "conflicts": [], "refused": []}
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        assert len(store.all_claims()) == 1


def test_poison_a_dead_value_does_not_come_back(project: Project) -> None:
    """An old document still says what was corrected since; nor does another spelling of it help."""
    [old] = project.record([TIMEOUT], SOURCE)["ids"]
    fact = {"subject": "auth-service", "predicate": "times out after", "object": "15s"}
    [new] = project.run(CORRECT, {"old_id": old, "fact": fact}).values()
    spaced = {**TIMEOUT, "object": "10 s", "text": "auth-service times out after 10 s"}
    joined = {**TIMEOUT, "subject": "AuthService", "text": "AuthService times out after 10s"}
    for dead in (TIMEOUT, spaced, joined):
        outputs = project.record([dead], SOURCE)
        assert outputs["ids"] == []
        assert outputs["refused"][0]["reason"] == (
            f"claim '{old}' said so and was superseded by '{new}', "
            "memory.correct with the claim that is held now would bring it back"
        )
    assert held(project) == [("times out after", "15s", "node:correct")]
    [again] = project.run(CORRECT, {"old_id": new, "fact": {**fact, "object": "10s"}}).values()
    assert held(project) == [("times out after", "10s", "node:correct")]
    assert project.record([TIMEOUT], SOURCE)["ids"] == [again]


CHECKED_CORRECTION = """
[types.Said]
text = "string"
subject = "string"
predicate = "string"
object = "string"
citation = "string"
[state]
old_id = { type = "string", input = true }
said = { type = "list[Said]", input = true }
fact = { type = "Fact", input = true }
source_text = { type = "string", input = true }
entities = { type = "list[string]", default = ["auth-service"] }
brief = "string"
accepted = "list[Said]"
id = { type = "string", output = true }
[[nodes]]
name = "recall"
kind = "memory.recall"
writes = { brief = "brief" }
[[nodes]]
name = "check"
kind = "verify.anchor"
reads = { claims = "said" }
writes = { accepted = "accepted" }
[[nodes]]
name = "correct"
kind = "memory.correct"
args = { requires = "REQUIRES" }
[[edges]]
chain = ["__start__", "recall", "check", "correct", "__end__"]
"""


@pytest.mark.parametrize("requires", ["nothing", "verified"])
def test_an_echo_is_no_evidence_for_a_correction_either_whatever_is_required(project: Project, requires: str) -> None:
    [old] = project.record([TIMEOUT], SOURCE)["ids"]
    graph = CHECKED_CORRECTION.replace("REQUIRES", requires)

    def corrected(citation: str, source: str) -> str:
        fact = said("auth-service", "times out after", "12s", citation)
        given = {"subject": "auth-service", "predicate": "times out after", "object": "12s", "citation": citation}
        return project.run(graph, {"old_id": old, "said": [fact], "fact": given, "source_text": source})["id"]

    echo = "auth-service times out after 10s"
    with pytest.raises(grapharc.RunError, match="is not written down: its citation stands in what this run recalled"):
        corrected(echo, f"Notes: {echo}, or 12s.")
    assert held(project) == [("times out after", "10s", "arch.md")]
    new = corrected("the limit is 12s since May", "In the minutes: the limit is 12s since May.")
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        [rests] = store.citations(new)
    assert (rests.quote, rests.source) == ("the limit is 12s since May", "node:correct")


RECALL = {"memory.contradictions": "contradictions", "memory.recall": "brief", "memory.search": "hits"}
TYPE = {"contradictions": "list[Contradiction]", "brief": "string", "hits": "list[Hit]"}


@pytest.mark.parametrize("kind", sorted(RECALL))
def test_poison_what_was_recalled_is_no_evidence(project: Project, kind: str) -> None:
    """A model reads what the store holds, cites that, and would have memory confirm itself."""
    with_rival = [TIMEOUT, said("auth-service", "times out after", "12s", "the timeout is 12s")]
    project.record(with_rival, SOURCE + " Elsewhere: the timeout is 12s.")
    port = RECALL[kind]
    state = 'entities = { type = "list[string]", default = ["auth-service"] }\n'
    state += f'{port} = {{ type = "{TYPE[port]}", output = true }}\n'
    recall = f'[[nodes]]\nname = "recall"\nkind = "{kind}"\nwrites = {{ {port} = "{port}" }}\n'
    recalled = "auth-service times out after 12s"
    echo = said("auth-service", "was measured to time out at", "12s", recalled)
    outputs = project.record([echo], f"Notes of the agent: {recalled}.", before=("recall", recall, state))
    assert outputs["ids"] == []
    assert outputs["refused"][0]["reason"].startswith("its citation stands in what this run recalled")
    assert [predicate for predicate, _, _ in held(project)] == ["times out after"] * 2


def test_a_malformed_fact_is_refused_and_the_others_stand(project: Project) -> None:
    facts = [said("  ", "is", "b", "the limit is 12s", "is b"), TIMEOUT]
    outputs = project.record(facts, SOURCE + "the limit is 12s", claims="said", requires="nothing")
    assert len(outputs["ids"]) == 1
    assert "text that is not blank would be right" in outputs["refused"][0]["reason"]


def test_a_correction_is_of_the_same_thing(project: Project) -> None:
    [old] = project.record([TIMEOUT], SOURCE)["ids"]
    fact = {"subject": "billing", "predicate": "depends on", "object": "redis"}
    with pytest.raises(grapharc.RunError, match="is about 'auth-service times out after'"):
        project.run(CORRECT, {"old_id": old, "fact": fact})
    with pytest.raises(grapharc.RunError, match="unknown claim 'nope'"):
        project.run(CORRECT, {"old_id": "nope", "fact": fact})
    assert held(project) == [("times out after", "10s", "arch.md")]


def test_a_correction_can_be_asked_for_its_evidence(project: Project) -> None:
    [old] = project.record([TIMEOUT], SOURCE)["ids"]
    fact = {"subject": "auth-service", "predicate": "times out after", "object": "11s"}
    asking = CORRECT.replace('kind = "memory.correct"', 'kind = "memory.correct"\nargs = { requires = "verified" }')
    with pytest.raises(grapharc.RunError, match="'auth-service times out after 11s' is not written down: it has no"):
        project.run(asking, {"old_id": old, "fact": fact})


def test_a_graph_cannot_name_the_store(project: Project, tmp_path: Path) -> None:
    graph = CORRECT.replace('kind = "memory.correct"', 'kind = "memory.correct"\nargs = { store = "other.sqlite" }')
    with pytest.raises(grapharc.Refused, match="arg_is_pinned"):
        project.run(graph, {"old_id": "x", "fact": {"subject": "a", "predicate": "b", "object": "c"}})
    registry = project.folder / "registry.toml"
    registry.write_text(registry.read_text().replace('args = { store = "held/facts.sqlite" }', ""))
    with pytest.raises(grapharc.Refused, match="store_not_pinned"):
        project.run(graph, {"old_id": "x", "fact": {"subject": "a", "predicate": "b", "object": "c"}})


@pytest.mark.parametrize("way", ["../outside.sqlite", "/outside.sqlite", "link/outside.sqlite"])
def test_a_store_lies_in_the_project(project: Project, tmp_path_factory: pytest.TempPathFactory, way: str) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project.folder / "link").symlink_to(outside)
    registry = project.folder / "registry.toml"
    registry.write_text(registry.read_text().replace("held/facts.sqlite", way))
    with pytest.raises(grapharc.Refused, match="document_outside_project"):
        project.record([TIMEOUT], SOURCE)
    assert list(outside.iterdir()) == []


def test_a_link_that_is_put_there_after_the_check_is_no_way_out(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from datetime import date

    from grapharc.memory import MemoryStore

    outside = tmp_path_factory.mktemp("outside")
    loader, memo = grapharc.DiskLoader(str(project.folder)), grapharc.Memo()
    selection, _ = grapharc.read_registry(loader.load("registry.toml"), "registry.toml")
    registry, _ = grapharc.open_registry(selection, loader, memo)
    document, _ = grapharc.read_graph(CORRECT.encode(), "graph.toml")
    admission = grapharc.admit(grapharc.link(document, registry, loader, memo)[0], today=date(2027, 1, 1))
    compiled = grapharc.compile(admission, loader=loader, project=grapharc.Workspace(project.folder))
    (project.folder / "held").symlink_to(outside)
    fact = {"subject": "a", "predicate": "b", "object": "c"}
    with pytest.raises(grapharc.RunError, match="leads out of"):
        compiled.invoke({"old_id": "x", "fact": fact})
    assert list(outside.iterdir()) == []
    without = grapharc.compile(admission, loader=loader)
    with pytest.raises(grapharc.RunError, match="a store"):
        without.invoke({"old_id": "x", "fact": fact})
    assert MemoryStore().add(Claim(subject="a", predicate="b", object="c", source="s"))
