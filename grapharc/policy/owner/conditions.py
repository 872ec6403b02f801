"""A rule's ``when`` and a kind go in; whether the rule holds in a situation comes out, or that only the run knows.

Whatever fails with all values at hand counts against the request: a deny or an ask then holds, an allow does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from grapharc.policy.owner.policy import Policy, Rule
from grapharc.policy.owner.scope import Scope, open_scope, scope_of
from grapharc.policy.owner.selects import selects
from grapharc.policy.owner.situation import ROOTS, Need, Situation
from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.expressions.reads import names_read
from grapharc.spec.expressions.rewrite import rewrite
from grapharc.spec.expressions.syntax import Expression, Name, Select
from grapharc.spec.finding import Finding, Related
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.offers import Offer, Registry
from grapharc.spec.types import BOOLEAN, bare, show


@frozen
class Condition:
    """A ``when``, compiled for one kind: the values that it reads, and what comes of them."""

    needs: tuple[Need, ...]
    evaluate: Callable[[Mapping[str, object]], object]

    def outcome(self, situation: Situation) -> bool | str | None:
        """Return what it comes to in a situation; None where only the run knows, "" where it fails."""
        values, is_open = situation.values(self.needs)
        try:
            outcome = self.evaluate(values)
        except EvaluationError:
            return None if is_open else ""
        return outcome if isinstance(outcome, bool) else ""


class Conditions:
    """The conditions of all rules, each compiled once for each kind that it is asked about."""

    def __init__(self, offers: Mapping[str, Offer], policies: Sequence[Policy]) -> None:
        self._offers = [offers[name] for name in sorted(offers) if not offers[name].kind.is_graph]
        self._policies = policies
        self._tenants = {id(rule): policy.tenants for policy in policies for rule in policy.rules}
        self._matched: dict[int, list[Offer]] = {}
        self._known: dict[tuple[int, object], _Compiled] = {}

    def holds(self, rule: Rule, offer: Offer | None, situation: Situation) -> bool | None:
        """Tell whether a rule's ``when`` holds for a kind in a situation; None where only the run knows."""
        if not rule.when:
            return True
        condition = self._compiled(rule, offer).condition
        if condition is None:  # it is reported, and nothing is admitted under its policy
            return rule.effect != "allow"
        kinds = situation.kinds if rule.effect != "allow" else situation.kinds[:1]
        outcomes = {condition.outcome(situation.of_kind(kind) if kind else situation) for kind in kinds or ("",)}
        if rule.effect != "allow":
            outcomes = {True if outcome == "" else outcome for outcome in outcomes}
        return True if True in outcomes else None if None in outcomes else False

    def is_broken(self, rule: Rule, offer: Offer | None) -> bool:
        """Tell whether a rule's ``when`` cannot be evaluated as written for a kind."""
        return bool(rule.when) and self._compiled(rule, offer).condition is None

    def findings(self, graph_offers: Iterable[Offer] = ()) -> Iterator[Finding]:
        """Yield what is wrong with each ``when`` for the kinds that its rule matches; of several the first."""
        graphs = [offer for offer in graph_offers if offer.kind.is_graph]
        for policy in self._policies:
            for rule in policy.rules:
                told: set[object] = set()
                for offer in (*self._kinds_of(rule), *(offer for offer in graphs if matches_kind(rule, offer))):
                    for fault in self._compiled(rule, offer).faults:
                        if (fault.code, fault.span) not in told:
                            told.add((fault.code, fault.span))
                            yield _finding(rule, fault, offer)

    def _kinds_of(self, rule: Rule) -> Sequence[Offer]:
        if id(rule) not in self._matched:
            looks = rule.condition is not None and rule.resource in ("node", "tool")
            self._matched[id(rule)] = [offer for offer in self._offers if matches_kind(rule, offer)] if looks else []
        return self._matched[id(rule)]

    def _compiled(self, rule: Rule, offer: Offer | None) -> _Compiled:
        """Each subgraph has the ports of its own graph: what is known of one holds for all that have the same."""
        is_graph = offer is not None and offer.kind.is_graph
        ports = tuple((name, port.type) for name, port in offer.kind.reads.items()) if offer and is_graph else ()
        key = id(rule), ports if is_graph else id(offer)
        if key not in self._known:
            tenants = self._tenants[id(rule)]
            if offer is None or rule.resource not in ("node", "tool"):
                scope = open_scope(rule.resource, tenants)
            else:
                scope = scope_of(rule.resource, offer, self._kinds_of(rule), tenants)
            self._known[key] = _Compiled(offer, *compiled(rule, scope))
        return self._known[key]


