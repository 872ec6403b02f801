"""The policy document: what may happen."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from grapharc.spec.documents.graph import BudgetModel
from grapharc.spec.documents.typed import Head, Remarks
from grapharc.spec.documents.words import CLOSED, Amount, Count, Filled, Name, OneOrMore, Rows, SomeTexts, table
from grapharc.spec.frozen import field, frozen

Effect: TypeAlias = Literal["allow", "ask", "deny"]
Answer: TypeAlias = Literal["allow", "deny"]
Resource: TypeAlias = Literal["edge", "flow", "node", "path", "spend", "tool"]
Basis: TypeAlias = Literal["call", "cumulative"]


@frozen(kw_only=True)
class DefaultModel:
    """What a request gets that no rule matches, by resource."""

    __pydantic_config__ = CLOSED
    __short__: ClassVar[str] = "*"

    node: Answer = "deny"
    """For nodes."""
    edge: Answer = "deny"
    """For edges."""
    tool: Answer = "deny"
    """For tools: kinds that an agent may hold, as nodes and where an agent holds them."""


@frozen(kw_only=True)
class LimitsModel(BudgetModel):
    """Ceilings that no graph may exceed, whatever its own budget says."""

    max_nodes: Count | None = None
    """The most nodes, those of subgraphs included."""
    max_depth: Count | None = None
    """The most levels of graphs within one another; a graph without subgraphs has one."""


@frozen(kw_only=True)
class RuleModel(Remarks):
    """One rule of an owner."""

    id: Name
    """The rule's name, which decisions quote."""
    effect: Effect
    """What a matching request gets; every deny is looked at before every ask, every ask before every allow."""
    resource: Resource
    """What the rule is about; one over ``path``, ``flow`` or ``spend`` denies or asks."""
    match: OneOrMore
    """Globs over kinds, ``capability:NAME`` or ``label:NAME``, for spend ``role:NAME`` too; between two ends
    ``SOURCE -> TARGET``; one or a list."""
    when: Filled | None = None
    """The condition under which the rule decides, over ``args``, ``inputs``, ``node``, ``graph`` and ``tenant``."""
    unless_via: OneOrMore | None = None
    """Kinds of which one must stand on every way (``path``) or pass the data on (``flow``), selected like ends."""
    implicit: bool | None = None
    """Whether what a branch condition reveals counts as a flow; it does when left out."""
    over_usd: Amount | None = None
    """The usd above which a spend rule decides."""
    basis: Basis | None = None
    """Whether ``over_usd`` bounds one call or all of a run together (``cumulative``, also when left out)."""
    reason: str = ""
    """Why, for those whom the rule stops."""
    tenant: OneOrMore | None = None
    """Globs over the tenants for whom the rule holds, one or a list; all when left out."""
    approver_role: Name | None = None
    """The role whose people may approve what an ``ask`` holds."""


@frozen(kw_only=True)
class PolicyModel(Head):
    """A policy document."""

    name: str = ""
    """What the policy is called in decisions."""
    default: DefaultModel = field(default_factory=DefaultModel)
    """What a request gets that no rule matches: one answer, or one for each resource."""
    tenants: SomeTexts | None = None
    """All tenants there are; every rule's ``tenant`` must be able to match one of them."""
    limits: LimitsModel = field(default_factory=LimitsModel)
    """Ceilings that no graph may exceed."""
    rule: Rows[RuleModel] = field(default_factory=table)
    """The rules, in order."""
