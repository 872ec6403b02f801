"""The approvals of a project, ``grapharc.approvals.toml``: which changes somebody agreed to, and until when."""

from __future__ import annotations

from grapharc.spec.documents.typed import Head
from grapharc.spec.documents.words import CLOSED, Filled, Rows, table
from grapharc.spec.frozen import field, frozen


@frozen(kw_only=True)
class ApprovalModel:
    """One change that somebody agreed to."""

    __pydantic_config__ = CLOSED

    change: Filled
    """The digest of the change, as `grapharc gate` prints it."""
    document: str = ""
    """The document in which the change is."""
    says: str = ""
    """What the change is, for people."""
    who: Filled
    """Who agreed."""
    why: Filled
    """Why it is right."""
    until: Filled
    """The last day on which the approval counts, as `2027-03-01`."""


@frozen(kw_only=True)
class ApprovalsModel(Head):
    """The approvals of a project."""

    approval: Rows[ApprovalModel] = field(default_factory=table)
    """The approvals."""
