"""Policies go in; the tenants they serve come out, and whether a request may come without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy, Rule
from grapharc.spec.expressions.reads import names_read
from grapharc.spec.finding import Finding, Place
from grapharc.spec.suggest import suggest


def served_tenants(policies: Sequence[Policy]) -> tuple[str, ...]:
    """Return, sorted, the tenants that a check judges: those that every policy with a list serves.

    Where that is nobody they are all that some policy serves, each of whom another refuses.
    """
    lists = [policy.tenants for policy in policies if policy.tenants is not None]
    if not lists:
        return (DEFAULT_TENANT,)
    everybody = {tenant for served in lists for tenant in served}
    by_all = {tenant for tenant in everybody if all(tenant in served for served in lists)}
    return tuple(sorted(by_all or everybody))


def needs_tenant(policies: Sequence[Policy]) -> bool:
    """Tell whether a run must say for whom it is: a policy lists tenants, or denies or asks some of them only."""
    return any(
        policy.tenants is not None or any(rule.effect != "allow" and _is_scoped(rule) for rule in policy.rules)
        for policy in policies
    )


def _is_scoped(rule: Rule) -> bool:
    """Whether a rule is for some tenants only, by its ``tenant`` or by what its ``when`` reads."""
    return bool(rule.tenants) or (rule.condition is not None and "tenant" in names_read(rule.condition))


def check_tenant(policies: Sequence[Policy], tenant: str | None) -> Iterator[Finding]:
    """Yield a finding for each policy that does not serve a tenant."""
    who = tenant or DEFAULT_TENANT
    for policy in policies:
        if policy.tenants is not None and not policy.serves(who):
            known = tuple(sorted(policy.tenants))
            values = {"tenant": who, "policy": policy.title, "known": known, "suggestion": suggest(who, known)}
            yield Finding("tenant_not_served", Place(policy.path, ("tenants",)), values, subject=who)
