"""The engine agrees with a plain reading of the rules, over policies, kinds, tenants and graphs that are made up."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from random import Random

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.at_run import deciding
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Decision
from grapharc.spec.json_value import Json
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph, read_policy, read_registry
from grapharc.spec.reasons import severity
from grapharc.spec.registry.open_registry import open_registry
from tests.linking.project import Folder
from tests.policy import plain_rules as plain
from tests.policy.judging import TODAY
from tests.policy.plain_rules import Kind, Node, Request

DEEP = bool(os.environ.get("GRAPHARC_DEEP"))
CASES = 100_000 if DEEP else 2_000
SHARES = 8
REGISTRIES = 24
MEMO = Memo()


def manifest(kinds: list[Kind]) -> str:
    rows: list[Json] = []
    for kind in kinds:
        properties: dict[str, Json] = {}
        if not kind.plain:
            properties |= {"level": {"type": "integer", "default": 2}, "note": {"type": "string"}}
        if kind.role:
            properties |= {"role": {"type": "string", "format": "role", "default": "writer"}}
            properties |= {"max_tokens": {"type": "integer", "default": 9}}
        if kind.holds:
            properties |= {"tools": {"type": "array", "items": {"type": "string", "format": "kind"}, "default": []}}
        row: dict[str, Json] = {
            "name": kind.name,
            "version": "1",
            "entry": "x.py:f",
            "capabilities": list[Json](kind.capabilities),
            "labels": list[Json](kind.labels),
            "tool": kind.tool,
            "reads": {} if kind.plain else {"path": "string"},
            "args": {"type": "object", "additionalProperties": False, "properties": properties},
        }
        if kind.role:
            row["cost"] = {"tokens": "args.level * 1000"}
        if kind.usd:
            row["cost"] = {"usd": kind.usd}
        rows.append(row)
    return json.dumps({"kind": rows})


@cache
def registry(seed: int) -> tuple[list[Kind], Registry]:
    kinds = plain.some_kinds(Random(seed))
    uses: list[Json] = [
        {"from": "kinds.json", "kind": kind.name, **({"as": kind.alias} if kind.alias != kind.name else {})}
        for kind in kinds
    ]
    models = {"writer": {"spec": "openai/gpt-4o", "price": {"input": 1000, "output": 1000}}}
    text = json.dumps({"use": uses, "models": models})
    folder = Folder({"kinds.json": manifest(kinds), "registry.json": text})
    opened, findings = open_registry(read_registry(text.encode(), "registry.json")[0], folder, MEMO)
    assert not findings
    return kinds, opened


def document(nodes: list[Node]) -> Json:
    """A chain, part of which may be a loop."""
    rows: list[Json] = []
    for node in nodes:
        args: dict[str, Json] = {"level": node.level, "note": node.note}
        args = {name: value for name, value in args.items() if value is not None}
        if node.held:
            args["tools"] = [kind.alias for kind in node.held]
        row: dict[str, Json] = {"name": node.name, "kind": node.kind.alias, "args": args}
        if not node.kind.plain:
            row["reads"] = {"path": "where" if node.beneath is None else "'in/x'" if node.beneath else "'out/x'"}
        if node.items > 1:
            row["map"] = {"over": "[1, 2, 3]", "as": "item", "max_items": 3}
        if node.timeout is not None:
            row["timeout_seconds"] = node.timeout
        rows.append(row)
    looping = [node.name for node in nodes if node.rounds > 1]
    edges: list[Json] = []
    names = ["__start__", *(node.name for node in nodes), "__end__"]
    for source, target in pairwise(names):
        if looping and source == looping[-1]:
            edges.append({"source": source, "target": target, "when": "where == ''"})
            loop: Json = {"max_rounds": 3}
            edges.append({"source": source, "target": looping[0], "otherwise": True, "loop": loop})
        else:
            edges.append({"source": source, "target": target})
    where: Json = {"type": "string", "input": True, "output": True}
    return {"state": {"where": where}, "nodes": rows, "edges": edges}


def edges(nodes: list[Node]) -> Iterator[tuple[Kind | str, Kind | str]]:
    kinds = [node.kind for node in nodes]
    ends: list[Kind | str] = ["__start__", *kinds, "__end__"]
    yield from pairwise(ends)
    looping = [node.kind for node in nodes if node.rounds > 1]
    if looping:
        yield looping[-1], looping[0]
        yield looping[-1], "__end__"


class Case:
    """One case, and what the engine made of it."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.kinds, offered = registry(seed % REGISTRIES)
        self.nodes = plain.some_nodes(random, self.kinds)
        self.policies = [plain.some_policy(random, number) for number in range(random.choice([1, 1, 2]))]
        self.tenant = random.choice([None, *plain.TENANTS])
        graph, _ = read_graph(json.dumps(document(self.nodes)).encode(), "graph.json")
        self.linked = link(graph, offered, Folder({}), MEMO)[0]
        opened = [
            open_policy(read_policy(json.dumps(policy).encode(), f"p{number}.json")[0], MEMO)
            for number, policy in enumerate(self.policies)
        ]
        self.admission: Admission = admit(self.linked, opened, tenant=self.tenant, today=TODAY)

    def completions(self, node: Node, kind: Kind, *, held: bool = False) -> list[Request]:
        """The request in every way that the run may make it."""
        truths = [True, False] if held or node.beneath is None else [node.beneath]
        levels, notes = ([None, 4], [None, "x"]) if held else ([node.level], [node.note])
        tenant = self.tenant or "default"
        ways = product(levels, notes, truths)
        return [Request(node, kind, tenant, self.nodes, level, note, truth) for level, note, truth in ways]


