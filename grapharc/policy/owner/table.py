"""A policy and a tenant go in; a table that answers requests about kinds comes out.

Each pattern is one bit, the strictest tier's first rule the lowest. A kind is matched against every pattern once; from
then on a node is decided by the lowest bit of its kind's mask, and an edge by the lowest bit that its two ends share.
Only rules with a ``when`` that stand before the one that decides are asked again for each request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from grapharc.policy.owner.policy import DEFAULT_TENANT, TIERS, Decision, Policy, Rule
from grapharc.policy.owner.selectors import Selector
from grapharc.policy.owner.selects import Sentinel, selects
from grapharc.spec.documents.policy import Effect, Resource
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Offer

Holds: TypeAlias = "Callable[[Rule], bool | None]"
"""Whether the ``when`` of a rule holds; None where only the run knows."""


def nobody_knows(rule: Rule) -> bool | None:
    """Say of a rule that only the run knows whether it holds."""
    del rule


class Table:
    """What a policy answers for one tenant. What there is to decide is found once for each kind or pair of kinds."""

    def __init__(self, policy: Policy, tenant: str | None) -> None:
        self.policy = policy
        applying = [rule for rule in policy.rules if rule.concerns(tenant or DEFAULT_TENANT)]
        self._applying = sorted(applying, key=lambda rule: TIERS.index(rule.effect))
        self._nodes = self._column(["node"])
        self._tools = self._column(["node", "tool"])
        pairs = [(rule, edge) for rule in self.rules("edge") for edge in rule.edges]
        self._sources = _Column([(rule, rule.effect, edge.source) for rule, edge in pairs])
        self._targets = _Column([(rule, rule.effect, edge.target) for rule, edge in pairs])
        self._by_node: dict[str, Decision | _Course] = {}
        self._by_tool: dict[str, Decision | _Course] = {}
        self._by_edge: dict[tuple[str, str], Decision | _Course] = {}

    def rules(self, *resources: Resource) -> Sequence[Rule]:
        """Return the rules over some resources that concern the tenant, in the order in which they decide."""
        return [rule for rule in self._applying if rule.resource in resources]

    def node(self, offer: Offer, holds: Holds = nobody_knows) -> Decision:
        """Decide whether a kind may be a node. Rules over tools govern those that are tools as well."""
        known = self._by_node.get(offer.name)
        if known is None:
            column = self._tools if offer.kind.tool else self._nodes
            known = self._by_node[offer.name] = self._course("node", column, column.mask(offer))
        return known if isinstance(known, Decision) else known.decide(holds)

    def tool(self, offer: Offer, holds: Holds = nobody_knows) -> Decision:
        """Decide whether a kind may be used as a tool. Rules over nodes govern that as well."""
        known = self._by_tool.get(offer.name)
        if known is None:
            known = self._by_tool[offer.name] = self._course("tool", self._tools, self._tools.mask(offer))
        return known if isinstance(known, Decision) else known.decide(holds)

    def edge(self, source: Offer | Sentinel, target: Offer | Sentinel, holds: Holds = nobody_knows) -> Decision:
        """Decide whether an edge may lead from one kind or sentinel to another."""
        pair = (_name(source), _name(target))
        known = self._by_edge.get(pair)
        if known is None:
            shared = self._sources.mask(source) & self._targets.mask(target)
            known = self._by_edge[pair] = self._course("edge", self._sources, shared)
        return known if isinstance(known, Decision) else known.decide(holds)

    def _column(self, resources: Sequence[Resource]) -> _Column:
        return _Column([(rule, rule.effect, each) for rule in self.rules(*resources) for each in rule.nodes])

    def _course(self, resource: Resource, column: _Column, mask: int) -> Decision | _Course:
        """Collect the rules to be asked, up to the first that holds whatever is asked, or the default."""
        asked: list[Rule] = []
        while mask:
            lowest = mask & -mask
            rule = column.rules[lowest.bit_length() - 1]
            if not rule.when:
                last = Decision(rule.effect, self.policy, rule)
                return _Course(tuple(asked), last) if asked else last
            if not asked or asked[-1] is not rule:  # the bits of one rule stand together
                asked.append(rule)
            mask ^= lowest
        last = Decision(self.policy.default(resource), self.policy, None)
        return _Course(tuple(asked), last) if asked else last


@frozen
class _Course:
    """Rules that decide if their ``when`` holds, in order, and the answer if none does."""

    asked: tuple[Rule, ...]
    last: Decision

    def decide(self, holds: Holds) -> Decision:
        return settle(self.asked, self.last, holds)


def settle(asked: Iterable[Rule], last: Decision, holds: Holds) -> Decision:
    """Ask rules in order: the first whose ``when`` holds decides, and the ``last`` answer stands if none does.

    What only the run knows is left pending, and the answer is the mildest that it may come to.
    """
    pending: list[Rule] = []
    for rule in asked:
        outcome = holds(rule)
        if outcome:
            last = Decision(rule.effect, last.policy, rule)
            break
        if outcome is None:
            pending.append(rule)
    return _mildest(last, pending)


def _mildest(last: Decision, pending: Sequence[Rule]) -> Decision:
    if last.effect == "deny" and last.rule is not None:
        return last  # what is pending could only deny before it
    if last.effect == "deny":
        milder = [rule for effect in ("allow", "ask") for rule in pending if rule.effect == effect]
        return Decision(milder[0].effect, last.policy, milder[0], tuple(pending)) if milder else last
    relevant = tuple(rule for rule in pending if rule.effect != "allow")
    return Decision(last.effect, last.policy, last.rule, relevant) if relevant else last


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
            bits = (1 << bit for bit, (_, effect, row) in enumerate(self._rows) if selects(row, subject, effect))
            known = self._masks[name] = sum(bits)
        return known


def _name(subject: Offer | Sentinel) -> str:
    return subject if isinstance(subject, str) else subject.name
