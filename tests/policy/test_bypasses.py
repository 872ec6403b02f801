"""One attempt at each hole that a sentence of FORMATS.md's section on policies closes; none gets through.

What rules over paths and flows close is tried where they are tested.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.owner.at_run import held
from grapharc.spec.arguments.given import NotTaken, Pinned
from grapharc.spec.json_value import Json
from tests.pipeline import admit_file
from tests.policy.judging import codes, judged, opened

OPEN = 'name = "house"\ndefault = "allow"\n'
KINDS = """
[[kind]]
name = "team.agent"
version = "1"
summary = "Use what it holds."
entry = "team.py:agent"
capabilities = []
[kind.args]
type = "object"
additionalProperties = false
properties.tools = { type = "array", items = { type = "string", format = "kind" } }
[[kind]]
name = "team.deploy"
version = "1"
summary = "Bring it to production."
entry = "team.py:deploy"
capabilities = ["network"]
args = { type = "object", additionalProperties = false, properties.where = { type = "string" } }
[[kind]]
name = "team.release"
version = "1"
summary = "Bring it to everybody."
entry = "team.py:release"
capabilities = ["network"]
[[kind]]
name = "team.ask"
version = "1"
summary = "Ask a model."
entry = "team.py:ask"
capabilities = ["model"]
reads = { path = { type = "string", format = "workspace-path", default = "reports/a" } }
cost = { tokens = "args.max_tokens" }
[kind.args]
type = "object"
additionalProperties = false
properties.role = { type = "string", format = "role" }
properties.max_tokens = { type = "integer", default = 1000 }
"""
REGISTRY = """
[[use]]
kind = "*"
[[use]]
from = "kinds.toml"
kind = "team.*"
[[use]]
from = "kinds.toml"
kind = "team.release"
as = "harmless"
[models]
writer = { spec = "openai/gpt-4o", price = { input = 1000, output = 1000 } }
free = "openai/gpt-4o-mini"
"""


def rule(effect: str, resource: str, match: str, more: str = "", identity: str = "r") -> str:
    lines = [f'id = "{identity}"', f'effect = "{effect}"', f'resource = "{resource}"', f'match = "{match}"', more]
    return "\n".join(["[[rule]]", *lines, ""])


class Project:
    """A folder with a graph, its registry, and one policy or two."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.put("kinds.toml", KINDS)
        self.put("registry.toml", REGISTRY)

    def put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")

    def judged(self, nodes: list[Json], edges: Json, policy: str, tenant: str | None = None) -> Admission:
        self.put("policy.toml", policy)
        self.put("graph.json", json.dumps({"nodes": nodes, "edges": edges}))
        return admit_file(self.folder / "graph.json", tenant)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def chain(*names: str) -> Json:
    return [{"chain": ["__start__", *names, "__end__"]}]


DEPLOY: Json = {"name": "tidy_up", "kind": "team.deploy"}
NO_DEPLOY = OPEN + rule("deny", "node", "team.deploy")


def test_a_harmless_name_of_the_node(project: Project) -> None:
    assert codes(project.judged([DEPLOY], chain("tidy_up"), NO_DEPLOY)) == ["node_denied"]


def test_a_name_of_the_node_that_an_allow_names(project: Project) -> None:
    closed = 'default = { edge = "allow" }\n' + rule("allow", "node", "tidy_up")
    assert codes(project.judged([DEPLOY], chain("tidy_up"), closed)) == ["node_denied"]


def test_an_alias_of_the_registry(project: Project) -> None:
    aliased: Json = {"name": "a", "kind": "harmless"}
    assert codes(project.judged([aliased], chain("a"), OPEN + rule("deny", "node", "team.release"))) == ["node_denied"]
    by_kind = OPEN + rule("deny", "node", "*", "when = \"node.kind == 'team.release'\"")
    assert codes(project.judged([aliased], chain("a"), by_kind)) == ["node_denied"]


def test_an_alias_of_an_edges_end(project: Project) -> None:
    aliased: Json = {"name": "a", "kind": "harmless"}
    policy = OPEN + rule("deny", "edge", "* -> team.release")
    assert codes(project.judged([aliased], chain("a"), policy)) == ["edge_denied"]


