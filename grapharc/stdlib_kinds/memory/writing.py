"""What is asserted, corrected and put goes in, in one transaction; operations and what follows from them come out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from grapharc.stdlib_kinds.memory.artifact import Artifact, artifact_body
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.fold import ASSERT, CLOSE, PUT, Fold
from grapharc.stdlib_kinds.memory.log import Log
from grapharc.stdlib_kinds.memory.rows import COLUMNS, FROM, as_recorded, body_of, claim_of


class Writing:
    """One transaction: what is asserted in it is recorded and folded at once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._log = Log(connection)
        self._fold = Fold(connection)

    def add(self, claim: Claim) -> Claim:
        """Store a claim unless it is stored already."""
        if self._is_known(claim.id):
            return self._known(claim)
        self._require_current(claim)
        body = body_of(claim)
        op = self._log.append(ASSERT, body)
        self._fold.apply(op, body)
        return as_recorded(claim, op.hlc)

    def add_many(self, claims: Iterable[Claim]) -> list[Claim]:
        """Store claims, which are read again only when all are stored."""
        self._fold.together = True
        stored: dict[str, Claim] = {}
        found: list[Claim] = []
        for claim in claims:
            if claim.id in stored:
                self._fold.settle()
            one = self.add(claim)
            stored[one.id] = one
            found.append(one)
        self._fold.together = False
        self._fold.settle()
        return found

    def supersede(self, old_id: str, new: Claim) -> Claim:
        """Close one claim in favour of another, which is stored unless it is."""
        self._require_correctable(old_id, new)
        stored = self.add(new)
        if stored.superseded_by is not None:
            wrong = f"claim '{new.id}' was itself superseded by '{stored.superseded_by}'"
            raise ValueError(f"{wrong}, a correction that is current would be right")
        body = {"id": old_id, "kind": "superseded", "successor": new.id, "valid_to": new.valid_from}
        op = self._log.append(CLOSE, body)
        self._fold.apply(op, body)
        return stored

    def keep(self, sha: str, data: bytes) -> None:
        """Keep an artifact's bytes in the database itself."""
        self._connection.execute("insert or ignore into blob values (?, ?)", (sha, data))

    def put(self, artifact: Artifact) -> None:
        """Record that an artifact was produced. Its parents must be there, and its id must not."""
        for parent in artifact.parents:
            if not self._has_artifact(parent):
                raise KeyError(f"unknown artifact '{parent}'")
        if self._has_artifact(artifact.id):
            raise ValueError(f"artifact '{artifact.id}' is there already, another id would be right")
        body = artifact_body(artifact)
        self._fold.apply(self._log.append(PUT, body), body)

    def finish(self) -> None:
        """Write what was put off."""
        self._fold.finish()

    def _require_correctable(self, old_id: str, new: Claim) -> None:
        old = self._find(old_id)
        if old is None:
            raise KeyError(f"unknown claim '{old_id}'")
        if old.superseded_by is not None:
            raise ValueError(f"claim '{old_id}' was already superseded by '{old.superseded_by}'")
        if new.id == old_id:
            raise ValueError(
                f"claim '{old_id}' cannot supersede itself \u2014 a correction is a new claim with its own id, "
                "so the old one survives to be pointed at"
            )

    def _require_current(self, claim: Claim) -> None:
        if claim.superseded_by is not None:
            wrong = f"claim '{claim.id}' says that '{claim.superseded_by}' has superseded it"
            raise ValueError(f"{wrong}, adding it as current and then calling supersede would be right")

    def _has_artifact(self, artifact_id: str) -> bool:
        return self._connection.execute("select 1 from artifact where id = ?", (artifact_id,)).fetchone() is not None

    def _is_known(self, claim_id: str) -> bool:
        return self._connection.execute("select 1 from claim where id = ?", (claim_id,)).fetchone() is not None

    def _known(self, claim: Claim) -> Claim:
        known = self._find(claim.id)
        if known is None or body_of(known) != body_of(claim):
            right = "a correction is a new claim with its own id, handed to supersede"
            raise ValueError(f"claim '{claim.id}' is stored with other content already, {right}")
        return known

    def _find(self, claim_id: str) -> Claim | None:
        row = self._connection.execute(f"select {COLUMNS} from {FROM} where c.id = ?", (claim_id,)).fetchone()
        return None if row is None else claim_of(row)
