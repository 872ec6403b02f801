"""What a rule's ``when`` reads, when it is decided, and what becomes of one that cannot be."""

from __future__ import annotations

import json
import sys
import time
from threading import Barrier, Thread
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.owner.conditions import conditions_of
from grapharc.policy.record import record
from grapharc.spec.json_value import Json
from tests.policy.judging import GREETING, codes, judged, linked, opened

if TYPE_CHECKING:
    from _typeshed import TraceFunction

OPEN = 'name = "open"\ndefault = "allow"\n'
REGISTRY = """
[[use]]
kind = "*"
[models]
writer = { spec = "openai/gpt-4o", price = { input = 1, output = 1 } }
"""


def rule(
    when: str, match: str = "tool.write_file", effect: str = "deny", resource: str = "node", more: str = ""
) -> str:
    quoted = json.dumps(when)
    head = f'[[rule]]\nid = "r"\neffect = "{effect}"\nresource = "{resource}"\nmatch = "{match}"\n'
    return f"{OPEN}{head}when = {quoted}\n{more}\n"


def writing(path: str = "'reports/a.md'", **more: Json) -> dict[str, Json]:
    """A graph that writes a file: the path is an expression over the input ``where``."""
    node: dict[str, Json] = {
        "name": "write",
        "kind": "tool.write_file",
        "reads": {"path": path, "text": "'x'"},
        "writes": {},
        **more,
    }
    return {
        "state": {"where": {"type": "string", "input": True, "output": True}},
        "nodes": [node],
        "edges": [{"chain": ["__start__", "write", "__end__"]}],
    }


def admission(graph: Json, *policies: str, tenant: str | None = None) -> Admission:
    return judged(json.dumps(graph), *policies, path="graph.json", registry=REGISTRY, tenant=tenant)


OUTSIDE = rule("!inputs.path.startsWith('reports/')")


@pytest.mark.parametrize(
    ("path", "verdict", "open_rules"),
    [
        ("'reports/a.md'", "admitted", []),
        ("'./reports//a.md'", "admitted", []),
        ("'a.md'", "refused", []),
        ("'rep' + 'orts/a.md'", "admitted", []),
        ("where", "admitted", ["r"]),
        ("'reports/' + where", "admitted", ["r"]),
    ],
)
def test_an_input_that_is_a_constant_is_decided_at_check_and_any_other_by_the_run(
    path: str, verdict: str, open_rules: list[str]
) -> None:
    judged_ = admission(writing(path), OUTSIDE)
    assert judged_.verdict == verdict
    said = record(judged_)["decided_at_run"]
    assert isinstance(said, list)
    assert [entry["rule"] for entry in said if isinstance(entry, dict)] == open_rules


def test_what_the_run_decides_is_listed_with_the_rule_and_what_it_asks() -> None:
    (entry,) = record(admission(writing("where"), OUTSIDE))["decided_at_run"]  # type: ignore[misc, union-attr]
    assert isinstance(entry, dict)
    assert {key: entry[key] for key in ("resource", "kinds", "nodes", "policy", "rule", "effect", "when")} == {
        "resource": "node",
        "kinds": ["tool.write_file"],
        "nodes": ["write"],
        "policy": "open",
        "rule": "r",
        "effect": "deny",
        "when": "!inputs.path.startsWith('reports/')",
    }


@pytest.mark.parametrize(
    ("when", "denied"),
    [
        ("node.kind == 'tool.write_file'", True),
        ("node.kind == 'tool.edit_file'", False),
        ("'write_files' in node.capabilities", True),
        ("'network' in graph.capabilities", False),
        ("graph.node_count > 1", False),
        ("graph.depth == 1", True),
        ("node.in_loop || node.in_map", False),
        ("node.timeout_seconds == null", True),
        ("node.timeout_seconds != null && node.timeout_seconds > 3", False),
        ("size(node.roles) == 0 && size(node.labels) == 0 && size(graph.labels) == 0", True),
        ("tenant == 'default'", True),
        ("args.root == '.'", True),
        # What does not depend on what only the run knows is decided without it.
        ("tenant == 'acme' && inputs.path == 'x'", False),
        ("tenant == 'default' || inputs.path == 'x'", True),
    ],
)
def test_what_a_when_reads(when: str, denied: bool) -> None:
    judged_ = admission(writing("where"), rule(when))
    assert codes(judged_) == (["node_denied"] if denied else [])
    assert record(judged_)["decided_at_run"] == []


def test_a_default_of_the_schema_is_an_argument() -> None:
    graph = {"nodes": [{"name": "a", "kind": "control.fail", "args": {"message": "no"}}], "edges": []}
    assert "node_denied" in codes(admission(graph, rule("args.message == 'no'", "control.fail")))
    claims = {
        "state": {"claims": {"type": "list[Claim]", "input": True}, "source_text": {"type": "string", "input": True}},
        "nodes": [{"name": "check", "kind": "verify.claims", "args": {"reviewer": "writer"}}],
        "edges": [{"chain": ["__start__", "check", "__end__"]}],
    }
    assert "node_denied" in codes(admission(claims, rule("args.max_claims == 20", "verify.claims")))


def test_where_a_node_stands_counts_through_subgraphs_loops_and_maps() -> None:
    graph = writing("path", map={"over": "['a', 'b']", "as": "path", "max_items": 2}, timeout_seconds=4)
    assert "node_denied" in codes(admission(graph, rule("node.in_map && !node.in_loop")))
    assert "node_denied" in codes(admission(graph, rule("node.timeout_seconds != null && node.timeout_seconds > 3")))


