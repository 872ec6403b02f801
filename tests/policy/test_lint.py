"""What is said of a policy is what trying every request shows: over kinds of a registry, and over all conceivable ones.

The oracle knows nothing of how the linter reasons. It lists kinds, pairs of kinds and tenants, and asks the table that
admission asks.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import pytest

from grapharc.policy.lint.column import Request
from grapharc.policy.lint.covering import cover, decided
from grapharc.policy.lint.lint import lint
from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.names import Alphabet, TooTangled, name_classes
from grapharc.policy.lint.subjects import Subject
from grapharc.policy.owner.policy import Decision, Policy, Rule
from grapharc.policy.owner.selectors import spelt
from grapharc.policy.owner.table import Table
from grapharc.spec.documents.policy import Effect, Resource
from grapharc.spec.frozen import replace
from grapharc.spec.globs import matches
from grapharc.spec.linked import END, START
from grapharc.spec.offers import Capability, Offer, Registry
from tests.policy.offers import NOWHERE, offer, policy, rule
from tests.policy.registries import registry

DEEP = bool(os.environ.get("GRAPHARC_DEEP"))
CASES = 20_000 if DEEP else 1_000
CHUNKS = 4

Ends = tuple[Offer | str, ...]
Asked = tuple[Resource, Ends, str]
Answer = tuple[Effect, str]

CAPABILITIES: tuple[Capability, ...] = ("network", "model")
TENANTS = ["".join(name) for size in (1, 2) for name in product("ab", repeat=size)] + ["abb", "c", "default"]
"""Of each way in which the globs over tenants below can match one, and one that none of them matches."""


def requests(offers: Sequence[Offer], tenants: Sequence[str], *, edges: Sequence[Offer] | None = None) -> list[Asked]:
    """Every node, and every edge from and to a kind or a sentinel, for every tenant."""
    ends = list(offers if edges is None else edges)
    asked: list[Asked] = [("node", (each,), tenant) for each in offers for tenant in tenants]
    asked += [("tool", (each,), tenant) for each in offers for tenant in tenants if each.kind.tool]
    asked += [("edge", pair, tenant) for pair in product([*ends, START], [*ends, END]) for tenant in tenants]
    return asked


class Tried:
    """Every request and what a policy answers to it, asked one by one."""

    def __init__(self, policy: Policy, asked: Sequence[Asked]) -> None:
        self.policy, self.asked = policy, asked
        self._tables = {tenant: Table(policy, tenant) for tenant in {tenant for _, _, tenant in asked}}

    def decides(self, asked: Asked) -> str | None:
        """The id of the rule that decides."""
        decision = self._decision(asked)
        return decision.rule.id if decision.rule else None

    def answer(self, asked: Asked) -> Answer:
        """The effect, and of an ask the role."""
        decision = self._decision(asked)
        return decision.effect, decision.rule.approver_role if decision.rule and decision.effect == "ask" else ""

    def _decision(self, asked: Asked):
        resource, ends, tenant = asked
        table = self._tables[tenant]
        return _ask(table, resource, ends)


def _ask(table: Table, resource: Resource, ends: Ends) -> Decision:
    match resource:
        case "node":
            return table.node(*ends)  # type: ignore[arg-type]
        case "tool":
            return table.tool(*ends)  # type: ignore[arg-type]
        case _:
            return table.edge(*ends)  # type: ignore[call-arg]


TOGETHER: dict[Resource, set[Resource]] = {"node": {"node", "tool"}, "tool": {"node", "tool"}, "edge": {"edge"}}


def matched(one: Rule, asked: Sequence[Asked]) -> set[int]:
    """The requests, by number, that a rule matches: those that it decides where it stands alone."""
    about = TOGETHER[one.resource]
    alone = Tried(policy(one), [each for each in asked if each[0] in about])
    return {number for number, each in enumerate(asked) if each[0] in about and alone.decides(each) == one.id}


def shadowed(tried: Tried) -> dict[str, bool]:
    """Of each rule that matches something, whether it never decides."""
    deciding = {tried.decides(each) for each in tried.asked}
    return {one.id: one.id not in deciding for one in tried.policy.rules if matched(one, tried.asked)}


def redundant(tried: Tried) -> set[str]:
    """The rules that decide something, and without which every answer is the same; a deny by default is another one."""
    deciding = {tried.decides(each) for each in tried.asked}
    alive = [one for one in tried.policy.rules if one.id in deciding]
    answers = [tried.answer(each) for each in tried.asked]
    found: set[str] = set()
    for one in alive:
        fewer = Tried(replace(tried.policy, rules=tuple(r for r in tried.policy.rules if r is not one)), tried.asked)
        mine = [tried.decides(each) == one.id for each in tried.asked]
        bare = any(own and fewer.decides(each) is None for own, each in zip(mine, tried.asked, strict=True))
        if [fewer.answer(each) for each in tried.asked] == answers and not (one.effect == "deny" and bare):
            found.add(one.id)
    return found


def quarrelling(tried: Tried) -> set[tuple[str, str]]:
    """Asks of different roles that share a request which nobody denies, and neither of which contains the other."""
    found: set[tuple[str, str]] = set()
    by_rule = {one.id: matched(one, tried.asked) for one in tried.policy.rules}
    denied = {number for one in tried.policy.rules if one.effect == "deny" for number in by_rule[one.id]}
    asks = [one for one in tried.policy.rules if one.effect == "ask" and one.approver_role]
    for at, first in enumerate(asks):
        for second in asks[at + 1 :]:
            if first.approver_role == second.approver_role:
                continue
            for tenant in {tenant for _, _, tenant in tried.asked}:
                own = {number for number, each in enumerate(tried.asked) if each[2] == tenant}
                one, two = by_rule[first.id] & own, by_rule[second.id] & own
                if (one & two) - denied and one - two and two - one:
                    found.add((first.id, second.id))
    return found


def evadable(tried: Tried, kinds: Sequence[Offer]) -> set[str]:
    """Edge rules between whose ends edges that are not stopped lead, over kinds that are not denied."""
    found: set[str] = set()
    for one in tried.policy.rules:
        if one.resource != "edge" or one.effect == "allow":
            continue
        strict = {"deny": ("deny",), "ask": ("deny", "ask")}[one.effect]
        stops = policy(*(r for r in tried.policy.rules if r.effect in strict), defaults={"edge": "allow"})
        nodes = policy(*(r for r in tried.policy.rules if r.effect == "deny"), defaults={"node": "allow"})
        hits = matched(one, tried.asked)
        for tenant in {tenant for _, _, tenant in tried.asked}:
            table, keeps = Table(stops, tenant), Table(nodes, tenant)
            middle = [kind for kind in kinds if keeps.node(kind).effect == "allow"]
            pairs = [tried.asked[number][1] for number in hits if tried.asked[number][2] == tenant]
            if any(_leads(table, middle, *pair) for pair in pairs):
                found.add(one.id)
    return found


def _leads(table: Table, middle: Sequence[Offer], source: Offer | str, target: Offer | str) -> bool:
    reached = {kind.name for kind in middle if table.edge(source, kind).effect == "allow"}
    while True:
        more = {
            kind.name
            for kind in middle
            if kind.name not in reached
            and any(table.edge(one, kind).effect == "allow" for one in middle if one.name in reached)
        }
        if not more:
            return any(table.edge(one, target).effect == "allow" for one in middle if one.name in reached)
        reached |= more


# Policies and registries by chance


def some_policy(chance: random.Random, *, longest: int) -> Policy:
    """A policy of a few rules over nodes and edges, some of them for some tenants."""
    rules = []
    effects: list[Effect] = chance.choice([["deny", "ask", "allow"], ["deny", "ask", "allow"], ["ask"]])
    for number in range(chance.randint(1, 6)):
        effect: Effect = chance.choice(effects)
        ends = [_pattern(chance, longest) for _ in range(chance.choice([1, 2]))]
        if len(effects) == 1:
            ends = [chance.choice(["a*", "*a", "b*", "*b", "?a"])]
        tenants = chance.choice([(), (), (), ("a*",), ("?b",), ("default", "b"), ("*a",)])
        one = rule(f"r{number}", effect, " -> ".join(ends), tenants)
        if chance.random() < 0.3:
            more = rule("", effect, " -> ".join(_pattern(chance, longest) for _ in ends))
            one = replace(one, nodes=(*one.nodes, *more.nodes), edges=(*one.edges, *more.edges))
        if len(ends) == 1 and chance.random() < 0.3:
            one = replace(one, resource="tool")
        role = chance.choice(["sre", "law"]) if effect == "ask" else ""
        rules.append(replace(one, approver_role=role, place=replace(NOWHERE, path=("rule", number, "id"))))
    answers: list[Effect] = ["deny", "allow"]
    resources: list[Resource] = ["node", "edge", "tool"]
    made = policy(*rules, defaults={each: chance.choice(answers) for each in resources})
    return replace(made, tenants=chance.choice([None, None, ("a", "ab"), ("default",)]))


def _pattern(chance: random.Random, longest: int) -> str:
    if chance.random() < 0.2:
        return chance.choice(["capability:network", "capability:model", "label:l", "*"])
    if chance.random() < 0.08:
        return chance.choice([START, END])
    return "".join(chance.choice("aab*?") for _ in range(chance.randint(1, longest)))


def some_offers(chance: random.Random, most: int) -> list[Offer]:
    """A few kinds, some under an alias, with capabilities and labels."""
    found: dict[str, Offer] = {}
    for _ in range(chance.randint(1, most)):
        name = "".join(chance.choice("ab") for _ in range(chance.randint(1, 3)))
        alias = chance.choice(["", "", "c", "b", "ab"])
        has = [each for each in CAPABILITIES if chance.random() < 0.3]
        one = offer(name, alias, has, ["l"] if chance.random() < 0.3 else [])
        found.setdefault(one.name, as_tool(one) if chance.random() < 0.4 else one)
    return list(found.values())


def as_tool(one: Offer) -> Offer:
    """The same kind as a tool."""
    return replace(one, kind=replace(one.kind, tool=True))


def said(found: Iterable, code: str) -> set[str]:
    """The rules of which a code is said."""
    return {each.subject for each in found if each.code == code}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_over_a_registry_verdicts_are_what_trying_every_request_shows(chunk: int) -> None:
    counted: dict[str, int] = {"policies": 0}
    for seed in range(chunk, CASES, CHUNKS):
        chance = random.Random(seed)
        made = some_policy(chance, longest=3)
        # Rules that only overlap take more kinds to tell apart.
        offers = some_offers(chance, most=4 if any(one.effect != "ask" for one in made.rules) else 10)
        tried = Tried(made, requests(offers, made.tenants or TENANTS))
        found = list(lint(made, registry(offers)))
        dead = shadowed(tried)
        expected = {
            "rule_shadowed": {one for one, is_dead in dead.items() if is_dead},
            "rule_redundant": redundant(tried),
            "approvers_differ": {second for _, second in quarrelling(tried)},
            "edge_rule_evadable": evadable(tried, offers),
        }
        for code, rules in expected.items():
            assert said(found, code) == rules, (seed, code)
            counted[code] = counted.get(code, 0) + len(rules)
        _assert_covers_cover(made, registry(offers), tried, seed)
        counted["policies"] += 1
    print(f"agreed with every request tried: {counted}")


def _assert_covers_cover(made: Policy, offered: Registry | None, tried: Tried, seed: int) -> None:
    """The rules that are said to decide first do so, and none of them could be left out."""
    linting = Linting(made, offered)
    for one in made.rules:
        found = cover(linting, one)
        if found is None:
            continue
        parts = [tuple(r for r in found.rules if r is not left) for left in found.rules] if len(found.rules) > 1 else []
        for rules, is_dead in ((found.rules, True), *((part, False) for part in parts)):
            kept = tuple(r for r in made.rules if r is one or r in rules)
            assert shadowed(Tried(replace(made, rules=kept), tried.asked))[one.id] == is_dead, (seed, one.id)


NAMES = ["".join(name) for size in (1, 2, 3, 4) for name in product("abc", repeat=size)]
SHORT = NAMES[:12]
HAS: list[tuple[list[Capability], list[str]]] = [([], []), (["network"], []), (["model"], []), ([], ["l"])]


def conceived() -> Iterator[Offer]:
    """Kinds by all short names, under some other name too, with all that a policy here can ask for."""
    yield from (offer(name) for name in NAMES)
    for name, alias in product(SHORT, SHORT):
        for caps, labels in HAS if name == alias else HAS[:1]:
            one = offer(name, alias if alias != name else "", caps, labels)
            yield from (one, as_tool(one)) if name == alias else (one,)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_without_a_registry_a_dead_rule_decides_nothing_and_a_live_one_its_witness(chunk: int) -> None:
    nodes = list(conceived())
    ends = [offer(name, "", caps, labels) for name in SHORT for caps, labels in HAS[: 1 if len(name) > 1 else 4]]
    counted = {"policies": 0, "dead": 0, "alive": 0, "matching nothing": 0}
    for seed in range(chunk, CASES, CHUNKS):
        made = some_policy(random.Random(seed), longest=2)
        linting = Linting(made, None)
        for one in made.rules:
            request, covered = decided(linting, one), cover(linting, one)
            assert request is None or covered is None
            if request is not None:
                counted["alive"] += 1
                asked = as_asked(request)
                assert Tried(made, [asked]).decides(asked) == one.id, (seed, one.id, str(request))
            elif covered is not None:
                counted["dead"] += 1
                tenants = linting.tenants
                among = requests(ends, tenants) if one.resource == "edge" else requests(nodes, tenants, edges=[])
                tried = Tried(
                    replace(made, rules=tuple(r for r in made.rules if r is one or r in covered.rules)), among
                )
                about = TOGETHER[one.resource]
                assert not any(each[0] in about and decides(tried, each) == one.id for each in among), seed
            else:
                counted["matching nothing"] += 1
                assert not matched(one, requests(nodes, linting.tenants, edges=ends)), (seed, one.id)
        counted["policies"] += 1
    print(f"agreed with kinds that could be written: {counted}")


def decides(tried: Tried, asked: Asked) -> str | None:
    """What decides; a table remembers kinds by name, and here many share one."""
    resource, ends, tenant = asked
    table = Table(tried.policy, tenant)
    decision = _ask(table, resource, ends)
    return decision.rule.id if decision.rule else None


def as_asked(request: Request) -> Asked:
    """A request of the linter's as one for the table."""

    def end(subject: Subject) -> Offer | str:
        if subject.is_sentinel:
            return subject.name
        has = [spelt(each) for each in subject.has]
        caps = [name for name in CAPABILITIES if f"capability:{name}" in has]
        alias = subject.name if subject.name != subject.kind else ""
        one = offer(subject.kind, alias, caps, ["l"] if "label:l" in has else [])
        return as_tool(one) if subject.is_tool else one

    return request.resource, tuple(map(end, request.ends)), request.tenant


def test_every_way_of_matching_globs_is_found_with_a_name() -> None:
    alphabet = Alphabet("ab", "ab.", 5)
    names = ["".join(name) for size in range(1, 6) for name in product("ab.", repeat=size) if name[0] != "."]
    chance = random.Random(3)
    for _ in range(300):
        globs = ["".join(chance.choice("ab.*?*") for _ in range(chance.randint(1, 5))) for _ in range(4)]

        def read(name: str, globs: Sequence[str] = globs) -> int:
            return sum(1 << number for number, glob in enumerate(globs) if matches(glob, name))

        found: Mapping[str, int] = {each.name: each.matched for each in name_classes(globs, alphabet)}
        assert {name: read(name) for name in found} == found
        assert set(found.values()) == {read(name) for name in names}


def test_globs_that_match_in_too_many_ways_are_given_up() -> None:
    with pytest.raises(TooTangled):
        name_classes([f"*{one}*{two}*" for one in "abcdef" for two in "ghijkl"])
