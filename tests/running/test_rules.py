"""What policies leave to the run: decided before each activation and each use of a tool, recorded, and never caught."""

from __future__ import annotations

from typing import Any

import pytest

from grapharc.runtime.context import Context
from grapharc.runtime.errors import Denied, NodeFailed
from grapharc.spec.json_value import Json
from tests.running.road import Road

OPEN = 'name = "house"\nversion = "7"\ndefault = "allow"\n'
SEND = """
[state]
to = { type = "string", input = true }
sent = { type = "string", default = "", output = true }
failure = { type = "Failure | null", output = true }
[[nodes]]
name = "send"
kind = "send"
reads = { to = "to" }
writes = { said = "sent" }
"""
STRAIGHT = '[[edges]]\nchain = ["__start__", "send", "__end__"]\n'
CAUGHT = STRAIGHT + '[[edges]]\nsource = "send"\ntarget = "__end__"\non = "error"\ninto = "failure"\n'


def rule(when: str, match: str = "send", resource: str = "node", effect: str = "deny", identity: str = "inside") -> str:
    lines = [f'id = "{identity}"', f'effect = "{effect}"', f'resource = "{resource}"', f'match = "{match}"']
    return "\n".join(["[[rule]]", *lines, f'when = "{when}"', 'reason = "mail stays in the house"', ""])


OUTSIDE = OPEN + rule("!inputs.to.endsWith('@house')")


def sending(road: Road, *policies: str, more: str = "") -> None:
    road.kind("send", lambda to: road.note(to) or {"said": to}, {"to": "string"}, {"said": "string"}, more=more)
    road.policies[:] = policies or (OUTSIDE,)


def decisions(records: list[Any], stage: str) -> list[tuple[Json, ...]]:
    keys = ("resource", "effect", "rule", "reason")
    found = [record for record in records if record["event"] == "decision" and record["stage"] == stage]
    return [tuple(record.get(key) for key in keys) for record in found]


def test_an_activation_that_is_denied_ends_the_run_before_it_runs(road: Road) -> None:
    sending(road)
    compiled = road.compile(SEND + STRAIGHT)
    assert road.run(compiled, {"to": "ana@house"}).outputs["sent"] == "ana@house"
    with pytest.raises(Denied) as denied:
        road.run(compiled, {"to": "bob@street"})
    assert road.ran == ["ana@house"]
    assert str(denied.value) == (
        "node 'send' of kind 'send' is denied by rule 'inside' of policy 'house': mail stays in the house"
    )
    assert denied.value.result is not None
    assert denied.value.result.stop == "denied"


def test_no_error_edge_catches_a_denial(road: Road) -> None:
    sending(road)
    with pytest.raises(Denied):
        road.run(SEND + CAUGHT, {"to": "bob@street"})


def test_no_retry_and_no_collecting_map_outlives_a_denial(road: Road) -> None:
    sending(road)
    mapped = SEND.replace('reads = { to = "to" }', 'reads = { to = "one" }').replace("[[nodes]]", "[[nodes]]", 1)
    mapped = mapped.replace(
        'writes = { said = "sent" }',
        "writes = {}\nretry = { max_attempts = 3 }\n"
        "map = { over = \"['a@house', to, 'c@house']\", as = \"one\", max_items = 3, concurrency = 1,"
        ' on_item_error = "collect" }',
    )
    with pytest.raises(Denied):
        road.run(mapped + STRAIGHT, {"to": "bob@street"})
    assert road.ran == ["a@house"]


def test_each_decision_is_a_line_of_the_trace(road: Road) -> None:
    sending(road, OUTSIDE, OPEN.replace("house", "second"))
    records: list[Any] = road.records(SEND + STRAIGHT, {"to": "bob@street"})
    of_admission = decisions(records, "admission")
    assert [line[:3] for line in of_admission] == [("node", "allow", None)] * 2 + [("edge", "allow", None)] * 4
    assert decisions(records, "run") == [
        ("node", "deny", "inside", "mail stays in the house"),
        ("node", "allow", None, None),
    ]
    first = next(record for record in records if record["event"] == "decision")
    assert (first["kinds"], first["nodes"], first["policy"], first["version"]) == (["send"], ["send"], "house", "7")
    assert first["digest"].startswith("sha256:")
    assert first["decided_at_run"] == ["inside"]
    stopped = records[-1]
    assert (stopped["event"], stopped["stop"]) == ("run_stop", "denied")
    assert {key: stopped["error"][key] for key in ("code", "rule", "policy")} == {
        "code": "denied",
        "rule": "inside",
        "policy": "house",
    }


