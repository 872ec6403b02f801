"""Policies and a request go in; what each of them answers comes out, and which of its rules matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from grapharc.policy.owner.conditions import Conditions
from grapharc.policy.owner.policy import BETWEEN_ENDS, Decision, Policy, Rule
from grapharc.policy.owner.selectors import Glob, HasLabel, HasRole, Selector
from grapharc.policy.owner.selects import selects
from grapharc.policy.owner.table import Sentinel, Table, settle
from grapharc.policy.trials.question import Request
from grapharc.spec.flow.amounts import is_above
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Offer


@frozen
class Match:
    """A rule whose pattern matches a request; ``holds`` says whether its ``when`` does, None if only a run knows."""

    rule: Rule
    holds: bool | None


class Policies:
    """Policies that are asked many things: tables are made once for each tenant, conditions once for each kind."""

    def __init__(self, policies: Sequence[Policy], offers: Mapping[str, Offer]) -> None:
        self.policies = tuple(policies)
        self._conditions = Conditions(offers, policies)
        self._tables: dict[str | None, tuple[Table, ...]] = {}

    def decide(self, request: Request) -> tuple[Decision, ...]:
        """Return what every policy answers, in order. One that does not serve the tenant denies."""
        return tuple(self._decide(table, request) for table in self.tables(request.tenant))

    def tables(self, tenant: str | None) -> tuple[Table, ...]:
        """Return a table of each policy for a tenant."""
        if tenant not in self._tables:
            self._tables[tenant] = tuple(Table(policy, tenant) for policy in self.policies)
        return self._tables[tenant]

    def matching(self, table: Table, request: Request) -> Sequence[Match]:
        """Return the rules whose patterns match a request, in the order in which they decide."""
        offer = request.offer
        is_tool = request.resource in ("node", "tool") and offer is not None and offer.kind.tool
        rules = table.rules("node", "tool") if is_tool else table.rules(request.resource)
        return [Match(rule, self._holds(request, rule)) for rule in rules if _matches(rule, request)]

    def _decide(self, table: Table, request: Request) -> Decision:
        if not table.policy.serves(request.tenant):
            return Decision("deny", table.policy, None)
        holds = partial(self._holds, request)
        first, last = request.ends[0], request.ends[-1]
        match request.resource:
            case "node" if not isinstance(first, str):
                return table.node(first, holds)
            case "tool" if not isinstance(first, str):
                return table.tool(first, holds)
            case "edge":
                return table.edge(first, last, holds)
            case resource:
                rules = [rule for rule in table.rules(resource) if _matches(rule, request)]
                return settle(rules, Decision("allow", table.policy, None), holds)

    def _holds(self, request: Request, rule: Rule) -> bool | None:
        if rule.resource == "spend":
            amount = request.usd if rule.basis == "call" else request.spent + request.usd
            if not is_above(amount, rule.over_usd):
                return False
        # Of spend a condition reads no arguments, so it is one for all kinds.
        offer = request.offer if request.resource in ("node", "tool") else None
        return self._conditions.holds(rule, offer, request.situation)


def _matches(rule: Rule, request: Request) -> bool:
    if rule.resource not in BETWEEN_ENDS:
        return any(_takes(selector, rule, request.ends[0], request) for selector in rule.nodes)
    source, target = request.ends
    return any(
        _takes(edge.source, rule, source, request) and _takes(edge.target, rule, target, request) for edge in rule.edges
    ) and not _lets_pass(rule, request)


def _takes(selector: Selector, rule: Rule, subject: Offer | Sentinel, request: Request) -> bool:
    match selector:
        case HasRole(name):
            return name == request.role
        case HasLabel(name) if rule.resource == "flow" and name in request.labels:
            return True
        case Glob(pattern) if rule.resource == "path" and isinstance(subject, str):
            return pattern == subject
        case _:
            return selects(selector, subject, rule.effect)


def _lets_pass(rule: Rule, request: Request) -> bool:
    """Tell whether something stands on the way that the rule wants there; the ends of a path count.

    That is a permission: as an allow does, it looks at the name in use.
    """
    passed = (*request.ends, *request.via) if rule.resource == "path" else request.via
    return any(selects(via, each, "allow") for via in rule.unless_via for each in passed)
