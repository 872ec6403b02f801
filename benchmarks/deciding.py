"""Deciding requests under a policy of a thousand rules, on a warm table, beside a plain scan of the same rules."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.bench import Bench, row
from benchmarks.expressions import least
from grapharc.policy.owner.grounds import Grounds
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import TIERS, Decision, Policy, Rule
from grapharc.policy.owner.selects import selects
from grapharc.policy.owner.table import Table
from grapharc.project.files import DiskLoader
from grapharc.spec.flow.facts import facts
from grapharc.spec.frozen import replace
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Offer
from grapharc.spec.read import read_graph, read_policy
from grapharc.spec.registry.open_registry import open_registry

RULES, KINDS = 1_000, 200
BAR = 200_000


def policy() -> Policy:
    """Return a policy of half node and half edge rules over kinds of their own, the last of which allow the rest."""
    lines = ['name = "thousand"\n']
    for number in range(RULES - 2):
        is_edge, effect = number % 2, TIERS[number % 3]
        kind = f"team{number % KINDS}.kind*"
        match = f"{kind} -> team{number % 7}.*" if is_edge else kind
        lines.append(f'[[rule]]\nid = "r{number}"\neffect = "{effect}"\nresource = "{("node", "edge")[is_edge]}"\n')
        lines.append(f'match = "{match}"\n')
    for resource, match in (("node", "*"), ("edge", "* -> *")):
        lines.append(
            f'[[rule]]\nid = "rest-{resource}"\neffect = "allow"\nresource = "{resource}"\nmatch = "{match}"\n'
        )
    return opened_policy("".join(lines))


def opened_policy(text: str) -> Policy:
    """Open a policy that has no faults."""
    opened = open_policy(read_policy(text.encode(), "policy.toml")[0])
    if opened.findings:
        raise RuntimeError(f"the policy has faults: {opened.findings[0]}")
    return opened


def offers() -> list[Offer]:
    """Return kinds of many names."""
    loader = DiskLoader(".")
    one = open_registry(None, loader, Memo())[0].offers["control.pass"]
    names = [f"team{number}.kind{number}" for number in range(KINDS * 2)]
    return [replace(one, name=name, kind=replace(one.kind, name=name)) for name in names]


def scan(rules: Sequence[Rule], policy: Policy, offer: Offer) -> Decision:
    """Decide a node by looking at the rules one by one, tier by tier."""
    for tier in TIERS:
        for rule in rules:
            if rule.effect != tier or rule.resource != "node":
                continue
            if any(selects(selector, offer, rule.effect) for selector in rule.nodes):
                return Decision(rule.effect, policy, rule)
    return Decision("deny", policy, None)


def per_second(table: Table, kinds: Sequence[Offer], *, edges: bool) -> float:
    """Return how many decisions a warm table makes in a second."""
    if edges:
        pairs = [(one, other) for one in kinds[:40] for other in kinds[:40]]
        return len(pairs) / least(lambda _: [table.edge(*pair) for pair in pairs] and None, 5)
    return len(kinds) / least(lambda _: [table.node(kind) for kind in kinds] and None, 50)


def asked_per_second(rules: int) -> float:
    """Return how many decisions are made in a second about a node that each of several conditions is asked about."""
    text = 'default = "allow"\n'
    for number in range(rules):
        text += f'[[rule]]\nid = "r{number}"\neffect = "deny"\nresource = "node"\nmatch = "control.*"\n'
        text += f'when = "node.in_loop && graph.node_count > {number}"\n'
    loader, memo = DiskLoader("."), Memo()
    document, _ = read_graph(b'[[nodes]]\nname = "a"\nkind = "control.pass"\n', "graph.toml")
    graph = link(document, open_registry(None, loader, memo)[0], loader, memo)[0]
    grounds = Grounds(graph, facts(graph), [opened_policy(text)], None)
    (asker,) = grounds.askers()
    offer = asker.node.offer
    holds = grounds.holds(offer, grounds.of_node(asker))
    return 1 / least(lambda _: grounds.tables[0].node(offer, holds), 2_000)


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    plain, kinds = policy(), offers()
    table = Table(plain, None)
    bench = Bench(
        f"deciding {len(kinds)} nodes beside a scan of {RULES} rules",
        lambda: [table.node(kind) for kind in kinds],
        lambda: [scan(plain.rules, plain, kind) for kind in kinds],
        0.01,
        rounds=3,
    )
    bar = f"{BAR:_} / s"
    return [
        (f"nodes under {RULES} rules", f"{per_second(table, kinds, edges=False):_.0f} / s", bar),
        (f"edges under {RULES} rules", f"{per_second(table, kinds, edges=True):_.0f} / s", bar),
        ("a node that ten conditions are asked about", f"{asked_per_second(10):_.0f} / s", "-"),
        row(bench),
    ]


if __name__ == "__main__":
    for each in rows():
        print(*each, sep="  ")
