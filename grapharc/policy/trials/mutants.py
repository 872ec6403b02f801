"""A policy goes in; the policy with one thing broken comes out, rule by rule, always in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grapharc.policy.owner.policy import BETWEEN_ENDS, ONLY_RESTRICTS, Ceilings, Policy, Rule
from grapharc.policy.owner.selectors import EdgeSelector, Glob, Selector, ends_spelt, spelt
from grapharc.spec.documents.graph import CEILINGS
from grapharc.spec.documents.policy import Effect
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import Budget
from grapharc.spec.memo import Memo

_ANY = Glob("*")


@frozen
class Mutant:
    """A policy with one thing broken. ``rule`` is None where that is a limit or the default."""

    policy: Policy
    rule: Rule | None
    change: str
    place: Place


def mutants(policy: Policy) -> Iterator[Mutant]:
    """Yield every way in which a policy is broken: each rule in each of its parts, the limits, the defaults."""
    for number, rule in enumerate(policy.rules):
        rest = policy.rules[:number], policy.rules[number + 1 :]
        yield Mutant(replace(policy, rules=(*rest[0], *rest[1])), rule, "dropped", rule.place)
        for changed, change, key in _changes(rule):
            broken = replace(policy, rules=(*rest[0], changed, *rest[1]))
            yield Mutant(broken, rule, change, rule.part(key))
    for name, ceilings, change in _limits(policy.ceilings):
        yield Mutant(replace(policy, ceilings=ceilings), None, change, Place(policy.path, ("limits", name)))
    for resource, answer in sorted(policy.defaults.items()):
        other: Effect = "deny" if answer == "allow" else "allow"
        broken = replace(policy, defaults={**policy.defaults, resource: other})
        place = Place(policy.path, ("default",))
        yield Mutant(broken, None, f"the default for {resource}: {answer} -> {other}", place)


def _changes(rule: Rule) -> Iterator[tuple[Rule, str, str]]:
    for effect in _OTHER[rule.effect]:
        if not (effect == "allow" and rule.resource in ONLY_RESTRICTS):
            yield replace(rule, effect=effect), f"effect: {rule.effect} -> {effect}", "effect"
    yield from _matches(rule)
    yield from _whens(rule)
    if rule.tenants:
        yield replace(rule, tenants=()), "tenant: dropped", "tenant"
    if rule.approver_role:
        yield replace(rule, approver_role=""), f"approver_role: '{rule.approver_role}' dropped", "approver_role"
    for number, via in enumerate(rule.unless_via):
        rest = (*rule.unless_via[:number], *rule.unless_via[number + 1 :])
        yield replace(rule, unless_via=rest), f"unless_via: '{spelt(via)}' dropped", "unless_via"
    if rule.resource in ("path", "flow") and _ANY not in rule.unless_via:
        yield replace(rule, unless_via=(*rule.unless_via, _ANY)), "unless_via: '*' added", "unless_via"
    if rule.resource == "flow":
        other = "false" if rule.implicit else "true"
        yield replace(rule, implicit=not rule.implicit), f"implicit: {other}", "implicit"
    if rule.resource == "spend":
        yield from _amounts(rule)


_OTHER: dict[Effect, tuple[Effect, ...]] = {"deny": ("allow", "ask"), "ask": ("allow", "deny"), "allow": ("deny",)}


def _matches(rule: Rule) -> Iterator[tuple[Rule, str, str]]:
    """Each pattern left out, if there are others, and each end of each made to match everything."""
    if rule.resource in BETWEEN_ENDS:
        for number, edge in enumerate(rule.edges):
            if len(rule.edges) > 1:
                fewer = (*rule.edges[:number], *rule.edges[number + 1 :])
                yield replace(rule, edges=fewer), f"match: '{ends_spelt(edge)}' dropped", "match"
            for wider in _wider(edge):
                more = (*rule.edges[:number], wider, *rule.edges[number + 1 :])
                yield replace(rule, edges=more), f"match: '{ends_spelt(edge)}' -> '{ends_spelt(wider)}'", "match"
        return
    for number, node in enumerate(rule.nodes):
        if len(rule.nodes) > 1:
            fewer_nodes = (*rule.nodes[:number], *rule.nodes[number + 1 :])
            yield replace(rule, nodes=fewer_nodes), f"match: '{spelt(node)}' dropped", "match"
        if node != _ANY:
            more_nodes: Sequence[Selector] = (*rule.nodes[:number], _ANY, *rule.nodes[number + 1 :])
            yield replace(rule, nodes=tuple(more_nodes)), f"match: '{spelt(node)}' -> '*'", "match"


def _wider(edge: EdgeSelector) -> Iterator[EdgeSelector]:
    if edge.source != _ANY:
        yield EdgeSelector(_ANY, edge.target)
    if edge.target != _ANY:
        yield EdgeSelector(edge.source, _ANY)


def _whens(rule: Rule) -> Iterator[tuple[Rule, str, str]]:
    if not rule.when:
        return
    yield replace(rule, when="", condition=None), "when: dropped", "when"
    text = f"!({rule.when})"
    tree, _ = parse_expression(text, Memo())
    if tree is not None:
        yield replace(rule, when=text, condition=tree), f"when: {text}", "when"


def _amounts(rule: Rule) -> Iterator[tuple[Rule, str, str]]:
    for times in (2.0, 0.5):
        amount = rule.over_usd * times if rule.over_usd else times
        if amount != rule.over_usd:
            change = f"over_usd: {_shown(rule.over_usd)} -> {_shown(amount)}"
            yield replace(rule, over_usd=amount), change, "over_usd"
    other = "call" if rule.basis == "cumulative" else "cumulative"
    yield replace(rule, basis=other), f"basis: {rule.basis} -> {other}", "basis"


def _limits(ceilings: Ceilings) -> Iterator[tuple[str, Ceilings, str]]:
    """Each limit dropped, twice as high and half as high."""
    for holder, names in ((ceilings, ("max_nodes", "max_depth")), (ceilings.budget, CEILINGS)):
        for name in names:
            amount: int | float | None = getattr(holder, name)
            for other in () if amount is None else (None, *_other_amounts(amount)):
                changed = replace(holder, **{name: other})
                said = "dropped" if amount is None or other is None else f"{_shown(amount)} -> {_shown(other)}"
                yield (
                    name,
                    replace(ceilings, budget=changed) if isinstance(changed, Budget) else changed,
                    f"limits: {name}: {said}",
                )


def _other_amounts(amount: int | float) -> Iterator[int | float]:
    half = amount // 2 if isinstance(amount, int) else amount / 2
    yield from (other for other in (amount * 2 or 1, half) if other != amount)


def _shown(amount: float) -> str:
    return f"{amount:.10g}"
