"""What an agent produced: versions, provenance, bytes by their hash, and what a crash or a meddler leaves."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from grapharc.memory import (
    ArtifactStore,
    Claim,
    MemoryArtifactStore,
    MemoryStore,
    SQLiteArtifactStore,
    SQLiteMemoryStore,
    StoreError,
    render_artifacts,
)


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SQLiteArtifactStore]:
    """Both stores, which are one implementation."""
    with MemoryArtifactStore() if request.param == "memory" else SQLiteArtifactStore(tmp_path / "m.sqlite") as opened:
        yield opened


def test_every_put_is_a_version_and_none_is_lost(store: SQLiteArtifactStore) -> None:
    v1 = store.put("report.md", "30s\n", source="node:summarize", run_id="run-12", node="summarize")
    v2 = store.put(
        "report.md", "10s\n", source="node:summarize", run_id="run-37", node="summarize", parents=[v1.id],
        claim_ids=["t2"],
    )  # fmt: skip
    assert [(each.id, each.run_id) for each in store.versions("report.md")] == [(v1.id, "run-12"), (v2.id, "run-37")]
    assert store.latest("report.md") == v2 == store.get(v2.id)
    assert (v2.parents, v2.claim_ids, v2.media_type) == ((v1.id,), ("t2",), "text/plain; charset=utf-8")
    assert v2.sha256 == sha256(b"10s\n").hexdigest()
    assert (store.read_text(v1), store.read(v2.id)) == ("30s\n", b"10s\n")
    assert store.by_run("run-12") == [v1]
    assert store.versions("Report.md") == []
    assert store.latest("Report.md") is None
    assert isinstance(store, ArtifactStore)


def test_what_could_not_be_attributed_is_refused(store: SQLiteArtifactStore) -> None:
    with pytest.raises(ValueError, match="needs a source \u2014 an artifact with no provenance cannot be attributed"):
        store.put("notes.txt", "x", source="")
    with pytest.raises(ValueError, match="the name of an artifact is ' ', text that is not blank would be right"):
        store.put(" ", "x", source="s")
    store.put("a", "x", source="s", artifact_id="one")
    with pytest.raises(ValueError, match="artifact 'one' is there already, another id would be right"):
        store.put("b", "y", source="s", artifact_id="one")
    with pytest.raises(KeyError, match="unknown artifact 'nobody'"):
        store.put("b", "y", source="s", parents=["nobody"])
    with pytest.raises(KeyError, match="unknown artifact 'nobody'"):
        store.read("nobody")
    assert [each.name for each in store.all_artifacts()] == ["a"]


def test_a_name_is_never_a_path(tmp_path: Path) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        evil = store.put("../../etc/passwd", b"not a path", source="node:evil")
        digest = sha256(b"not a path").hexdigest()
        assert evil.blob_key == (digest[:2], digest)
        assert store.blob_path(evil).relative_to(tmp_path).parts == ("m.sqlite.blobs", digest[:2], digest)
        assert store.read(evil) == b"not a path"


def test_the_same_bytes_are_kept_once_and_told_twice(tmp_path: Path) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        one, two = store.put("a", "same", source="run 1"), store.put("b", b"same", source="run 2")
        assert one.id != two.id
        assert [path.name for path in (tmp_path / "m.sqlite.blobs").rglob("*") if path.is_file()] == [one.sha256]


def test_claims_and_artifacts_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with SQLiteMemoryStore(path) as claims, SQLiteArtifactStore(path) as artifacts:
        claim = claims.add(Claim(subject="auth-service", predicate="times out after", object="10s", source="i-4412"))
        report = artifacts.put("report.md", "10s\n", source="node:summarize", claim_ids=[claim.id])
        assert report.claim_ids == (claim.id,)
        assert claims.journal_mode == artifacts.journal_mode == "wal"
    with SQLiteMemoryStore(path) as claims, SQLiteArtifactStore(path) as artifacts:
        assert [each.object for each in claims.current("auth-service")] == ["10s"]
        assert [each.name for each in artifacts.all_artifacts()] == ["report.md"]
        assert artifacts.read_text(report) == "10s\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["memory.sqlite", "memory.sqlite.blobs"]


def test_a_path_means_the_same_file_wherever_the_process_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SQLiteArtifactStore("m.sqlite") as store:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert store.read(store.put("a", b"bytes", source="s")) == b"bytes"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["elsewhere", "m.sqlite", "m.sqlite.blobs"]


def test_bytes_that_are_gone_or_changed_are_not_handed_out(tmp_path: Path) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        artifact = store.put("a", "bytes", source="s")
        store.blob_path(artifact).write_bytes(b"other")
        with pytest.raises(
            StoreError, match="holds other bytes than artifact 'a' did, a copy of the file would be right"
        ):
            store.read(artifact)
        store.blob_path(artifact).unlink()
        with pytest.raises(FileNotFoundError, match="the bytes of artifact 'a' are gone: "):
            store.read(artifact)
        store.put("again", "bytes", source="s")
        assert store.read(artifact) == b"bytes"


def test_bytes_that_were_damaged_are_whole_once_they_are_put_again(tmp_path: Path) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        artifact = store.put("a", "bytes", source="s")
        store.blob_path(artifact).write_bytes(b"other")
        assert len(b"other") == artifact.size
        store.put("again", "bytes", source="s")
        assert store.read(artifact) == b"bytes"


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664])
def test_who_may_read_the_store_may_read_its_bytes(tmp_path: Path, mode: int) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        (tmp_path / "m.sqlite").chmod(mode)
        artifact = store.put("a", "bytes", source="s")
        assert stat.S_IMODE(store.blob_path(artifact).stat().st_mode) == mode


def test_what_ends_between_bytes_and_record_leaves_bytes_alone(tmp_path: Path) -> None:
    with SQLiteArtifactStore(tmp_path / "m.sqlite") as store:
        with pytest.raises(KeyError):
            store.put("a", "bytes", source="s", parents=["nobody"])
        assert store.all_artifacts() == []
        assert len([path for path in (tmp_path / "m.sqlite.blobs").rglob("*") if path.is_file()]) == 1


def test_what_was_produced_is_worded_newest_first(store: SQLiteArtifactStore) -> None:
    assert render_artifacts(store) == "No artifacts recorded."
    old = store.put("report.md", "one", source="node:summarize", run_id="run-12", node="summarize")
    new = store.put("report.md", "three", source="node:summarize", run_id="run-37", node="summarize")
    evil = store.put("../../etc/pass\nwd", b"not a path", source="node:evil")
    made_by = "source: node:summarize, run: run-{0}, node: summarize"
    lines = [
        f"- {evil.id} ../../etc/pass wd (application/octet-stream, 10 bytes) [source: node:evil]",
        f"- {new.id} report.md (text/plain; charset=utf-8, 5 bytes) [{made_by.format(37)}]",
        f"- {old.id} report.md (text/plain; charset=utf-8, 3 bytes) [{made_by.format(12)}]",
    ]
    header = "Artifacts (id \u00b7 name \u00b7 provenance):"
    assert render_artifacts(store).splitlines() == [header, *lines[:2]]
    assert render_artifacts(store, latest_only=False).splitlines() == [header, *lines]
    assert render_artifacts(store, names=["report.md"]).splitlines() == [header, lines[1]]
    assert render_artifacts(store, run_id="run-12").splitlines() == [header, lines[2]]
    assert render_artifacts(store, max_artifacts=1).splitlines() == [header, lines[0], "- (+1 more artifacts omitted)"]


def test_a_store_of_claims_knows_nothing_of_artifacts_methods() -> None:
    assert not isinstance(MemoryStore(), ArtifactStore)