@pytest.mark.parametrize(("effect", "verdict"), [("deny", "refused"), ("ask", "needs_approval"), ("allow", "refused")])
def test_a_when_that_fails_counts_against_the_request(effect: str, verdict: str) -> None:
    closed = rule("[1][graph.node_count] == 1", effect=effect).replace(
        'default = "allow"', 'default = { node = "deny", edge = "allow", tool = "allow" }'
    )
    assert admission(writing(), closed).verdict == verdict


@pytest.mark.parametrize(
    ("when", "code", "text"),
    [
        ("args.roott == 'x'", "unknown_member", "roott"),
        ("inputs.pth == 'x'", "unknown_member", "pth"),
        ("has(inputs.pth)", "unknown_member", "pth"),
        ("inputs.path == 3", "never_equal", None),
        ("node.name == 'write'", "unknown_member", "name"),
        ("graph.name == 'x'", "unknown_member", "name"),
        ("state.where == 'x'", "unknown_name", "state"),
        ("inputs.path", "condition_not_boolean", "inputs.path"),
        ("'netwrok' in node.capabilities", "never_in", None),
        ("inputs.path ==", "expression_incomplete", None),
    ],
)
def test_what_is_wrong_with_a_when_is_found_inside_it(when: str, code: str, text: str | None) -> None:
    judged_ = admission(writing(), rule(when))
    assert judged_.verdict == "refused"
    (finding,) = [each for each in judged_.findings if each.place.document == "policy0.toml"]
    assert (finding.code, finding.place.path, finding.subject) == (code, ("rule", 0, "when"), "r")
    within = finding.place.within
    assert within is not None
    assert text is None or when[within.start : within.end] == text


def test_what_only_some_matched_kinds_have_must_be_asked_for() -> None:
    unguarded = admission(writing(), rule("inputs.path == 'x'", "tool.*"))
    assert codes(unguarded) == ["absent_unguarded"]
    assert [related.values["kind"] for related in unguarded.findings[0].related] == ["tool.glob"]
    guarded = rule("has(inputs.path) && inputs.path == 'reports/a.md'", "tool.*")
    assert codes(admission(writing(), guarded)) == ["node_denied"]


def test_an_alias_is_known_by_both_names_to_what_denies() -> None:
    graph = writing()
    graph["nodes"][0]["kind"] = "scribe"  # type: ignore[index, call-overload]
    registry = REGISTRY + '[[use]]\nkind = "tool.write_file"\nas = "scribe"\n'
    for name in ("tool.write_file", "scribe"):
        said = judged(json.dumps(graph), rule(f"node.kind == '{name}'", "*"), path="g.json", registry=registry)
        assert codes(said) == ["node_denied"]
    closed = OPEN.replace('"allow"', '{ node = "deny", edge = "allow", tool = "allow" }')
    for name, allowed in (("tool.write_file", False), ("scribe", True)):
        policy = closed + rule(f"node.kind == '{name}'", "*", "allow").partition("\n")[2].partition("\n")[2]
        said = judged(json.dumps(graph), policy, path="g.json", registry=registry)
        assert (codes(said) == []) is allowed


def test_a_rule_over_edges_reads_the_graph_and_the_tenant() -> None:
    policy = rule("graph.node_count > 0 && tenant == 'default'", "* -> tool.write_file", resource="edge")
    assert codes(admission(writing(), policy)) == ["edge_denied"]
    assert codes(admission(writing(), policy, tenant="acme")) == []
    wrong = rule("node.in_loop", "* -> tool.write_file", resource="edge")
    assert codes(admission(writing(), wrong)) == ["unknown_name"]


def test_of_a_tenant_only_those_that_are_listed_can_be() -> None:
    policy = 'tenants = ["acme", "default"]\n' + rule("tenant == 'acne'")
    assert codes(admission(writing(), policy)) == ["never_this_value"]


def test_the_mildest_that_the_run_may_come_to_is_what_is_answered() -> None:
    closed = OPEN.replace('"allow"', '{ node = "deny", edge = "allow", tool = "allow" }')
    allow = closed + rule("inputs.path == 'x'", effect="allow").partition("\n")[2].partition("\n")[2]
    judged_ = admission(writing("where"), allow)
    assert judged_.verdict == "admitted"
    assert {rule.id for ruling in judged_.rulings for _, rule in ruling.pending} == {"r"}
    assert admission(writing("where"), allow, OPEN + rule("true").partition("\n")[2].partition("\n")[2]).verdict == (
        "refused"
    )


def test_somebody_who_may_have_to_be_asked_is_somebody_to_be_asked() -> None:
    policy = rule("inputs.path == 'x'", effect="ask", more='approver_role = "lead"')
    judged_ = admission(writing("where"), policy)
    assert judged_.verdict == "needs_approval"
    assert [(asked.before, asked.role) for asked in judged_.approvals] == [("write", "lead")]
    assert codes(judged_) == ["node_needs_approval"]


def test_threads_that_judge_under_many_policies_at_once_share_what_is_compiled() -> None:
    registry = linked(GREETING).registry
    policies = [opened(rule("node.in_loop || true", "control.*"), f"policy{number}.toml") for number in range(12)]
    raised: list[BaseException] = []
    gate = Barrier(6)

    def give_way(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        """Let another thread go on before every instruction of what is shared."""
        del event, argument
        if frame.f_code is not conditions_of.__func__.__code__:
            return None
        frame.f_trace_opcodes = True
        time.sleep(0)
        return give_way

    def ask(number: int) -> None:
        gate.wait()
        before = sys.gettrace()
        sys.settrace(give_way)
        try:
            for turn in range(30):
                conditions_of(registry, [policies[(number + turn) % 12]])
        except (KeyError, RuntimeError) as error:
            raised.append(error)
        finally:
            sys.settrace(before)

    threads = [Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
