"""Texts that graphs file under a name, and fetch again in another run."""

from __future__ import annotations

from pathlib import Path

import pytest

import grapharc
from grapharc.memory import SQLiteArtifactStore
from tests.kinds.memory_project import Project, said

PUT = """
[state]
name = { type = "string", input = true }
text = { type = "string", input = true }
id = { type = "string", output = true }
[[nodes]]
name = "put"
kind = "artifact.put"
[[edges]]
chain = ["__start__", "put", "__end__"]
"""
GET = """
[state]
name = { type = "string", input = true }
text = { type = "string", output = true }
id = { type = "string", output = true }
[[nodes]]
name = "get"
kind = "artifact.get"
[[edges]]
chain = ["__start__", "get", "__end__"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with a store for artifacts as well."""
    project = Project(tmp_path)
    registry = tmp_path / "registry.toml"
    use = '[[use]]\nkind = "artifact.*"\nargs = { store = "held/facts.sqlite" }\n'
    registry.write_text(use + registry.read_text())
    return project


def test_each_run_files_a_version_and_the_latest_is_fetched(project: Project) -> None:
    first = project.run(PUT, {"name": "report.md", "text": "thirty"})["id"]
    second = project.run(PUT, {"name": "report.md", "text": "ten"})["id"]
    assert project.run(GET, {"name": "report.md"}) == {"text": "ten", "id": second}
    with SQLiteArtifactStore(project.store, read_only=True) as store:
        versions = store.versions("report.md")
        assert [(one.id, store.read_text(one), one.source, one.node) for one in versions] == [
            (first, "thirty", "node:put", "put"),
            (second, "ten", "node:put", "put"),
        ]
        runs = {path.stem for path in (project.folder / ".grapharc" / "runs").glob("*.jsonl")}
        assert {one.run_id for one in versions} < runs


def test_what_is_not_there_is_an_error_that_says_so(project: Project) -> None:
    with pytest.raises(grapharc.RunError, match=r"there is no artifact 'Report.md' in 'held/facts.sqlite'"):
        project.run(GET, {"name": "Report.md"})
    assert not project.store.exists()
    project.run(PUT, {"name": "report.md", "text": "ten"})
    with pytest.raises(grapharc.RunError, match=r"there is no artifact 'Report.md'"):
        project.run(GET, {"name": "Report.md"})


def test_trying_again_files_nothing_twice_and_going_back_does(project: Project) -> None:
    """What a node put last is not put again; a text that comes back after another one is a version of its own."""
    graph = """
[state]
name = { type = "string", default = "r.md" }
texts = { type = "list[string]", input = true }
ids = { type = "list[string]", output = true }
[[nodes]]
name = "put"
kind = "artifact.put"
map = { over = "texts", as = "text", max_items = 9, concurrency = 1 }
writes = { id = "ids" }
[[edges]]
chain = ["__start__", "put", "__end__"]
"""
    ids = project.run(graph, {"texts": ["a", "a", "b", "a"]})["ids"]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    with SQLiteArtifactStore(project.store, read_only=True) as store:
        assert [store.read_text(one) for one in store.versions("r.md")] == ["a", "b", "a"]


def test_poison_what_an_earlier_run_filed_is_no_evidence(project: Project) -> None:
    """A report of ours, read back, cannot confirm itself."""
    report = "The auth-service times out after 99s, says our own report."
    project.run(PUT, {"name": "report.md", "text": report})
    fetch = '[[nodes]]\nname = "fetch"\nkind = "artifact.get"\nwrites = { text = "fetched" }\n'
    state = 'name = { type = "string", default = "report.md" }\nfetched = { type = "string", output = true }\n'
    echo = said("auth-service", "times out after", "99s", "auth-service times out after 99s")
    outputs = project.record([echo], report, before=("fetch", fetch, state))
    assert outputs["fetched"] == report
    assert outputs["ids"] == []
    assert outputs["refused"][0]["reason"].startswith("its citation stands in what this run recalled")


def test_a_name_is_never_a_path(project: Project) -> None:
    project.run(PUT, {"name": "../../etc/passwd", "text": "not a path"})
    written = [path.relative_to(project.folder) for path in project.folder.rglob("*") if path.is_file()]
    assert all(path.parts[0] in ("held", ".grapharc") or len(path.parts) == 1 for path in written)
    assert project.run(GET, {"name": "../../etc/passwd"})["text"] == "not a path"
