"""The verdict, what several policies, tenants and ceilings make of it, and that nobody else can pronounce it."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.owner.tenants import needs_tenant, served_tenants
from grapharc.spec.frozen import FrozenError, replace
from grapharc.spec.linked import Budget
from grapharc.spec.reasons import message, related_note
from grapharc.spec.source import Span
from tests.pipeline import admit_file
from tests.policy.judging import GREETING, codes, judged, opened

ALLOW = 'name = "open"\ndefault = "allow"\n'


def rule(effect: str, match: str, more: str = "", identity: str = "r") -> str:
    resource = "edge" if "->" in match else "node"
    return f'\n[[rule]]\nid = "{identity}"\neffect = "{effect}"\nresource = "{resource}"\nmatch = "{match}"\n{more}\n'


def test_without_a_policy_the_built_in_one_stands() -> None:
    admission = judged(GREETING)
    assert admission.verdict == "admitted"
    assert [policy.name for policy in admission.policies] == ["built-in"]


def test_what_a_policy_leaves_out_is_denied() -> None:
    admission = judged(GREETING, 'name = "empty"\ndefault = { node = "allow" }\n')
    assert admission.verdict == "refused"
    assert codes(admission) == ["edge_denied", "edge_denied"]


def test_an_ask_needs_approval_before_the_node_or_the_edges_target() -> None:
    asks = ALLOW + rule("ask", "control.pass", 'approver_role = "lead"') + rule("ask", "* -> __end__", identity="e")
    admission = judged(GREETING, asks)
    assert admission.verdict == "needs_approval"
    assert [(asked.before, asked.role) for asked in admission.approvals] == [("__end__", ""), ("greet", "lead")]


def test_of_several_policies_the_strictest_counts_and_each_that_denies_is_named() -> None:
    denies = [f'name = "{name}"\ndefault = "allow"\n' + rule("deny", "control.*") for name in ("one", "two")]
    admission = judged(GREETING, ALLOW, *denies, ALLOW + rule("ask", "*"))
    assert admission.verdict == "refused"
    assert sorted(str(finding.values["policy"]) for finding in admission.findings) == ["one", "two"]
    assert admission.approvals == ()


def test_each_policy_that_asks_is_asked_for() -> None:
    asks = [f'name = "{role}"\ndefault = "allow"\n' + rule("ask", "*", f'approver_role = "{role}"') for role in "ab"]
    assert [asked.role for asked in judged(GREETING, *asks).approvals] == ["a", "b"]


def test_a_policy_that_is_named_twice_is_one() -> None:
    assert len(judged(GREETING, ALLOW, ALLOW).policies) == 1


def test_a_rule_that_cannot_be_read_admits_nothing() -> None:
    broken = ALLOW + rule("deny", "tool.[rw]*")
    assert judged(GREETING, broken).verdict == "refused"
    assert codes(judged(GREETING, broken)) == ["inert_pattern"]


def test_a_lost_allow_is_reported_once_and_not_for_each_node_that_it_would_have_allowed() -> None:
    broken = 'name = "closed"\n' + rule("allow", "control.[ps]*") + rule("allow", "* -> *", identity="e")
    assert codes(judged(GREETING, broken)) == ["inert_pattern"]


def test_a_tenant_is_judged_by_its_own_rules() -> None:
    policy = ALLOW + rule("deny", "*", 'tenant = "acme*"')
    assert judged(GREETING, policy, tenant="acme-eu").verdict == "refused"
    assert judged(GREETING, policy, tenant="other").verdict == "admitted"
    assert judged(GREETING, policy).tenant == "default"


def test_a_tenant_that_is_not_served_is_refused() -> None:
    admission = judged(GREETING, 'tenants = ["acme"]\n' + ALLOW, tenant="acne")
    assert codes(admission) == ["tenant_not_served"]
    assert admission.findings[0].values["suggestion"] == "acme"


@pytest.mark.parametrize(
    ("policies", "served", "needed"),
    [
        ([ALLOW], ("default",), False),
        ([ALLOW + rule("allow", "*", 'tenant = "a"')], ("default",), False),
        ([ALLOW + rule("deny", "*", 'tenant = "a"')], ("default",), True),
        ([ALLOW + rule("ask", "*", "when = \"tenant == 'a'\"")], ("default",), True),
        ([ALLOW + rule("deny", "*", 'when = "graph.depth > 3"')], ("default",), False),
        (['tenants = ["b", "a"]\n' + ALLOW], ("a", "b"), True),
        (['tenants = ["b", "a"]\n' + ALLOW, 'tenants = ["b", "c"]\n' + ALLOW], ("b",), True),
        (['tenants = ["a"]\n' + ALLOW, 'tenants = ["b"]\n' + ALLOW], ("a", "b"), True),
    ],
)
def test_who_is_served_and_whether_that_must_be_said(
    policies: list[str], served: tuple[str, ...], needed: bool
) -> None:
    found = [opened(policy) for policy in policies]
    assert served_tenants(found) == served
    assert needs_tenant(found) is needed


def test_of_each_ceiling_the_least_counts_whoever_set_it() -> None:
    graph = GREETING.replace("[[nodes]]", "[budget]\nmax_tokens = 30\nmax_seconds = 5\n[[nodes]]", 1)
    limits = ALLOW + "[limits]\nmax_tokens = 20\nmax_usd = 1\n"
    admission = judged(graph, limits, limits=Budget(max_iterations=7, max_usd=2.0, max_concurrency=3))
    assert admission.budget == Budget(20, 7, 5, 1, 3)


def test_a_ceiling_of_the_callers_own_has_no_place() -> None:
    admission = judged(GREETING, limits=Budget(max_iterations=0))
    assert codes(admission) == ["over_iteration_budget"]
    assert admission.findings[0].place.path == ("nodes",)
    assert admission.findings[0].related == ()


@pytest.mark.parametrize(
    ("suppress", "stands"),
    [
        ('{ code = "implied_end", reason = "the end is plain" }', False),
        ('{ code = "implied_end", reason = "until then", until = "2027-01-01" }', False),
        ('{ code = "implied_end", reason = "too late", until = "2026-12-31" }', True),
        ('{ code = "implied_end", reason = "no date", until = "soon" }', True),
        ('{ code = "implied_end" }', True),
        ('{ code = "field_never_read", reason = "another code" }', True),
    ],
)
def test_lint_is_suppressed_where_it_is_with_a_reason_and_for_its_time(suppress: str, stands: bool) -> None:
    graph = GREETING.replace(', "__end__"', "").replace('name = "greet"', f'name = "greet"\nsuppress = [{suppress}]')
    admission = judged(graph)
    assert codes(admission) == (["implied_end"] if stands else [])
    assert [finding.code for finding in admission.suppressed] == ([] if stands else ["implied_end"])


def test_soundness_and_authority_are_not_suppressed() -> None:
    graph = GREETING.replace('"__start__", ', "").replace(
        'name = "greet"', 'name = "greet"\nsuppress = [{ code = "node_denied", reason = "please" }]'
    )
    assert codes(judged(graph, ALLOW + rule("deny", "*"))) == ["no_entry_edge", "node_denied"]


def test_renaming_launders_no_kind() -> None:
    admission = judged(GREETING.replace('"greet"', '"harmless_helper"'), ALLOW + rule("deny", "control.pass"))
    assert codes(admission) == ["node_denied"]


def test_an_alias_launders_no_kind() -> None:
    registry = '[[use]]\nkind = "control.pass"\nas = "nothing"\n'
    graph = GREETING.replace("control.pass", "nothing")
    assert codes(judged(graph, ALLOW + rule("deny", "control.pass"), registry=registry)) == ["node_denied"]
    closed = 'default = { edge = "allow" }\n' + rule("allow", "control.pass")
    assert codes(judged(graph, closed, registry=registry)) == ["node_denied"]


def test_only_admit_makes_an_admission() -> None:
    admission = judged(GREETING, 'name = "closed"\n')
    fields = {field.name: getattr(admission, field.name) for field in dataclasses.fields(admission)}
    with pytest.raises(TypeError, match="admit"):
        Admission(**{**fields, "verdict": "admitted", "made_by": object()})
    for each in (dataclasses.replace, replace):
        with pytest.raises(TypeError, match="admit"):
            each(admission, verdict="admitted")
    with pytest.raises(FrozenError):
        admission.verdict = "admitted"  # type: ignore[misc]


def test_the_day_changes_nothing_but_what_has_expired() -> None:
    assert judged(GREETING).findings == judged(GREETING, today=date(2030, 1, 1)).findings


AGENT = """
[[kind]]
name = "team.agent"
version = "1"
summary = "Use other kinds."
entry = "team.py:agent"
capabilities = ["model"]
idempotent = false
[kind.args]
type = "object"
properties.tools = { type = "array", items = { type = "string", format = "kind" } }
properties.max_tokens = { type = "integer", default = 100 }
[kind.cost]
tokens = 100
"""


def test_what_an_agent_holds_is_judged_too(tmp_path: Path) -> None:
    uses = '[[use]]\nfrom = "kinds.toml"\nkind = "team.agent"\n[[use]]\nkind = "tool.write_file"\n'
    graph = GREETING.replace('"control.pass"', '"team.agent"\nargs = { tools = ["tool.write_file"] }')
    for name, text in (("kinds", AGENT), ("registry", uses), ("graph", graph)):
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    admission = admit_file(tmp_path / "graph.toml")
    assert [message(finding).partition(" by rule ")[0] for finding in admission.findings] == [
        "tool 'tool.write_file', held by kind 'team.agent', is denied"
    ]
    assert admission.capabilities == ("model", "write_files")


def test_a_node_that_could_not_be_linked_is_still_found_unreachable_where_it_is_written() -> None:
    graph = GREETING + '[[nodes]]\nname = "wave"\nkind = "control.pas"\n'
    found = {finding.code: finding.place for finding in judged(graph).findings}
    assert set(found) == {"unregistered_node", "unreachable_node"}
    assert found["unreachable_node"].path == ("nodes", 1, "name")


def test_an_edge_that_is_never_taken_is_shown_beside_what_it_does_not_reach() -> None:
    stop = '[[nodes]]\nname = "stop"\nkind = "control.fail"\nargs = { message = "no" }\n[[edges]]'
    graph = GREETING.replace('"__start__", "greet"', '"__start__", "stop", "greet"').replace("[[edges]]", stop)
    (finding,) = (finding for finding in judged(graph).findings if finding.code == "unreachable_node")
    assert finding.subject == "greet"
    assert [related_note(other) for other in finding.related] == ["never taken, since 'stop' cannot succeed"]


def test_a_long_way_is_shortened_in_words_and_whole_as_witness() -> None:
    names = [f"n{number}" for number in range(20)]
    nodes = "".join(f'[[nodes]]\nname = "{name}"\nkind = "control.pass"\n' for name in names)
    (finding,) = judged(f"{nodes}[[edges]]\nchain = {['__start__', *names, names[0]]}\n").findings
    assert finding.values["way"] == "n0 -> n1 -> n2 -> n3 -> ... -> n17 -> n18 -> n19 -> n0"
    assert len(finding.witness) == 20


@pytest.mark.parametrize(
    ("lines", "code", "at"),
    [
        ('match = "tool.*"\ntenant = "acme[1]"', "inert_pattern", (4, 5)),
        ('match = "a b -> *"', "inert_pattern", (1, 2)),
        ('match = "* -> b c"', "inert_pattern", (6, 7)),
        ('match = "*->  capability:netwrok"', "unknown_capability", (16, 23)),
        ('match = "a -> b -> c"', "match_is_no_edge", (0, 11)),
        ('match = "label:"', "empty_pattern", (6, 6)),
    ],
)
def test_a_fault_in_a_pattern_is_found_where_it_stands(lines: str, code: str, at: tuple[int, int]) -> None:
    resource = "edge" if "->" in lines else "node"
    policy = opened(f'[[rule]]\nid = "r"\neffect = "deny"\nresource = "{resource}"\n{lines}\n')
    (finding,) = policy.findings
    assert (finding.code, finding.place.within) == (code, Span(*at))


@pytest.mark.parametrize(("tokens", "found"), [('"x"', ["args_schema_violation"]), ("1_000", [])])
def test_a_wrong_argument_is_told_once_and_not_by_what_it_might_cost(tokens: str, found: list[str]) -> None:
    admission = judged(
        f"""
[state]
answer = {{ type = "string", output = true }}
[budget]
max_tokens = 20_000
[[nodes]]
name = "ask"
kind = "model.call"
args = {{ role = "writer", prompt = "Say it.", max_tokens = {tokens} }}
writes = {{ text = "answer" }}
[[edges]]
chain = ["__start__", "ask", "__end__"]
""",
        registry='[[use]]\nkind = "model.call"\n[models]\nwriter = "mock/replies.json"\n',
    )
    assert codes(admission) == found
