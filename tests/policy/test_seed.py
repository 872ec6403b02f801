"""What the tool before this one promised of its policies and its admission, as cases."""

from __future__ import annotations

import json

import pytest

from grapharc.policy.record import record
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Budget
from tests.policy.judging import codes, judged, opened

OPEN = 'name = "house"\nversion = "7"\ndefault = "allow"\n'
REGISTRY = """
[[use]]
kind = "*"
[models]
writer = { spec = "openai/gpt-4o", price = { input = 1000, output = 1000 } }
"""


def rule(effect: str, match: str, more: str = "", identity: str = "r", resource: str = "") -> str:
    resource = resource or ("edge" if "->" in match else "node")
    lines = [f'id = "{identity}"', f'effect = "{effect}"', f'resource = "{resource}"', f'match = "{match}"', more]
    return "\n".join(["[[rule]]", *lines, ""])


def graph(*nodes: tuple[str, str]) -> str:
    """A chain of nodes, each with a name and a kind."""
    chain = ["__start__", *(name for name, _ in nodes), "__end__"]
    rows = [{"name": name, "kind": kind} if kind else {"name": name} for name, kind in nodes]
    return json.dumps({"nodes": rows, "edges": [{"chain": chain}]})


def found(text: str, *policies: str, tenant: str | None = None, limits: Budget | None = None) -> list[str]:
    limited = Budget() if limits is None else limits
    return codes(judged(text, *policies, path="graph.json", registry=REGISTRY, tenant=tenant, limits=limited))


PASS = graph(("a", "control.pass"))


def test_deny_before_ask_before_allow_and_unmatched_is_deny() -> None:
    allow, ask, deny = (
        rule("allow", "*"),
        rule("ask", "control.*", identity="q"),
        rule("deny", "control.p*", identity="d"),
    )
    closed = 'default = { edge = "allow" }\n'
    assert found(PASS, closed + allow + ask + deny) == ["node_denied"]
    assert found(PASS, closed + allow + ask) == ["node_needs_approval"]
    assert found(PASS, closed + allow) == []
    assert found(PASS, closed) == ["node_denied"]


def test_a_broad_deny_beats_a_narrow_allow_including_one_scoped_to_a_single_tenant() -> None:
    policy = OPEN + rule("allow", "control.pass", 'tenant = "acme"', "narrow") + rule("deny", "*", identity="broad")
    for tenant in (None, "acme", "other"):
        assert found(PASS, policy, tenant=tenant) == ["node_denied"]


def test_every_decision_names_the_rule_its_reason_and_the_policys_version_and_digest() -> None:
    policy = OPEN + rule("deny", "control.pass", 'reason = "not here"')
    judged_ = judged(PASS, policy, path="graph.json")
    decisions = record(judged_)["decisions"]
    assert isinstance(decisions, list)
    first = decisions[0]
    assert isinstance(first, dict)
    (said,) = first["by"]  # type: ignore[misc, union-attr]
    assert said == {
        "policy": "house",
        "version": "7",
        "digest": opened(policy, "policy0.toml").digest,
        "effect": "deny",
        "rule": "r",
        "reason": "not here",
    }


def test_a_decision_can_be_tied_to_the_exact_text_that_made_it() -> None:
    one = OPEN + rule("deny", "control.pass", 'reason = "not here"')
    digests = {
        opened(one.replace(*change)).digest
        for change in [
            ("x", "x"),
            ("not here", "nor there"),
            ("control.pass", "control.set"),
            ('"deny"', '"ask"'),
            ('version = "7"', 'version = "8"'),
            ('reason = "not here"', 'reason = "not here"\nwhen = "tenant == \'acme\'"'),
        ]
    }
    assert len(digests) == 6
    assert opened(one + "# a remark\n").digest == opened(one).digest


def test_renaming_a_denied_kind_does_not_evade_the_policy() -> None:
    assert found(graph(("harmless", "control.pass")), OPEN + rule("deny", "control.pass")) == ["node_denied"]


def test_an_instance_named_after_a_permitted_kind_does_not_borrow_its_permission() -> None:
    closed = 'default = { edge = "allow" }\n' + rule("allow", "control.set")
    assert found(graph(("control.set", "control.pass")), closed) == ["node_denied"]


def test_a_node_that_is_listed_without_a_kind_is_of_the_kind_of_its_name_or_of_none() -> None:
    assert found(graph(("control.pass", "")), OPEN + rule("deny", "control.pass")) == ["node_denied"]
    assert found(graph(("deploy", "")), OPEN) == ["unregistered_node"]


def test_every_check_that_fails_is_reported_and_not_the_first_alone() -> None:
    text = graph(("a", "control.pass"), ("b", "control.pass"))
    policy = OPEN + rule("deny", "control.pass") + rule("deny", "control.pass -> *", identity="e")
    assert found(text, policy, limits=Budget(max_iterations=1)) == [
        "edge_denied",
        "edge_denied",
        "node_denied",
        "node_denied",
        "over_iteration_budget",
    ]


def test_what_has_nothing_left_to_spend_admits_nothing_that_costs() -> None:
    asks: Json = {
        "state": {"text": {"type": "string", "output": True}},
        "nodes": [{"name": "a", "kind": "model.call", "args": {"role": "writer", "prompt": "x", "max_tokens": 1}}],
        "edges": [{"chain": ["__start__", "a", "__end__"]}],
    }
    assert found(json.dumps(asks), OPEN, limits=Budget(max_tokens=0)) == ["over_token_budget"]
    assert found(PASS, OPEN, limits=Budget(max_tokens=0)) == []


@pytest.mark.parametrize("name", ["edge", "node", "tool", "spend"])
def test_rules_are_over_nodes_edges_tools_and_spend(name: str) -> None:
    match, more = ("* -> *" if name == "edge" else "*"), ("over_usd = 0" if name == "spend" else "")
    asks: Json = {
        "state": {"text": {"type": "string", "output": True}, "entries": {"type": "list[string]", "output": True}},
        "nodes": [
            {"name": "a", "kind": "model.call", "args": {"role": "writer", "prompt": "x", "max_tokens": 1}},
            {"name": "b", "kind": "tool.list_dir", "reads": {"path": "'.'"}},
        ],
        "edges": [{"chain": ["__start__", "a", "b", "__end__"]}],
    }
    policy = OPEN + rule("deny", match, more, resource=name)
    denied = {"edge": "edge_denied", "node": "node_denied", "tool": "node_denied", "spend": "spend_denied"}
    assert set(found(json.dumps(asks), policy)) == {denied[name]}
