"""What graphs are told of a store: the brief, the hits, the contradictions; and what is not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.memory import Claim, SQLiteMemoryStore, render_context
from grapharc.spec.json_value import Json
from tests.kinds.memory_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of its own for each test."""
    return Project(tmp_path)


def look(project: Project, kind: str, port: str, type_: str, args: str = "", **inputs: Json) -> object:
    graph = f"""
[state]
query = {{ type = "string", input = true, default = "" }}
entities = {{ type = "list[string]", input = true, default = [] }}
found = {{ type = "{type_}", output = true }}
[[nodes]]
name = "look"
kind = "{kind}"
args = {{ {args} }}
writes = {{ {port} = "found" }}
[[edges]]
chain = ["__start__", "look", "__end__"]
"""
    return project.run(graph, inputs)["found"]


def claim(id_: str, subject: str, predicate: str, what: str) -> Claim:
    return Claim(id=id_, subject=subject, predicate=predicate, object=what, source=f"source of {id_}")


def fill(project: Project) -> None:
    project.store.parent.mkdir()
    with SQLiteMemoryStore(project.store) as store:
        store.add_many(
            [
                claim("a1", "auth-service", "depends on", "redis"),
                claim("a2", "auth-service", "times out after", "30s"),
                claim("a3", "auth-service", "times out after", "10s"),
                claim("b1", "billing", "runs on", "port 80"),
                claim("r1", "redis", "runs version", "7.2.4"),
            ]
        )
        store.supersede("b1", claim("b2", "billing", "runs on", "port 443"))


def test_a_store_that_is_not_there_yet_holds_nothing_and_is_not_made(project: Project) -> None:
    nothing = "No prior knowledge about these entities."
    assert look(project, "memory.recall", "brief", "string", entities=["auth-service"]) == nothing
    assert look(project, "memory.search", "hits", "list[Hit]", query="auth") == []
    assert look(project, "memory.contradictions", "contradictions", "list[Contradiction]") == []
    assert not project.store.exists()


def test_the_brief_is_what_the_library_renders_within_its_tokens(project: Project) -> None:
    fill(project)
    with SQLiteMemoryStore(project.store, read_only=True) as store:
        whole = render_context(store, entities=["auth-service", "billing"])
        short = render_context(store, entities=["auth-service", "billing"], max_tokens=70)
    assert whole.count("\n- ") == 7
    entities: list[Json] = ["auth-service", "billing"]
    assert look(project, "memory.recall", "brief", "string", entities=entities) == whole
    assert look(project, "memory.recall", "brief", "string", "max_tokens = 70", entities=entities) == short
    assert short.endswith("lines omitted to fit a 70-token budget)")
    assert len(short) <= 70 * 4


def test_hits_say_why_they_were_found(project: Project) -> None:
    fill(project)
    hits = look(project, "memory.search", "hits", "list[Hit]", "max_claims = 3", query="redsi")
    assert isinstance(hits, list)
    assert [(hit["id"], hit["channel"], hit["hops"], hit["via"]) for hit in hits] == [
        ("r1", "spelling", 0, None),
        ("a1", "spelling", 0, None),
    ]
    assert hits[0]["source"] == "source of r1"
    assert look(project, "memory.search", "hits", "list[Hit]") == []
    direct = look(project, "memory.search", "hits", "list[Hit]", "hops = 0", entities=["redis"])
    assert isinstance(direct, list)
    assert [hit["id"] for hit in direct] == ["r1"]


@pytest.mark.parametrize("entities", [[], ["Auth Service"]])
def test_contradictions_show_each_value_with_its_source(project: Project, entities: list[Json]) -> None:
    fill(project)
    found = look(project, "memory.contradictions", "contradictions", "list[Contradiction]", entities=entities)
    assert isinstance(found, list)
    [group] = found
    assert (group["subject"], group["predicate"]) == ("auth-service", "times out after")
    assert [(one["id"], one["object"], one["source"]) for one in group["values"]] == [
        ("a2", "30s", "source of a2"),
        ("a3", "10s", "source of a3"),
    ]
    assert look(project, "memory.contradictions", "contradictions", "list[Contradiction]", entities=["redis"]) == []


def test_reading_changes_nothing(project: Project) -> None:
    fill(project)
    before = project.store.read_bytes()
    look(project, "memory.recall", "brief", "string", entities=["auth-service"])
    look(project, "memory.search", "hits", "list[Hit]", query="redis")
    assert project.store.read_bytes() == before
