"""What an agent produced goes in and is kept, version by version; what was produced, and from what, comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol, runtime_checkable

from grapharc.stdlib_kinds.memory.artifact import BYTES, TEXT, Artifact, artifact_of
from grapharc.stdlib_kinds.memory.blobs import blob_path, read_blob, write_blob
from grapharc.stdlib_kinds.memory.claim import new_id
from grapharc.stdlib_kinds.memory.connection import Connection
from grapharc.stdlib_kinds.memory.tables import IN_MEMORY

DEFAULT_MAX_ARTIFACTS = 10
_ORDER = "order by created, id"


@runtime_checkable
class ArtifactStore(Protocol):
    """What every artifact store does."""

    def get(self, artifact_id: str) -> Artifact | None:
        """Return an artifact, None where there is none of that id."""
        ...

    def versions(self, name: str) -> Sequence[Artifact]:
        """Return all that was put under a name, oldest first."""
        ...

    def latest(self, name: str) -> Artifact | None:
        """Return what was put under a name last."""
        ...

    def read(self, artifact: Artifact | str) -> bytes:
        """Return an artifact's bytes."""
        ...

    def by_run(self, run_id: str) -> Sequence[Artifact]:
        """Return what a run produced, oldest first."""
        ...

    def all_artifacts(self) -> Sequence[Artifact]:
        """Return all artifacts, oldest first."""
        ...


class SQLiteArtifactStore(Connection):
    """An artifact store in a file, which may hold claims as well; the bytes are in files beside it."""

    def put(
        self,
        name: str,
        content: str | bytes,
        *,
        source: str,
        media_type: str | None = None,
        run_id: str | None = None,
        node: str | None = None,
        parents: Iterable[str] = (),
        claim_ids: Iterable[str] = (),
        artifact_id: str | None = None,
    ) -> Artifact:
        """Store a new version of what has this name; earlier ones stay.

        The bytes last before the record of them does, so that after a crash there may be bytes that nothing refers to,
        and never a record of bytes that are not there. Raises ValueError for a blank name or source and for an id that
        is taken, KeyError for a parent that is not there.
        """
        data = content.encode() if isinstance(content, str) else content
        artifact = Artifact(
            id=new_id() if artifact_id is None else artifact_id,
            name=name,
            sha256=sha256(data).hexdigest(),
            size=len(data),
            media_type=media_type or (TEXT if isinstance(content, str) else BYTES),
            source=source,
            run_id=run_id,
            node=node,
            parents=tuple(parents),
            claim_ids=tuple(claim_ids),
        )
        if self.path != IN_MEMORY:
            write_blob(self.file, artifact.sha256, data)
        with self.writing() as writing:
            if self.path == IN_MEMORY:
                writing.keep(artifact.sha256, data)
            writing.put(artifact)
        return artifact

    def get(self, artifact_id: str) -> Artifact | None:
        """Return an artifact, None where there is none of that id."""
        found = self._found("id = ?", artifact_id)
        return found[0] if found else None

    def versions(self, name: str) -> list[Artifact]:
        """Return all that was put under exactly this name, oldest first."""
        return self._found("name = ?", name)

    def latest(self, name: str) -> Artifact | None:
        """Return what was put under a name last, None where nothing was."""
        found = self.versions(name)
        return found[-1] if found else None

    def by_run(self, run_id: str) -> list[Artifact]:
        """Return what a run produced, oldest first."""
        return self._found("run_id = ?", run_id)

    def all_artifacts(self) -> list[Artifact]:
        """Return all artifacts, oldest first."""
        return self._found("true")

    def read(self, artifact: Artifact | str) -> bytes:
        """Return the bytes of an artifact, or of an id.

        Raises KeyError for an unknown one, FileNotFoundError where its bytes are gone, StoreError where they changed.
        """
        wanted = artifact if isinstance(artifact, str) else artifact.id
        found = self.get(wanted)
        if found is None:
            raise KeyError(f"unknown artifact '{wanted}'")
        if self.path == IN_MEMORY:
            return self.rows("select data from blob where sha = ?", found.sha256)[0][0]
        return read_blob(self.file, found.sha256, found.name)

    def read_text(self, artifact: Artifact | str) -> str:
        """Return an artifact's bytes as the UTF-8 text that they are."""
        return self.read(artifact).decode()

    def blob_path(self, artifact: Artifact) -> Path:
        """Return the file that holds an artifact's bytes."""
        return blob_path(self.file, artifact.sha256)

    def _found(self, condition: str, *parameters: str) -> list[Artifact]:
        rows = self.rows(f"select * from artifact where {condition} {_ORDER}", *parameters)
        ask = "select kind, target from artifact_link where rid = ? order by kind, place"
        return [artifact_of(row, self.rows(ask, row[0])) for row in rows]


class MemoryArtifactStore(SQLiteArtifactStore):
    """An artifact store that ends with its process: the same tables, in memory, and the bytes in one more."""

    def __init__(self) -> None:
        super().__init__(IN_MEMORY)


def render_artifacts(
    store: ArtifactStore,
    names: Iterable[str] | None = None,
    run_id: str | None = None,
    max_artifacts: int = DEFAULT_MAX_ARTIFACTS,
    *,
    latest_only: bool = True,
) -> str:
    """Word what was produced, newest first, each with its provenance; of each name the latest unless all are asked."""
    wanted = None if names is None else set(names)
    found = [each for each in store.all_artifacts() if wanted is None or each.name in wanted]
    found = [each for each in found if run_id is None or each.run_id == run_id]
    if latest_only:
        found = list({each.name: each for each in found}.values())
    found.sort(key=lambda each: (each.created_at, each.id), reverse=True)
    if not found:
        return "No artifacts recorded."
    lines = ["Artifacts (id \u00b7 name \u00b7 provenance):", *map(_line, found[:max_artifacts])]
    if len(found) > max_artifacts:
        lines.append(f"- (+{len(found) - max_artifacts} more artifacts omitted)")
    return "\n".join(lines)


def _line(artifact: Artifact) -> str:
    origin = {"source": artifact.source, "run": artifact.run_id, "node": artifact.node}
    provenance = ", ".join(f"{name}: {value}" for name, value in origin.items() if value)
    text = f"- {artifact.id} {artifact.name} ({artifact.media_type}, {artifact.size} bytes) [{provenance}]"
    return " ".join(text.splitlines())
