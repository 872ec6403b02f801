"""What is asserted, corrected and put goes in, in one transaction; operations and what follows from them come out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.memory.artifact import Artifact, artifact_body
from grapharc.stdlib_kinds.memory.citation import Citation, citation_body
from grapharc.stdlib_kinds.memory.claim import Claim
from grapharc.stdlib_kinds.memory.fold import ASSERT, CITE, CLOSE, PUT, Fold
from grapharc.stdlib_kinds.memory.log import Log
from grapharc.stdlib_kinds.memory.rows import COLUMNS, FROM, as_recorded, body_of, claim_of, text_of

_AT_ONCE = 500


class Writing:
    """One transaction: what is asserted in it is recorded and folded at once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._log = Log(connection)
        self._fold = Fold(connection)

    def add(self, claim: Claim) -> Claim:
        """Store a claim unless it is stored already."""
        return self.add_many([claim])[0]

    def add_many(self, claims: Iterable[Claim]) -> list[Claim]:
        """Store claims, which can be read again when all are stored."""
        stored: set[str] = set()
        found: list[Claim] = []
        waiting = iter(claims)
        while some := list(islice(waiting, _AT_ONCE)):
            stored |= self._known_ids([claim.id for claim in some])
            for claim in some:
                if claim.id in stored:
                    self._fold.settle()
                    found.append(self._known(claim))
                else:
                    self._require_current(claim)
                    stored.add(claim.id)
                    found.append(self._assert(claim))
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
        self._record(CLOSE, body)
        return stored

    def cite(self, claim_id: str, citation: Citation) -> None:
        """Record what a claim rests on, unless that is recorded: the same words of the same text, under one name."""
        ask = """select 1 from citation s join claim c on c.rid = s.claim
            where c.id = ? and s.quote = ? and s.source = ? and s.source_sha256 = ? and s.standing = ?"""
        said = (claim_id, citation.quote, citation.source, citation.source_sha256, citation.standing)
        if not self._known_ids([claim_id]):
            raise KeyError(f"unknown claim '{claim_id}'")
        if self._connection.execute(ask, said).fetchone() is None:
            self._record(CITE, citation_body(claim_id, citation))

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
        self._record(PUT, artifact_body(artifact))

    def finish(self) -> None:
        """Write what was put off."""
        self._log.flush()
        self._fold.finish()

    def _assert(self, claim: Claim) -> Claim:
        body = body_of(claim)
        n, hlc = self._log.append(ASSERT, text_of(body))
        self._fold.apply(ASSERT, n, hlc, body)
        return as_recorded(claim, hlc)

    def _record(self, verb: str, body: Mapping[str, Json]) -> None:
        n, hlc = self._log.append(verb, canonical(body))
        self._fold.apply(verb, n, hlc, body)

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

    def _known_ids(self, ids: Sequence[str]) -> set[str]:
        ask = f"select id from claim where id in ({', '.join('?' * len(ids))})"
        return {name for (name,) in self._connection.execute(ask, ids)}

    def _known(self, claim: Claim) -> Claim:
        known = self._find(claim.id)
        if known is None or body_of(known) != body_of(claim):
            right = "a correction is a new claim with its own id, handed to supersede"
            raise ValueError(f"claim '{claim.id}' is stored with other content already, {right}")
        return known

    def _find(self, claim_id: str) -> Claim | None:
        row = self._connection.execute(f"select {COLUMNS} from {FROM} where c.id = ?", (claim_id,)).fetchone()
        return None if row is None else claim_of(row)
