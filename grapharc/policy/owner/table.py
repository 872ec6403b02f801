"""A policy and a tenant go in; a table that answers requests about kinds comes out.

Each pattern is one bit, the strictest tier's first rule the lowest. A kind is matched against every pattern once; from
then on a node is decided by the lowest bit of its kind's mask, and an edge by the lowest bit that its two ends share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from grapharc.policy.owner.policy import DEFAULT_TENANT, TIERS, Decision, Effect, Policy, Resource, Rule
from grapharc.policy.owner.selectors import Glob, HasCapability, HasLabel, HasRole, Selector
from grapharc.spec.globs import matches
from grapharc.spec.offers import Offer

Sentinel: TypeAlias = str
"""``__start__`` or ``__end__``, which an edge may join beside kinds."""


class Table:
    """What a policy answers for one tenant. Decisions are found once for each kind or pair of kinds."""

    def __init__(self, policy: Policy, tenant: str | None) -> None:
        self.policy = policy
        applying = [rule for rule in policy.rules if _concerns(rule, tenant or DEFAULT_TENANT)]
        self._nodes = _Column(
            [(rule, rule.effect, selector) for rule in _by_tier(applying, "node") for selector in rule.nodes]
        )
        pairs = [(rule, edge) for rule in _by_tier(applying, "edge") for edge in rule.edges]
        self._sources = _Column([(rule, rule.effect, edge.source) for rule, edge in pairs])
        self._targets = _Column([(rule, rule.effect, edge.target) for rule, edge in pairs])
        self._by_node: dict[str, Decision] = {}
        self._by_edge: dict[tuple[str, str], Decision] = {}

    def node(self, offer: Offer) -> Decision:
        """Decide whether a kind may be a node."""
        known = self._by_node.get(offer.name)
        if known is None:
            known = self._by_node[offer.name] = self._decide("node", self._nodes, self._nodes.mask(offer))
        return known

    def edge(self, source: Offer | Sentinel, target: Offer | Sentinel) -> Decision:
        """Decide whether an edge may lead from one kind or sentinel to another."""
        pair = (_name(source), _name(target))
        known = self._by_edge.get(pair)
        if known is None:
            shared = self._sources.mask(source) & self._targets.mask(target)
            known = self._by_edge[pair] = self._decide("edge", self._sources, shared)
        return known

    def _decide(self, resource: Resource, column: _Column, mask: int) -> Decision:
        if mask:
            rule = column.rules[(mask & -mask).bit_length() - 1]
            return Decision(rule.effect, self.policy, rule)
        return Decision(self.policy.defaults.get(resource, "deny"), self.policy, None)


class _Column:
    """The selectors of one resource, or of one end of it, in the order in which they decide."""

    def __init__(self, rows: Sequence[tuple[Rule, Effect, Selector]]) -> None:
        self.rules = [rule for rule, _, _ in rows]
        self._rows = rows
        self._masks: dict[str, int] = {}

    def mask(self, subject: Offer | Sentinel) -> int:
        name = _name(subject)
        known = self._masks.get(name)
        if known is None:
            bits = (1 << bit for bit, (_, effect, row) in enumerate(self._rows) if _selects(row, subject, effect))
            known = self._masks[name] = sum(bits)
        return known


def _by_tier(rules: Sequence[Rule], resource: Resource) -> list[Rule]:
    return sorted((rule for rule in rules if rule.resource == resource), key=lambda rule: TIERS.index(rule.effect))


def _concerns(rule: Rule, tenant: str) -> bool:
    return not rule.tenants or any(matches(pattern, tenant) for pattern in rule.tenants)


def _selects(selector: Selector, subject: Offer | Sentinel, effect: Effect) -> bool:
    match selector:
        case Glob():
            return any(matches(selector.pattern, name) for name in _names(subject, effect))
        case HasCapability():
            return not isinstance(subject, str) and selector.name in subject.capabilities
        case HasLabel():
            return not isinstance(subject, str) and selector.name in subject.labels
        case HasRole():
            return False  # a role is what a node is given, not what its kind is


def _names(subject: Offer | Sentinel, effect: Effect) -> tuple[str, ...]:
    """An alias must not slip past a deny, nor borrow what was allowed to the kind behind it."""
    if isinstance(subject, str):
        return (subject,)
    return (subject.name,) if effect == "allow" else (subject.kind.name, subject.name)


def _name(subject: Offer | Sentinel) -> str:
    return subject if isinstance(subject, str) else subject.name
