"""The recipes about artifacts, run against the door: what they printed is printed again, ids and clocks aside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grapharc.memory import (
    Claim,
    MemoryArtifactStore,
    SQLiteArtifactStore,
    SQLiteMemoryStore,
    render_artifacts,
)
from tests.cookbook.seed import printed, steady

Captured = pytest.CaptureFixture[str]


def same(capsys: Captured, expected: list[str]) -> None:
    assert steady(capsys.readouterr().out) == steady("\n".join(expected))


@pytest.mark.parametrize("where", ["memory", "file"])
def test_what_an_agent_produced_is_recorded(capsys: Captured, tmp_path: Path, where: str) -> None:
    """The seed's run also had what it does not print of: all that it does print is held to."""
    question = "How do I record the files an agent produced?"
    store = MemoryArtifactStore() if where == "memory" else SQLiteArtifactStore(tmp_path / "facts.sqlite")
    text = "# Findings\nauth-service times out after {}\n"
    v1 = store.put("report.md", text.format("30s"), source="node:summarize", run_id="run-12", node="summarize")
    v2 = store.put(
        "report.md",
        text.format("10s"),
        source="node:summarize",
        run_id="run-37",
        node="summarize",
        parents=[v1.id],
        claim_ids=["t2"],
    )
    print("versions:", [(one.id, one.run_id) for one in store.versions("report.md")])
    print("media_type:", v2.media_type, "| sha256:", v2.sha256[:16], "| parents:", v2.parents)
    print("Report.md is a different name:", store.versions("Report.md"))
    with pytest.raises(ValueError, match="needs a source") as refused:
        store.put("notes.txt", "x", source="")
    print("no provenance:", refused.value)
    traversal = store.put("../../etc/passwd", b"not a path", source="node:evil")
    print("name is metadata:", traversal.name, "| stored under:", traversal.blob_key)
    same(capsys, printed(question, "versions: [("))
    print(render_artifacts(store))
    same(capsys, printed(question, "Artifacts (id"))
    assert store.read_text(v1) == text.format("30s")
    assert (v2.claim_ids, store.latest("report.md")) == (("t2",), v2)
    assert [one.id for one in store.by_run("run-12")] == [v1.id]
    again = store.put("copy.md", text.format("10s"), source="node:copy")
    assert (again.sha256, again.id == v2.id) == (v2.sha256, False)
    if where == "file":
        blobs = [path for path in (tmp_path / "facts.sqlite.blobs").rglob("*") if path.is_file()]
        assert sorted(path.name for path in blobs) == sorted({v1.sha256, v2.sha256, traversal.sha256})


def test_claims_and_artifacts_share_one_file(capsys: Captured, tmp_path: Path) -> None:
    question = "How do I put claims and artifacts in one file?"
    path = tmp_path / "memory.sqlite"
    with SQLiteMemoryStore(path) as claims, SQLiteArtifactStore(path) as artifacts:
        claim = claims.add(
            Claim(
                subject="auth-service",
                predicate="times out after",
                object="10s",
                source="incident-4412",
                run_id="run-37",
            )
        )
        text = "auth-service times out after 10s\n"
        filed = artifacts.put("report.md", text, source="node:summarize", run_id="run-37", claim_ids=[claim.id])
        print("claim:", claim.id, "| artifact:", filed.id, "| links to:", filed.claim_ids)
        print("blob:", artifacts.blob_path(filed).relative_to(tmp_path))
        print("journal_mode:", claims.journal_mode)
    with SQLiteMemoryStore(path) as claims, SQLiteArtifactStore(path) as artifacts:
        print("reopened claims:   ", [one.object for one in claims.current("auth-service")])
        print("reopened artifacts:", [one.name for one in artifacts.all_artifacts()])
        found = artifacts.latest("report.md")
        assert found is not None
        print("content:", artifacts.read_text(found).strip())
    print("files:", sorted(one.name for one in tmp_path.iterdir()))
    same(capsys, printed(question, "claim: "))
    assert re.fullmatch("[0-9a-f]{12}", filed.id)