@frozen
class _Compiled:
    """What came of a ``when`` for an offer, which is kept so that nothing else can be taken for it."""

    offer: Offer | None
    condition: Condition | None
    faults: Sequence[ExpressionFault]


class _Recent:
    """The conditions of some registries and policies, which the graphs of one check share: first in, first out.

    Safe to use from many threads.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[tuple[int, ...], tuple[object, Conditions]] = {}
        self._lock = threading.Lock()

    def of(self, registry: Registry, policies: Sequence[Policy]) -> Conditions:
        key = id(registry), *map(id, policies)
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= self._most:
                    del self._kept[next(iter(self._kept))]
                # What is kept with them keeps its identity.
                self._kept[key] = (registry, tuple(policies)), Conditions(registry.offers, policies)
            return self._kept[key][1]


conditions_of = _Recent(4).of


def compiled(rule: Rule, scope: Scope) -> tuple[Condition | None, Sequence[ExpressionFault]]:
    """Type a rule's ``when`` and compile it; None and the faults where it cannot be evaluated as written.

    That ``json`` is only looked at when it is there is nothing against it: what fails counts against the request.
    """
    if rule.condition is None:
        return None, ()
    checked, found = check(rule.condition, rule.when, scope.types, None, scope.absent)
    faults = [fault for fault in found if fault.code != "expression_dynamic"]
    if checked is not None and not is_open(checked.type) and bare(checked.type) != BOOLEAN:
        values = {"expression": rule.when, "found": show(checked.type)}
        faults.append(ExpressionFault("condition_not_boolean", rule.condition.span, values))
    if checked is None or faults:
        return None, faults
    names: dict[str, Need] = {}
    flat = rewrite(checked.tree, partial(_flat, names))
    reads = tuple(names.get(name, Need(name, name)) for name in names_read(flat))
    return Condition(reads, compile_expression(replace(checked, tree=flat, reads=tuple(n.name for n in reads)))), ()


def _flat(names: dict[str, Need], node: Expression) -> Expression | None:
    """Make a field of what is read a name of its own."""
    match node:
        case Select(Name(root), field, asks) if root in ROOTS:
            name = f"has {root}.{field}" if asks else f"{root}.{field}"
            names[name] = Need(name, root, field, asks)
            return Name(name, node.span)
        case _:
            return None


def matches_kind(rule: Rule, offer: Offer) -> bool:
    """Tell whether a rule over nodes or tools matches a kind."""
    if rule.resource == "tool" and not offer.kind.tool:
        return False
    return any(selects(selector, offer, rule.effect) for selector in rule.nodes)


def _finding(rule: Rule, fault: ExpressionFault, offer: Offer | None) -> Finding:
    place = replace(rule.part("when"), within=fault.span)
    related = () if offer is None else (Related("matched_kind", offer.kind.place, {"kind": offer.name}),)
    return Finding(fault.code, place, fault.values, subject=rule.id, related=related)


def checked_alone(rule: Rule, tenants: Iterable[str] | None) -> Iterator[Finding]:
    """Yield what is wrong with a rule's ``when`` whatever kinds there are."""
    for fault in compiled(rule, open_scope(rule.resource, tenants))[1]:
        yield _finding(rule, fault, None)
