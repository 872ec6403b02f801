"""What an agent produced goes in; a record of it comes out: its name, the hash of its bytes, where it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.claim import new_id, require_text
from grapharc.stdlib_kinds.memory.times import iso, micros, now_iso

TEXT, BYTES = "text/plain; charset=utf-8", "application/octet-stream"
_PARENT, _CLAIM = "parent", "claim"


@frozen(kw_only=True)
class Artifact:
    """A version of something that was produced. ``parents`` are ids of artifacts, ``claim_ids`` of claims it rests on.

    ``name`` is what somebody called it, matched exactly and never a path. Raises ValueError for a blank name or source.
    """

    name: str
    sha256: str
    size: int
    media_type: str
    source: str
    id: str = field(default_factory=new_id)
    created_at: str = field(default_factory=now_iso)
    run_id: str | None = None
    node: str | None = None
    parents: tuple[str, ...] = ()
    claim_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what could not be attributed."""
        require_text("an artifact", "the name", self.name)
        if not self.source or not self.source.strip():
            why = "an artifact with no provenance cannot be attributed after the fact"
            raise ValueError(f"artifact '{self.name}' needs a source \u2014 {why}")
        for what, value in (("source", self.source), ("id", self.id), ("media_type", self.media_type)):
            require_text(f"artifact '{self.name}'", what, value)

    @property
    def blob_key(self) -> tuple[str, str]:
        """Under which folder and file name the bytes are kept: by their hash, whatever the name."""
        return blob_key(self.sha256)


def blob_key(sha: str) -> tuple[str, str]:
    """Return the folder and the file name of the bytes of a hash: many folders, so that none grows large."""
    return sha[:2], sha


def artifact_body(artifact: Artifact) -> Mapping[str, Json]:
    """Return what an operation records of an artifact."""
    body: dict[str, Json] = {
        "id": artifact.id,
        "name": artifact.name,
        "sha256": artifact.sha256,
        "size": artifact.size,
        "media_type": artifact.media_type,
        "source": artifact.source,
        "created_at": artifact.created_at,
        "parents": artifact.parents,
        "claim_ids": artifact.claim_ids,
    }
    more = {"run_id": artifact.run_id, "node": artifact.node}
    return {**body, **{name: value for name, value in more.items() if value is not None}}


def artifact_rows(n: int, body: Mapping[str, Any]) -> tuple[tuple[Any, ...], list[tuple[int, str, int, str]]]:
    """Return the rows of the tables ``artifact`` and ``artifact_link`` for what operation ``n`` recorded."""
    row = (
        n,
        body["id"],
        body["name"],
        body["sha256"],
        body["media_type"],
        body["size"],
        micros(body["created_at"], "created_at"),
        body["source"],
        body.get("run_id"),
        body.get("node"),
    )
    ends = ((_PARENT, body["parents"]), (_CLAIM, body["claim_ids"]))
    return row, [(n, kind, place, target) for kind, targets in ends for place, target in enumerate(targets)]


def artifact_of(row: tuple[Any, ...], links: Iterable[tuple[str, str]]) -> Artifact:
    """Make an artifact of a row, and of the kinds and targets of its links in their order."""
    _, name, called, sha, media, size, created, source, run, node = row
    ends = list(links)
    return Artifact(
        id=name,
        name=called,
        sha256=sha,
        media_type=media,
        size=size,
        created_at=iso(created),
        source=source,
        run_id=run,
        node=node,
        parents=tuple(target for kind, target in ends if kind == _PARENT),
        claim_ids=tuple(target for kind, target in ends if kind == _CLAIM),
    )
