"""What a lint rule looks at: a policy, the registry it stands before if one is known, and questions about requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from grapharc.policy.lint.column import DECIDED_TOGETHER, Column, rows_of
from grapharc.policy.lint.names import name_classes, tenant_names
from grapharc.policy.lint.subjects import Conceivable, Kinds, Offered
from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy, Rule
from grapharc.policy.owner.selectors import Glob
from grapharc.spec.documents.policy import Resource
from grapharc.spec.finding import Finding, Step
from grapharc.spec.json_value import Path
from grapharc.spec.offers import Registry
from grapharc.spec.reasons import reason, severity


class Linting:
    """One policy to be read for what is wrong with it. Raises TooTangled from what compares its globs."""

    def __init__(self, policy: Policy, registry: Registry | None) -> None:
        self.policy = policy
        # What a registry lost to a fault of its own must not be said to be missing from it.
        self.registry = registry if registry is not None and not registry.missing_offers else None
        self._columns: dict[tuple[Resource, str], Column] = {}

    @cached_property
    def conceivable(self) -> Kinds:
        """All kinds that could be written."""
        return Conceivable(_globs(self.policy.rules))

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds that requests are about: those of the registry, else all that could be written."""
        return self.conceivable if self.registry is None else Offered(self.registry)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in which nothing is wrong already."""
        damaged = {_row(finding.place.path) for finding in self._faults}
        return tuple(rule for rule in self.policy.rules if _row(rule.place.path) not in damaged)

    @property
    def is_whole(self) -> bool:
        """Whether no rule or default was lost, so that rules can be compared with all that stand beside them."""
        return not self._faults

    @cached_property
    def tenants(self) -> tuple[str, ...]:
        """The tenants that the policy serves; without a list, one for each way in which rules tell tenants apart."""
        if self.policy.tenants is not None:
            return tuple(sorted(set(self.policy.tenants)))
        patterns = sorted({pattern for rule in self.rules for pattern in rule.tenants})
        if not patterns:
            return (DEFAULT_TENANT,)
        return tuple(each.name for each in name_classes(patterns, tenant_names(patterns)))

    def column(self, resource: Resource, tenant: str) -> Column:
        """Return the rules over a resource that hold for a tenant, in the order in which they decide."""
        first = DECIDED_TOGETHER.get(resource, (resource,))[0]
        key = first, tenant
        if key not in self._columns:
            self._columns[key] = Column(self.concerning(tenant), first, tenant, self.kinds)
        return self._columns[key]

    def columns(self, rule: Rule) -> Iterator[Column]:
        """Yield the column of each tenant for whom a rule holds and in which some request matches it."""
        for tenant in self.tenants:
            if rule.concerns(tenant):
                column = self.column(rule.resource, tenant)
                if any(column.find([number], 0) for number in column.numbers(rule)):
                    yield column

    def concerning(self, tenant: str) -> Sequence[Rule]:
        """Return the rules that hold for a tenant."""
        return [rule for rule in self.rules if rule.concerns(tenant)]

    def is_certain(self, other: Rule, rule: Rule) -> bool:
        """Tell whether a rule decides whenever its pattern matches a request that another rule matches.

        Not so where it has a condition that the other has not.
        """
        return other.when in ("", rule.when) and self.sees_as_much(other, rule)

    def sees_as_much(self, other: Rule, rule: Rule) -> bool:
        """Tell whether a rule lets pass no more than another: up to which amount, on which ways, what is implied."""
        if other.resource == "spend":
            return other.basis == rule.basis and other.over_usd <= rule.over_usd
        if other.resource == "flow" and rule.implicit and not other.implicit:
            return False
        return set(other.unless_via) <= set(rule.unless_via)

    @cached_property
    def _faults(self) -> Sequence[Finding]:
        return [
            finding
            for finding in self.policy.findings
            if severity(finding) == "error" and reason(finding.code).reason_class == "soundness"
        ]


def asked(request: object, tenant: str) -> str:
    """Return a request in words, with the tenant for whom it is."""
    return f"{request}" if tenant == DEFAULT_TENANT else f"{request}, for tenant '{tenant}'"


def witness(text: str) -> tuple[Step, ...]:
    """Return one sentence as a witness."""
    return (Step(text),)


def _globs(rules: Iterable[Rule]) -> Iterator[str]:
    for rule in rules:
        selectors = [selector for row in rows_of(rule) for selector in row.selectors]
        yield from (each.pattern for each in (*selectors, *rule.unless_via) if isinstance(each, Glob))


def _row(path: Path) -> Path:
    return path[:2]