def test_an_allow_for_the_kind_behind_an_alias(project: Project) -> None:
    aliased: Json = {"name": "a", "kind": "harmless"}
    closed = 'default = { edge = "allow" }\n' + rule("allow", "node", "team.release")
    assert codes(project.judged([aliased], chain("a"), closed)) == ["node_denied"]


def test_an_agent_that_holds_the_kind(project: Project) -> None:
    holding: Json = {"name": "a", "kind": "team.agent", "args": {"tools": ["tool.write_file"]}}
    for resource in ("node", "tool"):
        policy = OPEN + rule("deny", resource, "tool.write_file")
        assert codes(project.judged([holding], chain("a"), policy)) == ["tool_denied"]


def test_a_tool_as_a_node(project: Project) -> None:
    node: Json = {"name": "a", "kind": "tool.list_dir", "reads": {"path": "'.'"}, "writes": {}}
    policy = OPEN + rule("deny", "tool", "tool.list_dir")
    assert codes(project.judged([node], chain("a"), policy)) == ["node_denied"]


def test_a_default_for_nodes_does_not_let_a_tool_in(project: Project) -> None:
    holding: Json = {"name": "a", "kind": "team.agent", "args": {"tools": ["tool.list_dir"]}}
    closed = 'default = { node = "allow", edge = "allow" }\n'
    assert codes(project.judged([holding], chain("a"), closed)) == ["tool_denied"]
    node: Json = {"name": "a", "kind": "tool.list_dir", "reads": {"path": "'.'"}, "writes": {}}
    assert codes(project.judged([node], chain("a"), closed)) == ["tool_denied"]


@pytest.mark.parametrize("resource", ["node", "edge", "tool"])
def test_a_resource_that_the_default_leaves_out(project: Project, resource: str) -> None:
    default = ", ".join(f'{each} = "allow"' for each in ("node", "edge", "tool") if each != resource)
    node: Json = {"name": "a", "kind": "tool.list_dir", "reads": {"path": "'.'"}, "writes": {}}
    found = codes(project.judged([node], chain("a"), f"default = {{ {default} }}\n"))
    assert set(found) == {f"{resource}_denied"}


def test_a_subgraph_around_the_kind(project: Project) -> None:
    project.put("inner.json", json.dumps({"nodes": [DEPLOY], "edges": chain("tidy_up")}))
    nested: Json = {"name": "a", "kind": "graph", "args": {"path": "inner.json"}}
    assert codes(project.judged([nested], chain("a"), NO_DEPLOY)) == ["node_denied"]
    edge = OPEN + rule("deny", "edge", "__start__ -> team.deploy")
    assert codes(project.judged([nested], chain("a"), edge)) == ["edge_denied"]


def test_a_subgraph_of_a_subgraph_beyond_the_depth(project: Project) -> None:
    project.put("inner.json", json.dumps({"nodes": [DEPLOY], "edges": chain("tidy_up")}))
    nested: Json = {"name": "a", "kind": "graph", "args": {"path": "inner.json"}}
    project.put("middle.json", json.dumps({"nodes": [nested], "edges": chain("a")}))
    outer: Json = {"name": "b", "kind": "graph", "args": {"path": "middle.json"}}
    assert codes(project.judged([outer], chain("b"), OPEN + "[limits]\nmax_depth = 2\n")) == ["too_deep"]
    assert codes(project.judged([outer], chain("b"), OPEN + "[limits]\nmax_nodes = 2\n")) == ["too_many_nodes"]
    by_depth = OPEN + rule("deny", "node", "team.deploy", 'when = "graph.depth > 2 && graph.node_count > 2"')
    assert codes(project.judged([outer], chain("b"), by_depth)) == ["node_denied"]


def test_where_a_used_up_loop_leads_and_an_error_edge(project: Project) -> None:
    nodes: list[Json] = [{"name": name, "kind": "control.pass"} for name in ("a", "b")]
    loop: Json = {"source": "b", "target": "a", "otherwise": True, "loop": {"max_rounds": 2, "exhausted": "tidy_up"}}
    edges: list[Json] = [
        {"chain": ["__start__", "a", "b"]},
        {"source": "b", "target": "__end__", "when": "1 > 2"},
        loop,
        {"chain": ["tidy_up", "__end__"]},
    ]
    policy = OPEN + rule("deny", "edge", "control.pass -> team.deploy")
    assert "edge_denied" in codes(project.judged([*nodes, DEPLOY], edges, policy))
    on_error: Json = [*chain("a", "b"), {"source": "b", "target": "tidy_up", "on": "error"}]  # type: ignore[list-item]
    assert "edge_denied" in codes(project.judged([*nodes, DEPLOY], on_error, policy))