def test_what_cannot_be_looked_at_counts_against_the_request(road: Road) -> None:
    sending(road, OPEN + rule("[1, 2][size(inputs.to)] == 1"))
    with pytest.raises(Denied):
        road.run(SEND + STRAIGHT, {"to": "too long an index"})


def test_an_allow_that_does_not_hold_leaves_the_default(road: Road) -> None:
    closed = OPEN.replace('"allow"', '{ node = "deny", edge = "allow", tool = "allow" }')
    sending(road, closed + rule("inputs.to.endsWith('@house')", effect="allow"))
    assert road.run(SEND + STRAIGHT, {"to": "ana@house"}).stop == "finished"
    with pytest.raises(Denied, match="is denied by the default of policy 'house'"):
        road.run(SEND + STRAIGHT, {"to": "bob@street"})


def test_a_template_is_judged_as_it_is_rendered(road: Road) -> None:
    schema = 'properties.text = { type = "string", format = "template" }\nrequired = ["text"]'
    road.kind("say", lambda text: road.note(text), schema=schema)
    road.policies[:] = [OPEN + rule("args.text.contains('secret')", "say")]
    graph = """
[state]
word = { type = "string", input = true }
[[nodes]]
name = "say"
kind = "say"
args = { text = "the {word} is out" }
[[edges]]
chain = ["__start__", "say", "__end__"]
"""
    road.run(graph, {"word": "cat"})
    with pytest.raises(Denied):
        road.run(graph, {"word": "secret"})
    assert road.ran == ["the cat is out"]


@pytest.mark.parametrize("path", ["reports/../secret", "/etc/passwd", "reports\\\\..\\\\secret"])
def test_a_path_that_leads_out_is_no_path_beneath_a_folder(road: Road, path: str) -> None:
    road.policies[:] = [OPEN + rule("!inputs.path.startsWith('reports/')", "keep_at")]
    road.kind(
        "keep_at", lambda path: road.note(path), more='reads.path = { type = "string", format = "workspace-path" }'
    )
    graph = """
[state]
path = { type = "string", input = true }
[[nodes]]
name = "keep"
kind = "keep_at"
[[edges]]
chain = ["__start__", "keep", "__end__"]
"""
    road.run(graph, {"path": "./reports//a.md"})
    with pytest.raises(Denied):
        road.run(graph, {"path": path})
    assert road.ran == ["./reports//a.md"]


INNER = """
[state]
to = { type = "string", input = true }
[[nodes]]
name = "send"
kind = "send"
writes = {}
[[edges]]
chain = ["__start__", "send", "__end__"]
"""
OUTER = """
[state]
to = { type = "string", input = true }
failure = { type = "Failure | null", output = true }
[[nodes]]
name = "inside"
kind = "graph"
args = { path = "inner.toml" }
[[edges]]
chain = ["__start__", "inside", "__end__"]
[[edges]]
source = "inside"
target = "__end__"
on = "error"
into = "failure"
"""


def test_what_is_denied_in_a_subgraph_ends_the_whole_run(road: Road) -> None:
    sending(road)
    road.files["inner.toml"] = INNER
    compiled = road.compile(OUTER)
    assert road.run(compiled, {"to": "ana@house"}).stop == "finished"
    with pytest.raises(Denied, match="node 'inside/send'"):
        road.run(compiled, {"to": "bob@street"})


def test_a_subgraph_is_judged_as_a_node_by_what_it_is_given(road: Road) -> None:
    sending(road, OPEN + rule("!inputs.to.endsWith('@house') && args.path == 'inner.toml'", "graph"))
    road.files["inner.toml"] = INNER
    with pytest.raises(Denied, match="node 'inside' of kind 'graph'"):
        road.run(OUTER, {"to": "bob@street"})
    assert road.ran == []


# Tools: an owner's kind that holds others asks before it uses one.

AGENT = """
[state]
to = { type = "string", input = true }
said = { type = "string", default = "", output = true }
failure = { type = "Failure | null", output = true }
[[nodes]]
name = "agent"
kind = "agent"
args = { tools = ["send"] }
reads = { to = "to" }
writes = { said = "said" }
[[edges]]
chain = ["__start__", "agent", "__end__"]
[[edges]]
source = "agent"
target = "__end__"
on = "error"
into = "failure"
"""
HOLDS = 'required = ["tools"]\nproperties.tools = { type = "array", items = { type = "string", format = "kind" } }'
TAKES = 'properties.copy = { type = "string", default = "none" }'