def answered(decision: Decision) -> tuple[str, str | None]:
    return decision.effect, decision.rule.id if decision.rule else None


def check_completions(decision: Decision, expected: set[tuple[str, str | None]], context: object) -> None:
    effects = {effect for effect, _ in expected}
    mildest = max(effects, key=plain.ORDER.index)
    assert decision.effect == mildest, (context, expected, answered(decision))
    if len(effects) > 1:
        assert decision.pending, (context, expected)
    elif len(expected) == 1:
        assert not decision.pending, (context, expected, decision.pending)
        assert {answered(decision)} == expected, context


def named(rulings: tuple[Ruling, ...], resource: str, kind: str, node: str) -> Ruling:
    found = [
        ruling
        for ruling in rulings
        if ruling.resource == resource and ruling.ends == (kind,) and node in {each.name for each in ruling.nodes}
    ]
    assert len(found) == 1, (resource, kind, node)
    return found[0]


def agree(case: Case) -> dict[str, int]:
    """Hold every decision of a case against the plain reading; return how many there were, by resource."""
    counts = {"node": 0, "tool": 0, "edge": 0, "spend": 0, "at run": 0, "denied": 0, "asked": 0}
    rulings = case.admission.rulings
    at_run = deciding(case.admission.grounds, rulings)
    for node in case.nodes:
        wanted = [("node", node.kind, False)]
        wanted += [("tool", node.kind, False)] if node.kind.tool else []
        wanted += [("tool", kind, True) for kind in node.held]
        for resource, kind, held in wanted:
            ruling = named(rulings, resource, kind.alias, node.name)
            for policy, decision in zip(case.policies, ruling.decisions, strict=True):
                requests = case.completions(node, kind, held=held)
                expected = plain.all_about_kind(policy, resource, requests)
                assert expected >= {plain.about_kind(policy, resource, request) for request in requests}
                check_completions(decision, expected, (resource, kind.alias, policy))
                counts[resource] += 1
        if node.name in at_run:
            for request in case.completions(node, node.kind):
                made = at_run[node.name].judge({"path": "in/x" if request.beneath else "out/x"})
                for ruling in made:
                    for policy, decision in zip(case.policies, ruling.decisions, strict=True):
                        assert answered(decision) == plain.about_kind(policy, ruling.resource, request)
                        assert not decision.pending
                        counts["at run"] += 1
        for number, policy in enumerate(case.policies):
            effect, rule, left = plain.about_spend(policy, node, case.nodes, case.tenant or "default")
            found = [r for r in rulings if r.resource == "spend" and node.name in {each.name for each in r.nodes}]
            decision = found[0].decisions[number] if found else None
            assert (answered(decision) if decision else ("allow", None)) == (effect, rule)
            if effect != "deny":
                assert bool(decision and decision.pending) == left
            counts["spend"] += 1
    request = Request(None, None, case.tenant or "default", case.nodes)
    pairs = {(_end(one), _end(other)): (one, other) for one, other in edges(case.nodes)}
    of_edges = {ruling.ends: ruling for ruling in rulings if ruling.resource == "edge"}
    assert of_edges.keys() == pairs.keys()
    for ends, (one, other) in pairs.items():
        for policy, decision in zip(case.policies, of_edges[ends].decisions, strict=True):
            assert answered(decision) == plain.about_edge(policy, one, other, request)
            counts["edge"] += 1
    counts["denied"] += sum(ruling.effect == "deny" for ruling in rulings)
    counts["asked"] += sum(ruling.effect == "ask" for ruling in rulings)
    return counts


def _end(end: Kind | str) -> str:
    return end if isinstance(end, str) else end.alias


def is_sound(case: Case) -> bool:
    """Whether no ``when`` is refused: one that asks for what none of its kinds has is no case for deciding."""
    errors = {finding.code for finding in case.admission.findings if severity(finding) == "error"}
    if errors & {"unknown_member", "wrong_operand"}:
        assert case.admission.verdict == "refused"
        return False
    assert errors <= {"node_denied", "tool_denied", "edge_denied", "spend_denied"}, errors
    return True


@pytest.mark.parametrize("share", range(SHARES))
def test_the_engine_agrees_with_a_plain_reading(share: int, record_property: pytest.RecordProperty) -> None:
    totals: dict[str, int] = {"cases": 0, "refused": 0}
    for seed in range(share, CASES, SHARES):
        case = Case(seed)
        if is_sound(case):
            for name, count in agree(case).items():
                totals[name] = totals.get(name, 0) + count
            totals["cases"] += 1
            effects = {ruling.effect for ruling in case.admission.rulings}
            asked = any(ruling.holds for ruling in case.admission.rulings)
            verdict = "refused" if "deny" in effects else "needs_approval" if asked else "admitted"
            assert case.admission.verdict == verdict
    print(", ".join(f"{count:_} {name}" for name, count in totals.items()))
    assert totals["cases"] > 0.8 * CASES / SHARES
    for name in ("node", "tool", "edge", "spend", "denied", "asked"):
        assert totals[name] > 0