@pytest.mark.parametrize("path", ["reports/../secret", "./../secret", "reports//../../x"])
def test_dots_in_a_path(project: Project, path: str) -> None:
    node: Json = {
        "name": "a",
        "kind": "tool.write_file",
        "reads": {"path": f"'{path}'", "text": "'x'"},
        "writes": {},
    }
    policy = OPEN + rule("deny", "node", "tool.write_file", "when = \"!inputs.path.startsWith('reports/')\"")
    judged_ = project.judged([node], chain("a"), policy)
    assert judged_.verdict == "refused"
    assert codes(judged_) == ["node_denied", "workspace_path_leads_out"]


def test_a_path_that_is_written_otherwise(project: Project) -> None:
    node: Json = {
        "name": "a",
        "kind": "tool.write_file",
        "reads": {"path": "'./secret//x'", "text": "'x'"},
        "writes": {},
    }
    policy = OPEN + rule("deny", "node", "tool.write_file", "when = \"inputs.path.startsWith('secret/')\"")
    assert codes(project.judged([node], chain("a"), policy)) == ["node_denied"]


def test_an_input_that_is_left_to_its_default(project: Project) -> None:
    node: Json = {"name": "a", "kind": "team.ask", "args": {"role": "writer"}}
    policy = OPEN + rule("deny", "node", "team.ask", "when = \"inputs.path == 'reports/a'\"")
    assert codes(project.judged([node], chain("a"), policy)) == ["node_denied"]


def test_an_argument_that_is_left_out(project: Project) -> None:
    unguarded = OPEN + rule("deny", "node", "team.deploy", "when = \"args.where == 'production'\"")
    assert codes(project.judged([DEPLOY], chain("tidy_up"), unguarded)) == ["absent_unguarded"]
    guarded = OPEN + rule("deny", "node", "team.deploy", "when = \"!has(args.where) || args.where != 'test'\"")
    assert codes(project.judged([DEPLOY], chain("tidy_up"), guarded)) == ["node_denied"]


def test_an_argument_that_is_left_to_its_default(project: Project) -> None:
    node: Json = {"name": "a", "kind": "team.ask", "args": {"role": "writer"}}
    policy = OPEN + rule("deny", "node", "team.ask", 'when = "args.max_tokens >= 1000"')
    assert codes(project.judged([node], chain("a"), policy)) == ["node_denied"]


def test_a_condition_that_fails(project: Project) -> None:
    policy = OPEN + rule("deny", "node", "team.deploy", 'when = "1 / (graph.depth - 1) > 0"')
    assert codes(project.judged([DEPLOY], chain("tidy_up"), policy)) == ["node_denied"]


@pytest.mark.parametrize("order", [0, 1])
def test_a_second_policy_that_allows(order: int) -> None:
    graph = '[[nodes]]\nname = "a"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "a", "__end__"]\n'
    policies = [OPEN + rule("deny", "node", "control.pass"), OPEN + rule("allow", "node", "*")]
    assert codes(judged(graph, *policies[:: -1 if order else 1])) == ["node_denied"]
    limits = [OPEN + "[limits]\nmax_nodes = 0\n", OPEN + "[limits]\nmax_nodes = 9\n"]
    assert codes(judged(graph, *limits[:: -1 if order else 1])) == ["too_many_nodes"]


def test_an_allow_for_one_tenant_under_a_deny_for_all(project: Project) -> None:
    policy = NO_DEPLOY + rule("allow", "node", "team.deploy", 'tenant = "acme"', "mine")
    assert codes(project.judged([DEPLOY], chain("tidy_up"), policy, "acme")) == ["node_denied"]


def test_a_tenant_that_nobody_named(project: Project) -> None:
    for_default = OPEN + rule("deny", "node", "team.deploy", 'tenant = "default"')
    assert codes(project.judged([DEPLOY], chain("tidy_up"), for_default)) == ["node_denied"]
    listed = 'tenants = ["acme"]\n' + OPEN
    assert codes(project.judged([DEPLOY], chain("tidy_up"), listed)) == ["tenant_not_served"]
    by_when = OPEN + rule("deny", "node", "team.deploy", "when = \"tenant != 'acme'\"")
    assert codes(project.judged([DEPLOY], chain("tidy_up"), by_when)) == ["node_denied"]


