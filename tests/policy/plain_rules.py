"""Policies, kinds and graphs that are made up go in; what the rules say of them, looked at one by one, comes out.

This is FORMATS.md's section on policies written down a second time, as plainly as can be: no table, no masks, no
expressions. What only the run knows is tried in every way that makes a difference: whether a path lies beneath ``in/``,
and of what a model gives to a kind that is held, the level and the note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from grapharc.spec.json_value import Json

CAPABILITIES = ["network", "read_files", "write_files"]
TENANTS = ["default", "acme", "acme-eu"]
ORDER = ["deny", "ask", "allow"]
KINDS = ["node", "tool"]


@dataclass
class Kind:
    """A kind as a registry offers it. All but the plain one take a level, a note and a path."""

    name: str
    alias: str
    capabilities: list[str]
    labels: list[str]
    tool: bool = False
    plain: bool = False
    role: str = ""
    holds: bool = False
    usd: float = 0.0

    def names(self, effect: str) -> list[str]:
        return [self.alias] if effect == "allow" else [self.name, self.alias]


@dataclass
class Node:
    """A node, with all that a rule may ask about it. ``beneath`` is None where only the run knows."""

    name: str
    kind: Kind
    level: int | None = None
    note: str | None = None
    beneath: bool | None = None
    rounds: int = 1
    items: int = 1
    timeout: int | None = None
    held: list[Kind] = field(default_factory=list["Kind"])

    @property
    def usd(self) -> float:
        own = float(self.level or 2) if self.kind.role else self.kind.usd
        return own + sum(kind.usd for kind in self.held)


@dataclass
class Request:
    """Something that is asked for, and all that is known of it."""

    node: Node | None
    kind: Kind | None
    tenant: str
    nodes: list[Node]
    level: int | None = None
    note: str | None = None
    beneath: bool = False


def _of_node(ask: Callable[[Node], object]) -> Callable[[Request, str], bool]:
    def holds(request: Request, effect: str) -> bool:
        assert request.node is not None
        return bool(ask(request.node))

    return holds


def _level(request: Request, _: str) -> bool:
    assert request.kind is not None
    return not request.kind.plain and (2 if request.level is None else request.level) > 2


def _note(request: Request, _: str) -> bool:
    assert request.kind is not None
    return not request.kind.plain and request.note == "x"


def _path(request: Request, _: str) -> bool:
    return request.kind is not None and not request.kind.plain and request.beneath


def _named(request: Request, effect: str) -> bool:
    return request.node is not None and "a.read" in request.node.kind.names(effect)


def _any_capability(request: Request, _: str) -> bool:
    return any("network" in kind.capabilities for node in request.nodes for kind in (node.kind, *node.held))


def _own_capability(request: Request, _: str) -> bool:
    assert request.node is not None
    return any("network" in kind.capabilities for kind in (request.node.kind, *request.node.held))


def _own_labels(request: Request, _: str) -> bool:
    assert request.node is not None
    return any(kind.labels for kind in (request.node.kind, *request.node.held))


def _failing(_: Request, effect: str) -> bool:
    return effect != "allow"


WHENS: dict[str, Callable[[Request, str], bool]] = {
    "tenant == 'acme'": lambda request, _: request.tenant == "acme",
    "graph.node_count > 2": lambda request, _: len(request.nodes) > 2,
    "'network' in graph.capabilities": _any_capability,
    "[1][graph.node_count] == 1": _failing,
    "node.in_loop": _of_node(lambda node: node.rounds > 1),
    "node.in_map": _of_node(lambda node: node.items > 1),
    "node.timeout_seconds != null && node.timeout_seconds > 5": _of_node(lambda node: (node.timeout or 0) > 5),
    "'network' in node.capabilities": _own_capability,
    "size(node.labels) > 0": _own_labels,
    "node.kind == 'a.read'": _named,
    "has(args.level) && args.level > 2": _level,
    "has(args.note) && args.note == 'x'": _note,
    "has(args.note)": lambda request, _: (
        request.kind is not None and not request.kind.plain and request.note is not None
    ),
    "has(inputs.path) && inputs.path.startsWith('in/')": _path,
    "node.in_loop && has(inputs.path) && inputs.path.startsWith('in/')": lambda request, effect: (
        request.node is not None and request.node.rounds > 1 and _path(request, effect)
    ),
}
"""Each text of a ``when``, and what it means."""

OF_GRAPH = [text for text in WHENS if not re.search(r"node\.|args|inputs", text)]
OF_SPEND = [text for text in WHENS if not re.search(r"args|inputs", text)]


def glob(pattern: str, name: str) -> bool:
    words = "".join(".*" if letter == "*" else "." if letter == "?" else re.escape(letter) for letter in pattern)
    return re.fullmatch(words, name, re.DOTALL) is not None


def selects(selector: str, kind: Kind | str, effect: str, node: Node | None = None) -> bool:
    prefix, colon, name = selector.partition(":")
    if isinstance(kind, str):
        return not colon and glob(selector, kind)
    if prefix == "role" and colon:
        return node is not None and node.kind.role == name
    if colon:
        return name in (kind.capabilities if prefix == "capability" else kind.labels)
    return any(glob(selector, each) for each in kind.names(effect))


def listed(value: Json) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [] if value is None else [str(value)]


def concerns(rule: dict[str, Json], tenant: str) -> bool:
    return "tenant" not in rule or any(glob(pattern, tenant) for pattern in listed(rule["tenant"]))


def holds(rule: dict[str, Json], request: Request) -> bool:
    return "when" not in rule or WHENS[str(rule["when"])](request, str(rule["effect"]))


def rules_in_order(policy: dict[str, Json], tenant: str) -> Iterator[dict[str, Json]]:
    rules = policy["rule"]
    assert isinstance(rules, list)
    for effect in ORDER:
        for rule in rules:
            assert isinstance(rule, dict)
            if rule["effect"] == effect and concerns(rule, tenant):
                yield rule


def default(policy: dict[str, Json], resource: str) -> str:
    given = policy.get("default", {})
    return given if isinstance(given, str) else str(given.get(resource, "deny")) if isinstance(given, dict) else "deny"


def all_about_kind(policy: dict[str, Json], resource: str, requests: list[Request]) -> set[tuple[str, str | None]]:
    """Decide a request in all ways in which rules that hold in some of its completions and not in others may hold."""
    rules = [
        rule for rule in rules_in_order(policy, requests[0].tenant) if "when" in rule and rule["resource"] in KINDS
    ]
    truths = [sorted({holds(rule, request) for request in requests}) for rule in rules]
    names = [str(rule["id"]) for rule in rules]
    ways = (dict(zip(names, way, strict=True)) for way in product(*truths))
    return {about_kind(policy, resource, requests[0], way) for way in ways}


def about_kind(
    policy: dict[str, Json], resource: str, request: Request, assumed: dict[str, bool] | None = None
) -> tuple[str, str | None]:
    """Decide a node's or a tool's request; which conditions hold may be assumed."""
    kind = request.kind
    assert kind is not None
    looked_at = {"node", "tool"} if kind.tool else {"node"}
    for rule in rules_in_order(policy, request.tenant):
        effect = str(rule["effect"])
        matches = any(selects(each, kind, effect) for each in listed(rule["match"]))
        if rule["resource"] not in looked_at or not matches:
            continue
        if holds(rule, request) if assumed is None else assumed.get(str(rule["id"]), True):
            return effect, str(rule["id"])
    return default(policy, resource), None


def about_edge(policy: dict[str, Json], one: Kind | str, other: Kind | str, request: Request) -> tuple[str, str | None]:
    """Decide an edge."""
    for rule in rules_in_order(policy, request.tenant):
        effect = str(rule["effect"])
        for match in listed(rule["match"]) if rule["resource"] == "edge" else []:
            source, target = (end.strip() for end in match.split("->"))
            if selects(source, one, effect) and selects(target, other, effect) and holds(rule, request):
                return effect, str(rule["id"])
    return default(policy, "edge"), None


def about_spend(
    policy: dict[str, Json], node: Node, nodes: Sequence[Node], tenant: str
) -> tuple[str, str | None, bool]:
    """Decide spend on a node: what is certain, by which rule, and whether something is left to the run."""
    left = False
    for rule in rules_in_order(policy, tenant):
        effect, over = str(rule["effect"]), rule.get("over_usd")
        if rule["resource"] != "spend" or not isinstance(over, int | float):
            continue
        governed = [
            each
            for each in nodes
            if any(
                selects(match, kind, effect, each)
                for match in listed(rule["match"])
                for kind in (each.kind, *each.held)
            )
            and holds(rule, Request(each, each.kind, tenant, list(nodes)))
        ]
        if node not in governed:
            continue
        if node.usd > over:
            return effect, str(rule["id"]), left
        if rule.get("basis") != "call" and node.usd and sum(n.usd * n.rounds * n.items for n in governed) > over:
            left = True
    return "allow", None, left


# What is made up.


def some_kinds(random: Random) -> list[Kind]:
    kinds: list[Kind] = []
    for name in ["a.read", "a.write", "b.send", "b.plain", "c.ask", "c.agent"]:
        alias = f"as_{name[2:]}" if random.random() < 0.3 else name
        capabilities = random.sample(CAPABILITIES, random.randint(0, 2))
        labels = ["untrusted"] if random.random() < 0.3 else []
        kind = Kind(name, alias, capabilities, labels, tool=name[0] == "a" or name == "b.plain")
        kind.plain, kind.holds = name == "b.plain", name == "c.agent"
        kind.usd = 1.5 if name == "a.write" else 0.0
        if name == "c.ask":
            kind.role, kind.capabilities = "writer", ["model", *capabilities]
        kinds.append(kind)
    return kinds


def some_nodes(random: Random, kinds: list[Kind]) -> list[Node]:
    nodes: list[Node] = []
    for number in range(random.randint(1, 4)):
        kind = random.choice(kinds)
        node = Node(f"n{number}", kind)
        if not kind.plain:
            node.level = random.choice([None, 1, 2, 3, 4])
            node.note = random.choice([None, "x", "y"])
            node.beneath = random.choice([True, False, None, None])
        if random.random() < 0.2:
            node.items = 3
        if random.random() < 0.3:
            node.timeout = random.choice([3, 9])
        if kind.holds:
            tools = [each for each in kinds if each.tool]
            node.held = random.sample(tools, random.randint(0, len(tools)))
        nodes.append(node)
    if len(nodes) > 1 and random.random() < 0.4:
        first = random.randrange(len(nodes) - 1)
        for node in nodes[first : first + 2]:
            node.rounds = 3
    return nodes


SELECTORS = ["a.*", "b.*", "*", "a.read", "c.?gent", "as_*", "c.ask", "capability:network", "label:untrusted", "*e*"]


def some_rule(random: Random, number: int) -> dict[str, Json]:
    resource = random.choice(["node", "node", "tool", "edge", "spend"])
    rule: dict[str, Json] = {"id": f"r{number}", "resource": resource, "effect": random.choice(ORDER)}
    rule["match"] = _some(random, SELECTORS)
    whens = list(WHENS)
    if resource == "edge":
        ends = [*SELECTORS, "__start__", "__end__", "__*"]
        rule["match"] = _some(random, [f"{random.choice(ends)} -> {random.choice(ends)}" for _ in range(3)])
        whens = OF_GRAPH
    if resource == "spend":
        rule |= {"effect": random.choice(["deny", "ask"]), "over_usd": random.choice([1, 2.5, 3, 8, 20])}
        rule["match"] = _some(random, [*SELECTORS, "role:writer", "role:other"])
        if random.random() < 0.7:
            rule["basis"] = random.choice(["call", "cumulative"])
        whens = OF_SPEND
    if random.random() < 0.5:
        rule["when"] = random.choice(whens)
    elif "args" in "".join(whens) and random.random() < 0.4:
        rule["when"] = next(text for text in WHENS if text.startswith("has(inputs.path)"))
    if random.random() < 0.2:
        rule["tenant"] = random.choice(["acme", "acme*", ["default", "acme-eu"]])
    return rule


def _some(random: Random, values: Sequence[str]) -> Json:
    return random.choice(values) if random.random() < 0.7 else [random.choice(values) for _ in range(2)]


def some_policy(random: Random, number: int) -> dict[str, Json]:
    policy: dict[str, Json] = {
        "name": f"p{number}",
        "rule": [some_rule(random, each) for each in range(random.randint(0, 8))],
    }
    if random.random() < 0.9:
        resources = ["node", "edge", "tool"]
        some = {each: random.choice(["allow", "deny"]) for each in resources if random.random() < 0.7}
        policy["default"] = random.choice(["allow", "allow", "deny", dict[str, Json](some)])
    return policy
