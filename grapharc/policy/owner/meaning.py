"""A policy document goes in; what its digest covers comes out."""

from __future__ import annotations

from grapharc.spec.documents.policy import PolicyModel, RuleModel
from grapharc.spec.json_value import Json


def policy_meaning(model: PolicyModel) -> Json:
    """Return what a policy's digest covers: all but what only people read."""
    return {
        "name": model.name,
        "version": model.version,
        "default": {"node": model.default.node, "edge": model.default.edge, "tool": model.default.tool},
        "tenants": None if model.tenants is None else sorted(set(model.tenants)),
        "limits": {name: getattr(model.limits, name) for name in _LIMITS},
        "rules": [_rule_meaning(rule) for rule in model.rule.values()],
    }


_LIMITS = (
    "max_concurrency",
    "max_depth",
    "max_iterations",
    "max_nodes",
    "max_seconds",
    "max_tokens",
    "max_usd",
)


def _rule_meaning(rule: RuleModel) -> Json:
    return {
        "id": rule.id,
        "effect": rule.effect,
        "resource": rule.resource,
        "match": list(rule.match),
        "when": rule.when,
        "unless_via": None if rule.unless_via is None else sorted(set(rule.unless_via)),
        "implicit": rule.implicit is not False if rule.resource == "flow" else None,
        "over_usd": rule.over_usd,
        "basis": (rule.basis or "cumulative") if rule.resource == "spend" else None,
        "reason": rule.reason,
        "tenant": None if rule.tenant is None else sorted(set(rule.tenant)),
        "approver_role": rule.approver_role,
    }