@pytest.mark.parametrize("key", ["policy", "policies", "registry", "tenant", "rule"])
def test_a_graph_that_names_what_governs_it(project: Project, key: str) -> None:
    project.put("policy.toml", OPEN)
    graph: Json = {"nodes": [DEPLOY], "edges": chain("tidy_up"), key: "mine.toml"}
    project.put("graph.json", json.dumps(graph))
    assert codes(admit_file(project.folder / "graph.json")) == ["unknown_key"]


def test_many_cheap_calls_instead_of_a_dear_one(project: Project) -> None:
    ask: Json = {"name": "a", "kind": "team.ask", "args": {"role": "writer"}}
    for match in ("team.ask", "role:writer", "capability:model", "team.*"):
        policy = OPEN + rule("deny", "spend", match, "over_usd = 0.9")
        assert codes(project.judged([ask], chain("a"), policy)) == ["spend_denied"]


def test_a_role_that_has_no_price(project: Project) -> None:
    ask: Json = {"name": "a", "kind": "team.ask", "args": {"role": "free"}}
    policy = OPEN + rule("deny", "spend", "team.ask", "over_usd = 100")
    assert codes(project.judged([ask], chain("a"), policy)) == ["unpriced_role"]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (rule("allow", "spend", "*", "over_usd = 1"), "nothing_to_allow"),
        (rule("allow", "path", "* -> *"), "nothing_to_allow"),
        (rule("allow", "flow", "* -> *"), "nothing_to_allow"),
        (rule("deny", "node", "* -> team.deploy"), "match_is_an_edge"),
        (rule("deny", "edge", "team.deploy"), "match_is_no_edge"),
        (rule("deny", "node", "team.*", "over_usd = 1"), "key_does_not_apply"),
        (rule("deny", "node", "team.*", 'unless_via = "verify.*"'), "key_does_not_apply"),
        (rule("deny", "node", "role:writer"), "unknown_selector"),
        (rule("deny", "node", "label:*"), "selector_is_no_glob"),
        (rule("deny", "spend", "*"), "missing_key"),
        (rule("deny", "spend", "*", "over_usd = nan"), "not_a_number"),
        (rule("deny", "spend", "*", "over_usd = inf"), "not_a_number"),
        (rule("deny", "spend", "*", "over_usd = -1"), "out_of_range"),
        ('default = "ask"\n', "unknown_value"),
        ('default = { spend = "allow" }\n', "unknown_key"),
        (rule("deny", "node", "team.*", 'when = ""'), "empty_value"),
        (rule("deny", "node", "team.*", "whne = \"tenant == 'acme'\""), "unknown_key"),
    ],
)
def test_a_policy_that_does_not_say_what_it_means_admits_nothing(project: Project, lines: str, code: str) -> None:
    policy = lines if lines.startswith("default") else OPEN + lines
    assert code in {finding.code for finding in opened(policy).findings}
    node: Json = {"name": "a", "kind": "control.pass"}
    judged_ = project.judged([node], chain("a"), policy)
    assert judged_.verdict == "refused"
    assert [each for each in codes(judged_) if each.endswith("_denied")] == []


def test_an_argument_that_the_owner_pinned_is_no_models_to_give(project: Project) -> None:
    pinned = '[[use]]\nkind = "tool.read_file"\nargs = { root = "handbook" }\n'
    project.put("registry.toml", pinned + REGISTRY)
    holding: Json = {"name": "a", "kind": "team.agent", "args": {"tools": ["tool.read_file"]}}
    policy = OPEN + rule("deny", "tool", "tool.read_file", "when = \"args.root != 'handbook'\"")
    judged_ = project.judged([holding], chain("a"), policy)
    assert codes(judged_) == []
    tool = held(judged_.grounds)["a"]["tool.read_file"]
    with pytest.raises(Pinned, match="root"):
        tool.complete({"path": "a", "root": "elsewhere"})
    with pytest.raises(NotTaken, match="pth"):
        tool.complete({"pth": "a"})
    assert tool.complete({"path": "./a//b"}) == {"path": "a/b", "root": "handbook"}