def agent(road: Road, *policies: str, tool: str = "send", given: Any = None) -> None:
    def work(tools: list[str], to: str, ctx: Context) -> dict[str, Json]:
        del tools
        try:
            arguments = ctx.decide_tool(tool, {"to": to} if given is None else given)
        except Exception as raised:
            road.note(type(raised).__name__)
            raise
        road.note(str(arguments))
        return {"said": str(arguments["to"])}

    road.kind("send", lambda **_: {}, {"to": "string"}, more="tool = true", schema=TAKES)
    road.kind("agent", work, {"to": "string"}, {"said": "string"}, schema=HOLDS)
    road.policies[:] = policies or (OPEN + rule("!inputs.to.endsWith('@house')", resource="tool"),)


def test_a_kind_asks_before_it_uses_what_it_holds(road: Road) -> None:
    agent(road)
    compiled = road.compile(AGENT)
    assert road.run(compiled, {"to": "ana@house"}).outputs["said"] == "ana@house"
    assert road.ran == ["{'copy': 'none', 'to': 'ana@house'}"]
    with pytest.raises(Denied) as denied:
        road.run(compiled, {"to": "bob@street"})
    assert str(denied.value) == (
        "tool 'send', asked for by node 'agent', is denied by rule 'inside' of policy 'house': mail stays in the house"
    )
    assert len(road.ran) == 1
    records: list[Any] = road.records(compiled, {"to": "bob@street"})
    assert decisions(records, "run") == [("tool", "deny", "inside", "mail stays in the house")]


def test_a_rule_over_nodes_governs_what_an_agent_does_with_it(road: Road) -> None:
    agent(road, OPEN + rule("!inputs.to.endsWith('@house')"))
    with pytest.raises(Denied):
        road.run(AGENT, {"to": "bob@street"})


def test_the_defaults_of_a_held_kind_are_judged_where_a_model_leaves_them_out(road: Road) -> None:
    agent(road, OPEN + rule("args.copy != 'none'", resource="tool"))
    assert road.run(AGENT, {"to": "x"}).stop == "finished"
    road.policies[:] = [OPEN + rule("args.copy == 'none'", resource="tool")]
    with pytest.raises(Denied):
        road.run(AGENT, {"to": "x"})


def test_an_input_that_a_model_leaves_out_counts_against_the_request(road: Road) -> None:
    agent(road, OPEN + rule("inputs.to == 'x'", resource="tool"), given={})
    with pytest.raises(Denied):
        road.run(AGENT, {"to": "x"})


def test_even_code_that_swallows_everything_does_not_outlive_a_denial(road: Road) -> None:
    def work(tools: list[str], to: str, ctx: Context) -> dict[str, Json]:
        del tools
        try:
            ctx.decide_tool("send", {"to": to})
        except BaseException:
            road.note("swallowed")
        return {"said": "all the same"}

    agent(road)
    road.kind("stubborn", work, {"to": "string"}, {"said": "string"}, schema=HOLDS)
    with pytest.raises(Denied):
        road.run(AGENT.replace('kind = "agent"', 'kind = "stubborn"'), {"to": "bob@street"})
    assert road.ran == ["swallowed"]


@pytest.mark.parametrize(
    ("tool", "given", "why"),
    [
        ("control.pass", {}, "kind 'agent' may not use kind 'control.pass'"),
        (
            "send",
            {"to": "a", "bcc": "b"},
            "may not use argument 'bcc' of kind 'send': 'send' takes nothing of that name",
        ),
    ],
)
def test_what_is_not_held_and_what_is_not_the_models_to_give_is_not_granted(
    road: Road, tool: str, given: Json, why: str
) -> None:
    agent(road, OPEN, tool=tool, given=given)
    result = road.run(AGENT, {"to": "a"})
    assert road.ran == ["NotGranted"]
    assert why in str(result.outputs["failure"])


def test_a_kind_that_holds_nothing_uses_nothing(road: Road) -> None:
    road.kind("lone", lambda ctx: ctx.decide_tool("send", {}))
    road.policies[:] = [OPEN]
    with pytest.raises(NodeFailed, match="may not use kind 'send'"):
        road.run('[[nodes]]\nname = "lone"\n[[edges]]\nchain = ["__start__", "lone", "__end__"]\n')
