"""What a gate found: every change with what became of it, the approvals, and the findings that make the answer no."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.policy.admission import Admission
from grapharc.policy.diff.change import Change
from grapharc.policy.resume import Obstacle
from grapharc.spec.document import Text
from grapharc.spec.documents.approvals import ApprovalModel
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen

Fate: TypeAlias = Literal["fails", "approved", "told"]
"""What becomes of a change: it lets the gate fail, somebody agreed to it, or it is only told."""

State: TypeAlias = Literal["used", "self_approved", "expired", "stale", "unused"]
"""What an approval is good for here."""


@frozen
class Told:
    """One change in a document. ``tenants`` are those for whom it is one, none where policies list none.

    ``graphs`` are those that a change of a registry, a policy or the project document is felt in.
    """

    document: str
    change: Change
    digest: str
    tenants: tuple[str, ...]
    graphs: tuple[str, ...]
    fate: Fate
    approval: ApprovalModel | None = None


@frozen
class Approved:
    """One approval, by its index in the document that has it, and its state."""

    index: int
    approval: ApprovalModel
    state: State


@frozen
class GraphPair:
    """A graph on both sides, for the first tenant, with the new names of renamed nodes by the old ones."""

    was: str
    path: str
    old: Admission | None
    new: Admission | None
    renamed: Mapping[str, str]
    obstacles: tuple[Obstacle, ...]

    @property
    def document(self) -> str:
        """The path that the graph goes by."""
        return self.path or self.was

    @property
    def has_changed(self) -> bool:
        """Whether it says something else than it did, or is not there on one side."""
        if self.old is None or self.new is None:
            return True
        return self.old.graph_digest != self.new.graph_digest or self.was != self.path


@frozen
class GateReport:
    """``base`` and ``head`` are what people call the sides, each with its commit, "" for a folder."""

    base: tuple[str, str]
    head: tuple[str, str]
    graphs: tuple[GraphPair, ...]
    changes: tuple[Told, ...]
    approvals: tuple[Approved, ...]
    fail_on: tuple[str, ...]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]
    spent: tuple[int, ...] = ()
    """The indexes of approvals that are good for nothing, and can be taken out."""
    way: str = ""
    """From the repository's folder to the project's, for those who name files from there."""

    def of(self, document: str) -> tuple[Told, ...]:
        """Return the changes of one document."""
        return tuple(told for told in self.changes if told.document == document)

    @property
    def failing(self) -> tuple[Told, ...]:
        """The changes that nobody agreed to, and that somebody must agree to."""
        return tuple(told for told in self.changes if told.fate == "fails")
