"""A policy as the judge reads it: rules with their selectors parsed, defaults, ceilings, and whose text it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from grapharc.policy.owner.selectors import EdgeSelector, Selector
from grapharc.spec.document import Text
from grapharc.spec.documents.policy import Basis, Effect, Resource
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import field, frozen
from grapharc.spec.globs import matches
from grapharc.spec.linked import Budget

RESOURCES: Mapping[str, Resource] = {resource: resource for resource in sorted(get_args(Resource))}
"""Every resource by its text."""

BETWEEN_ENDS: frozenset[Resource] = frozenset({"edge", "path", "flow"})
"""The resources whose rules match ``SOURCE -> TARGET``; those of the others match one kind."""

ONLY_RESTRICTS: frozenset[Resource] = frozenset({"flow", "path", "spend"})
"""The resources that are let pass where no rule says otherwise, so that there is nothing to allow."""

TIERS: tuple[Effect, ...] = ("deny", "ask", "allow")
"""The order in which effects are looked for, and their strictness."""

DEFAULT_TENANT = "default"
"""The tenant of a request that names none."""


@frozen
class Rule:
    """One rule. ``tenants`` are globs; none means every tenant.

    A rule over nodes, tools or spend holds ``nodes``, one over edges, paths or flows ``edges``. ``place`` is that of
    its id; :meth:`part` gives those of its other keys.
    """

    id: str
    effect: Effect
    resource: Resource
    nodes: tuple[Selector, ...]
    edges: tuple[EdgeSelector, ...]
    tenants: tuple[str, ...]
    reason: str
    approver_role: str
    place: Place
    unless_via: tuple[Selector, ...] = ()
    """Of a rule over paths or flows, what must stand on every way."""
    implicit: bool = True
    """Of a rule over flows, whether what a branch condition reveals is one."""
    over_usd: float = 0.0
    """Of a rule over spend, the usd above which it decides."""
    basis: Basis = "cumulative"
    """Of a rule over spend, whether that bounds one call or a run."""
    when: str = ""
    """The text of the condition under which it decides."""
    condition: Expression | None = None
    """Its tree; None without one, and where the text is none."""

    def concerns(self, tenant: str) -> bool:
        """Tell whether it is a rule for a tenant."""
        return not self.tenants or any(matches(pattern, tenant) for pattern in self.tenants)

    def part(self, *keys: str | int) -> Place:
        """Return the place of another key of the rule, such as ``when``."""
        return Place(self.place.document, (*self.place.path[:-1], *keys))


@frozen
class Ceilings:
    """What no graph under a policy may exceed; None where the policy does not say."""

    max_nodes: int | None = None
    max_depth: int | None = None
    budget: Budget = field(default=Budget())


@frozen
class Policy:
    """A policy document, compiled. A resource that ``defaults`` leaves out is denied.

    ``findings`` are those of reading and opening it: with an error among them it admits nothing.
    """

    name: str
    version: str
    digest: str
    rules: tuple[Rule, ...]
    defaults: Mapping[Resource, Effect]
    ceilings: Ceilings
    tenants: tuple[str, ...] | None
    text: Text
    findings: tuple[Finding, ...]

    @property
    def path(self) -> str:
        """The path that the policy is shown under."""
        return self.text.source.path

    @property
    def title(self) -> str:
        """What messages call the policy: its name, else its path."""
        return self.name or self.path

    def serves(self, tenant: str | None) -> bool:
        """Tell whether it was written for a tenant, None being the one of a request that names none."""
        return self.tenants is None or (tenant or DEFAULT_TENANT) in self.tenants

    def default(self, resource: Resource) -> Effect:
        """Return what it answers where no rule decides."""
        return "allow" if resource in ONLY_RESTRICTS else self.defaults.get(resource, "deny")


@frozen
class Decision:
    """What one policy answers to one request, and by which rule; by its default where ``rule`` is None.

    ``pending`` are rules of which only the run knows whether they hold. The answer is then the mildest that there can
    be, and they are what may make it another.
    """

    effect: Effect
    policy: Policy
    rule: Rule | None
    pending: tuple[Rule, ...] = ()


def strictest(decisions: Iterable[Decision]) -> Decision:
    """Return the strictest of several answers, which is the one that counts; of equal ones the first."""
    return min(decisions, key=lambda decision: TIERS.index(decision.effect))
