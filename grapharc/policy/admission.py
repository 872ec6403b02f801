"""What was judged, and the verdict: the value that ``admit`` makes and ``compile`` takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.grounds import Grounds
from grapharc.policy.owner.policy import Decision, Policy, Rule
from grapharc.policy.owner.spending import Bound
from grapharc.spec.canonical import digest
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding
from grapharc.spec.flow.facts import Flow
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.meaning import graph_meaning
from grapharc.spec.offers import Capability
from grapharc.spec.reserved import Premises

Verdict: TypeAlias = Literal["admitted", "needs_approval", "refused"]

RULE_SET = "1"
"""The version of the built-in rules: another one may judge the same graph otherwise."""

MADE_BY_ADMIT = object()
"""What ``admit`` shows when it makes an admission; nobody else has business with it."""


@frozen
class Approval:
    """A person who will be asked before each activation of a node, by a rule.

    ``decision`` is what the rule's policy answers; where the rule is among its ``pending``, only the run knows whether
    the person is asked.
    """

    before: str
    role: str
    decision: Decision
    rule: Rule


@frozen(slots=False)
class Admission:
    """What a graph, under policies and for one tenant, may do. Only ``admit`` makes one.

    ``budget`` is the least of all ceilings that somebody set. ``findings`` are those of every stage, in the order of
    their places in ``texts``; ``suppressed`` are lint findings that the document accepts, with a reason. What
    ``rulings`` leave to the run is decided on the same ``grounds``, and by what ``spending`` bounds.
    """

    verdict: Verdict
    graph: LinkedGraph
    registry_digest: str
    policies: tuple[Policy, ...]
    tenant: str
    budget: Budget
    flow: Flow
    capabilities: tuple[Capability, ...]
    labels: tuple[str, ...]
    grounds: Grounds
    rulings: tuple[Ruling, ...]
    spending: tuple[Bound, ...]
    approvals: tuple[Approval, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    texts: Mapping[str, Text]
    premises: Premises
    made_by: object
    """What only ``admit`` has; it is not kept, so that nobody makes another of what is here."""

    def __post_init__(self) -> None:
        if self.made_by is not MADE_BY_ADMIT:
            raise TypeError("an Admission is made by admit() alone")
        object.__setattr__(self, "made_by", None)

    @cached_property
    def graph_digest(self) -> str:
        """The digest of what the graph means; it is made when somebody asks, since few who check do."""
        return digest(graph_meaning(self.graph))
