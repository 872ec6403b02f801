"""The policy document: what may happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from grapharc.spec.documents.typed import Head, Remarks
from grapharc.spec.documents.words import CLOSED, Each, Filled, Name, One, Rows, Within, table

Effect: TypeAlias = Literal["allow", "ask", "deny"]
Answer: TypeAlias = Literal["allow", "deny"]
Resource: TypeAlias = Literal["edge", "node"]


@dataclass(frozen=True, kw_only=True)
class DefaultModel:
    """What a request gets that no rule matches, by resource."""

    __pydantic_config__ = CLOSED

    node: Answer = "deny"
    """For nodes."""
    edge: Answer = "deny"
    """For edges."""


@dataclass(frozen=True, kw_only=True)
class RuleModel(Remarks):
    """One rule of an owner."""

    id: Name
    """The rule's name, which decisions quote."""
    effect: Effect
    """What a matching request gets; every deny is looked at before every ask, every ask before every allow."""
    resource: Resource
    """What the rule is about."""
    match: Annotated[tuple[Filled, ...], Within(least=1), One()]
    """Globs over kinds, ``capability:NAME`` or ``label:NAME``; on edges ``SOURCE -> TARGET``; one or a list."""
    reason: str = ""
    """Why, for those whom the rule stops."""
    tenants: Annotated[tuple[Filled, ...], Within(least=1)] | None = None
    """The tenants for whom the rule holds; all when left out."""
    approver_role: Name | None = None
    """The role whose people may approve what an ``ask`` holds."""


@dataclass(frozen=True, kw_only=True)
class PolicyModel(Head):
    """A policy document."""

    name: str = ""
    """What the policy is called in decisions."""
    default: Annotated[DefaultModel, Each()] = field(default_factory=DefaultModel)
    """What a request gets that no rule matches: one answer, or one for each resource."""
    tenants: Annotated[tuple[Filled, ...], Within(least=1)] | None = None
    """All tenants there are; every rule's tenants must be among them."""
    rule: Rows[RuleModel] = field(default_factory=table)
    """The rules, in order."""
