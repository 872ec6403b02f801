"""What decisions stand on, and worst cases, go in; what rules over spend answer to each node comes out.

One call is one activation of a node. What it may cost at worst is known before the run, so a rule over calls is decided
then. All calls together are only bounded: where one alone is too dear, or all together never are, that is decided too;
in between it is decided before each activation, by what has been spent until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.grounds import Asker, Grounds
from grapharc.policy.owner.policy import Decision, Policy, Rule
from grapharc.policy.owner.selectors import HasRole
from grapharc.policy.owner.selects import selects
from grapharc.policy.owner.table import Table, settle
from grapharc.spec.finding import Finding, Related, Value
from grapharc.spec.flow.amounts import Amounts, is_above, times
from grapharc.spec.flow.cost import total
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.starts import runs
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.nesting import every_node, within


@frozen
class Bound:
    """A rule over spend with the nodes that it governs, by their whole names; ``worst`` is what one activation of each
    may cost at worst in usd, None where nobody knows, and ``total`` what all of a run may."""

    policy: Policy
    rule: Rule
    nodes: Mapping[str, float | None]
    total: float | None


def bounds(grounds: Grounds, flow: Flow) -> tuple[Bound, ...]:
    """Return each rule over spend that is in force and governs a node."""
    found: list[Bound] = []
    askers = list(grounds.askers()) if any(table.rules("spend") for table in grounds.tables) else []
    for table in grounds.tables:
        for rule in table.rules("spend"):
            governed = _governed(rule, askers, grounds)
            if governed:
                single = {name: _single(flow, name) for name in governed}
                all_of_them = _total(flow, governed.__contains__, "").usd
                found.append(Bound(table.policy, rule, single, all_of_them))
    return tuple(found)


def decide_spend(grounds: Grounds, found: Sequence[Bound]) -> Iterator[Ruling]:
    """Yield what each policy answers to each node that a rule over spend stops or may stop, by kind and name."""
    by_name = {asker.name: asker.node for asker in grounds.askers()} if found else {}
    governed = sorted({name for bound in found for name in bound.nodes}, key=lambda name: _kind_first(by_name[name]))
    for name in governed:
        decisions = tuple(_decision(table, name, found) for table in grounds.tables)
        if any(decision.rule is not None or decision.pending for decision in decisions):
            node = by_name[name]
            worst = next(bound.nodes[name] for bound in found if name in bound.nodes)
            yield Ruling("spend", (node.offer.name,), decisions, nodes=(node,), worst=worst)


def unknown_spend(graph: LinkedGraph, found: Sequence[Bound]) -> Iterator[Finding]:
    """Yield a finding for each node of which nobody knows what it may cost, though a rule bounds that."""
    by_name = {node.name: node for node in every_node(graph)} if found else {}
    roles = graph.registry.roles
    for bound in found:
        told: set[str] = set()
        for name, worst in sorted(bound.nodes.items()):
            node = by_name[name]
            unpriced = [role for role in node.roles if role in roles and roles[role].price is None]
            values: dict[str, Value] = {"ceiling": bound.rule.over_usd, "policy": bound.policy.title}
            rule = Related("rule_here", bound.rule.place)
            if worst is None and not unpriced:
                values |= {"dimension": "usd", "kind": node.offer.name}
                yield Finding("unknown_cost", node.place, values, subject=name, rule=bound.rule.id, related=(rule,))
            for role in unpriced if worst is None else ():
                if role not in told:
                    told.add(role)
                    related = (Related("role_here", roles[role].place), rule)
                    more = {**values, "role": role}
                    yield Finding("unpriced_role", node.place, more, subject=name, rule=bound.rule.id, related=related)


def _decision(table: Table, name: str, found: Sequence[Bound]) -> Decision:
    mine = {id(bound.rule): bound for bound in found if bound.policy is table.policy and name in bound.nodes}
    rules = [rule for rule in table.rules("spend") if id(rule) in mine]
    last = Decision("allow", table.policy, None)
    return settle(rules, last, partial(_crosses, mine, name))


def _crosses(bounds: Mapping[int, Bound], name: str, rule: Rule) -> bool | None:
    """Tell whether a node may cost more than a rule lets pass; None where that depends on what was spent before."""
    bound = bounds[id(rule)]
    single = bound.nodes[name]
    if single is None or is_above(single, rule.over_usd):
        return True  # what is not known is no less than any amount
    if rule.basis == "call" or single == 0:
        return False
    return None if bound.total is None or is_above(bound.total, rule.over_usd) else False


def _governed(rule: Rule, askers: Sequence[Asker], grounds: Grounds) -> list[str]:
    """Return the nodes, no subgraphs, that a rule selects: themselves, by what they hold, or by what they are in."""
    selected = {asker.name for asker in askers if _is_selected(rule, asker.node) and _is_meant(rule, asker, grounds)}
    return [
        asker.name
        for asker in askers
        if asker.node.subgraph is None and any(around in selected for around in _around(asker.name))
    ]


def _is_selected(rule: Rule, node: Node) -> bool:
    return any(
        selector.name in node.roles
        if isinstance(selector, HasRole)
        else any(selects(selector, offer, rule.effect) for offer in (node.offer, *node.held))
        for selector in rule.nodes
    )


def _is_meant(rule: Rule, asker: Asker, grounds: Grounds) -> bool:
    return grounds.conditions.holds(rule, None, grounds.at(asker)) is not False


def _around(name: str) -> Iterator[str]:
    """Yield a node's whole name, and those of the subgraphs that it is in."""
    parts = name.split("/")
    for end in range(len(parts), 0, -1):
        yield "/".join(parts[:end])


def _single(flow: Flow, name: str) -> float | None:
    first, _, rest = name.partition("/")
    return _single(flow.inside[first], rest) if rest else flow.activations[first].usd


def _total(flow: Flow, is_governed: Callable[[str], bool], prefix: str) -> Amounts:
    """Return what the governed nodes may cost at worst in one run; of a subgraph, in one entry."""
    starts: dict[str, Amounts] = {}
    for name, amounts in flow.starts.items():
        whole = within(prefix, name)
        inner = flow.inside.get(name)
        if inner is not None:
            usd = times(_total(inner, is_governed, whole).usd, runs(flow.graph.nodes[name]))
        else:
            usd = amounts.usd if is_governed(whole) else 0
        starts[name] = Amounts(0, usd, 0, 0)
    worst = total(flow.control, starts)
    return Amounts(0, None if "usd" in worst.unknown else worst.known["usd"], 0, 0)


def _kind_first(node: Node) -> tuple[str, str]:
    return node.offer.name, node.name
