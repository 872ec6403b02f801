"""What a document's value becomes: shorthands written out, wrong things named at their place, the rest kept."""

from __future__ import annotations

import json
from typing import TypeVar

import pytest

from grapharc.spec.document import Document, DocumentKind
from grapharc.spec.documents.fit import fit
from grapharc.spec.documents.graph import ChainModel, EdgeModel, GraphModel, NodeModel
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.documents.policy import DefaultModel, PolicyModel
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.documents.test import CasesModel
from grapharc.spec.documents.typed import MemberModel
from grapharc.spec.documents.validation import rules_of
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Json, pointer
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message, remedy
from grapharc.spec.types import MISSING

ModelT = TypeVar("ModelT")

KINDS: dict[type, DocumentKind] = {
    GraphModel: "graph",
    PolicyModel: "policy",
    RegistryModel: "registry",
    ManifestModel: "manifest",
    ProjectModel: "project",
    CasesModel: "test",
}


def fitted(model: type[ModelT], value: Json) -> tuple[ModelT, Document[ModelT], tuple[Finding, ...]]:
    text, faults = read_text(json.dumps(value).encode(), "x.json")
    assert faults == ()
    made, damaged, findings = fit(text, rules_of(KINDS[model]), model)
    return made, Document(text, KINDS[model], made, damaged), findings


def told(findings: tuple[Finding, ...]) -> list[str]:
    """Place, message and code of each finding; wording its remedy must not fail either."""
    assert all(remedy(finding) for finding in findings)
    return [f"{pointer(finding.place.path)}: {message(finding)} [{finding.code}]" for finding in findings]


def test_the_smallest_graph_of_a_planner() -> None:
    graph, document, findings = fitted(
        GraphModel,
        {
            "nodes": [{"name": "triage"}, {"name": "fix", "kind": "patch"}],
            "edges": [{"source": "__start__", "target": "triage"}, {"source": "triage", "target": "fix"}],
        },
    )
    assert (findings, document.damaged) == ((), frozenset())
    assert graph.nodes == {0: NodeModel(name="triage"), 1: NodeModel(name="fix", kind="patch")}
    assert [node.kind_name for node in graph.nodes.values()] == ["triage", "patch"]
    assert graph.nodes[0].writes is None
    assert graph.edges[1] == EdgeModel(source="triage", target="fix")


def test_shorthands_are_written_out() -> None:
    graph, _, findings = fitted(
        GraphModel,
        {
            "types": {"Claim": {"text": "string", "score": {"type": "number", "default": None}}, "Level": '"a" | "b"'},
            "state": {"goal": "string", "claims": {"type": "list[Claim]", "default": [], "maxItems": 3, "minItems": 1}},
            "edges": [{"chain": ["__start__", "draft", "__end__"]}],
        },
    )
    assert findings == ()
    assert graph.types["Level"] == '"a" | "b"'
    assert graph.types["Claim"] == {
        "text": MemberModel(type="string"),
        "score": MemberModel(type="number", default=None),
    }
    assert (graph.state["goal"].type, graph.state["goal"].default) == ("string", MISSING)
    assert graph.state["claims"].constraints == (("maxItems", 3), ("minItems", 1))
    assert graph.edges == {0: ChainModel(chain=("__start__", "draft", "__end__"))}

    policy, _, findings = fitted(
        PolicyModel,
        {"default": "allow", "rule": [{"id": "a", "effect": "deny", "resource": "node", "match": "tool.*"}]},
    )
    assert findings == ()
    assert policy.default == DefaultModel(node="allow", edge="allow", tool="allow")
    assert policy.rule[0].match == ("tool.*",)
    assert fitted(PolicyModel, {"default": {"edge": "allow"}})[0].default == DefaultModel(node="deny", edge="allow")

    registry, _, findings = fitted(
        RegistryModel,
        {
            "use": [{"kind": "a", "from": "a.toml", "as": "b"}],
            "models": {"writer": "x/y", "other": {"spec": "x/z", "price": {"input": 1, "output": 0.5}}},
            "state": {"goal": "string"},
        },
    )
    assert findings == ()
    assert (registry.use[0].from_, registry.use[0].as_) == ("a.toml", "b")
    assert registry.models["writer"].spec == "x/y"
    assert registry.models["other"].price is not None

    manifest, _, findings = fitted(
        ManifestModel,
        {
            "kind": [
                {
                    "name": "verify.claims",
                    "entry": "a:b",
                    "capabilities": [],
                    "reads": {"claims": "list[Claim]", "source": {"type": "string", "format": "document-path"}},
                    "cost": {"tokens": "args.max_claims * 1500", "usd": 0.5},
                }
            ]
        },
    )
    assert findings == ()
    assert manifest.kind[0].reads["claims"].type == "list[Claim]"
    assert manifest.kind[0].reads["source"].format == "document-path"
    assert manifest.kind[0].cost.tokens == "args.max_claims * 1500"
    assert manifest.kind[0].version == "1"


@pytest.mark.parametrize(
    ("model", "value", "expected"),
    [
        (
            GraphModel,
            {"nodes": [{"nam": "a"}], "budget": {"max_token": 1}},
            [
                "/budget/max_token: unknown key 'max_token', did you mean 'max_tokens'? [unknown_key]",
                "/nodes/0/nam: unknown key 'nam', did you mean 'name'? [unknown_key]",
            ],
        ),
        (
            GraphModel,
            {"nodes": [{"name": "a b"}, {"name": "__end__"}, {"name": "x" * 65}, {"name": "a.b-c"}]},
            [
                "/nodes/0/name: 'a b' cannot be a name here, 'a_b' could [invalid_name]",
                "/nodes/1/name: '__end__' is reserved [reserved_name]",
                f"/nodes/2/name: '{'x' * 65}' cannot be a name here, '{'x' * 64}' could [invalid_name]",
            ],
        ),
        (
            GraphModel,
            {"state": {"class": "string", "in": "string", "__x": "string", "a-b": "string"}, "types": {"list": "json"}},
            [
                "/types/list: 'list' is reserved [reserved_name]",
                "/state/class: 'class' is reserved, it is a keyword of Python [reserved_name]",
                "/state/in: 'in' is reserved, it is a keyword of CEL [reserved_name]",
                "/state/__x: '__x' is reserved [reserved_name]",
                "/state/a-b: 'a-b' cannot be a name here, 'a_b' could [invalid_name]",
            ],
        ),
        (
            GraphModel,
            {"nodes": {}, "edges": "x", "state": []},
            [
                "/state: 'state' must be of type table, not list [wrong_type]",
                "/nodes: 'nodes' must be of type list, not table [wrong_type]",
                "/edges: 'edges' must be of type list, not string [wrong_type]",
            ],
        ),
        (
            GraphModel,
            {"nodes": [{"name": 3}, 5], "edges": [{"chain": ["a", 3]}, {"chain": ["a"]}, {"source": "a"}, {}]},
            [
                "/nodes/0/name: 'name' must be of type string, not integer [wrong_type]",
                "/nodes/1: item 2 of 'nodes' must be of type table, not integer [wrong_type]",
                "/edges/0/chain/1: item 2 of 'chain' must be of type string, not integer [wrong_type]",
                "/edges/1/chain: 'chain' needs at least 2 items and has 1 [too_few_items]",
                "/edges/2: key 'target' is missing [missing_key]",
                "/edges/3: key 'source' is missing [missing_key]",
                "/edges/3: key 'target' is missing [missing_key]",
            ],
        ),
        (
            GraphModel,
            {"edges": [{"chian": ["a", "b"]}, {"sorce": "a", "target": "b"}, {"chain": ["a", "b"], "source": "a"}]},
            [
                "/edges/0/chian: unknown key 'chian', did you mean 'chain'? [unknown_key]",
                "/edges/1/sorce: unknown key 'sorce', did you mean 'source'? [unknown_key]",
                "/edges/2/source: unknown key 'source' [unknown_key]",
            ],
        ),
        (
            GraphModel,
            {"state": {"a": 3, "b": {"type": "string", "reducer": "appnd"}, "c": {"default": 1}, "d": ""}},
            [
                "/state/a: 'a' must be of type string | table, not integer [wrong_type]",
                "/state/b/reducer: 'appnd' is no value of 'reducer', did you mean 'append'? [unknown_value]",
                "/state/c: key 'type' is missing in 'c' [missing_key]",
                "/state/d: 'd' must not be empty [empty_value]",
            ],
        ),
        (
            GraphModel,
            {
                "budget": {"max_seconds": 0, "max_usd": -0.5, "max_iterations": 1.0, "max_concurrency": True},
                "format": "2",
                "description": None,
            },
            [
                "/format: '2' is no value of 'format' [unknown_value]",
                "/description: 'description' must be of type string, not null [wrong_type]",
                "/budget/max_iterations: 'max_iterations' must be of type integer, not number [wrong_type]",
                "/budget/max_seconds: 'max_seconds' is 0 and must be more than 0 [out_of_range]",
                "/budget/max_usd: 'max_usd' is -0.5 and must be at least 0 [out_of_range]",
                "/budget/max_concurrency: 'max_concurrency' must be of type integer, not boolean [wrong_type]",
            ],
        ),
        (GraphModel, [], [": must be of type table, not list [wrong_type]"]),
        (
            PolicyModel,
            {
                "default": "alow",
                "rule": [
                    {"id": "x", "effect": "dney", "resource": "tol", "match": []},
                    {"id": "y", "effect": "deny", "resource": "node", "match": ["a", 3], "whne": "true"},
                ],
                "limits": {"max_nodez": 1},
            },
            [
                "/default: 'alow' is no value of 'default', did you mean 'allow'? [unknown_value]",
                "/rule/0/effect: 'dney' is no value of 'effect', did you mean 'deny'? [unknown_value]",
                "/rule/0/resource: 'tol' is no value of 'resource', did you mean 'tool'? [unknown_value]",
                "/rule/0/match: 'match' must not be empty [empty_value]",
                "/rule/1/match/1: item 2 of 'match' must be of type string, not integer [wrong_type]",
                "/rule/1/whne: unknown key 'whne', did you mean 'when'? [unknown_key]",
                "/limits/max_nodez: unknown key 'max_nodez', did you mean 'max_nodes'? [unknown_key]",
            ],
        ),
        (
            ManifestModel,
            {
                "kind": [
                    {
                        "name": "a",
                        "entry": "a:b",
                        "capabilities": ["clok"],
                        "cost": {"tokens": -1, "seconds": [], "usd": ""},
                        "reads": {"ctx": "string", "x": 1},
                        "writes": {"ctx": "string"},
                        "args": {"type": "object", "properties": {"ctx": {}, "a-b": {}, "fine": {}}},
                    },
                    {"name": "b", "entry": "a:b"},
                ]
            },
            [
                "/kind/0/args/properties/ctx: 'ctx' is reserved [reserved_name]",
                "/kind/0/args/properties/a-b: 'a-b' cannot be a name here, 'a_b' could [invalid_name]",
                "/kind/0/reads/ctx: 'ctx' is reserved [reserved_name]",
                "/kind/0/capabilities/0: 'clok' is no value of 'capabilities', did you mean 'clock'? [unknown_value]",
                "/kind/0/reads/x: 'x' must be of type string | table, not integer [wrong_type]",
                "/kind/0/cost/tokens: 'tokens' is -1 and must be at least 0 [out_of_range]",
                "/kind/0/cost/usd: 'usd' must not be empty [empty_value]",
                "/kind/0/cost/seconds: 'seconds' must be of type number | string, not list [wrong_type]",
                "/kind/1: key 'capabilities' is missing in 'b' [missing_key]",
            ],
        ),
        (
            ProjectModel,
            {"grapharc": {"policy": "base.toml"}, "severity": {"field_never_read": "fatal"}, "approvers": {"a b": []}},
            [
                "/approvers/a b: 'a b' cannot be a name here, 'a_b' could [invalid_name]",
                "/grapharc/policy: 'policy' must be of type list, not string [wrong_type]",
                "/severity/field_never_read: 'fatal' is no value of 'field_never_read' [unknown_value]",
            ],
        ),
    ],
)
def test_what_is_wrong_is_told_at_its_place(model: type[object], value: Json, expected: list[str]) -> None:
    assert sorted(told(fitted(model, value)[2])) == sorted(expected)


def test_what_is_well_formed_is_kept_and_what_is_not_is_damaged() -> None:
    graph, document, _ = fitted(
        GraphModel,
        {
            "state": {"a": "string", "b": {"type": "string", "defalt": "x"}, "c": 3},
            "nodes": [{"name": "a"}, {"kind": "b"}, {"name": "c", "args": 3, "reads": {"p": "q", "r": 1}}],
            "edges": [{"chain": ["a", 3]}, {"source": "a", "target": "c", "colour": "red"}],
        },
    )
    assert set(graph.state) == {"a", "b"}
    assert graph.nodes == {0: NodeModel(name="a"), 2: NodeModel(name="c", reads={"p": "q"})}
    assert graph.edges == {1: EdgeModel(source="a", target="c")}
    assert document.damaged == {
        ("state", "b", "defalt"),
        ("state", "b", "default"),
        ("state", "c"),
        ("nodes", 1),
        ("nodes", 2, "args"),
        ("nodes", 2, "reads", "r"),
        ("edges", 0),
        ("edges", 0, "chain"),
        ("edges", 1, "colour"),
    }
    assert document.is_damaged(("nodes", 2, "args", "x"))
    assert document.is_damaged(("nodes", 1, "name"))
    assert not document.is_damaged(("nodes", 0))


def test_a_value_without_a_document_damages_everything() -> None:
    graph, document, _ = fitted(GraphModel, [])
    assert graph == GraphModel()
    assert document.damaged == {()}
    assert document.is_damaged(("nodes",))


def test_the_value_itself_is_not_touched() -> None:
    value: Json = {"nodes": [{"name": "a", "args": {"x": 1}, "kin": "b"}, {"name": 3}], "budget": {"max_token": 1}}
    document = fitted(GraphModel, value)[1]
    assert document.text.value == value


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ({"source": "plan", "target": "deploy"}, ["write both ends in 'match', as in 'plan -> deploy', or "] * 2),
        ({"from": "plan", "to": "deploy"}, ["write both ends in 'match', as in 'plan -> deploy', or "] * 2),
        ({"target": "deploy"}, ["write both ends in 'match', as in '* -> deploy', or "]),
        ({"source": 3}, ["write both ends in 'match', as in '* -> *', or "]),
        ({"kind": "tool.grep"}, ["write 'match', or "]),
        ({"kind": "tool.grep", "match": "tool.grep"}, [""]),
        ({"source": "plan", "match": "plan -> deploy"}, [""]),
        ({"on": "edge", "match": "plan -> deploy", "resource": None}, ["write 'resource', or "]),
        ({"action": "deny", "match": "plan -> deploy", "effect": None}, ["write 'effect', or "]),
    ],
)
def test_a_rule_in_the_words_of_an_edge_or_a_node_is_told_how_a_rule_says_it(written: Json, right: list[str]) -> None:
    assert isinstance(written, dict)
    said = {"id": "r", "effect": "deny", "resource": "edge", **written}
    rule: Json = {key: value for key, value in said.items() if value is not None}
    findings = fitted(PolicyModel, {"rule": [rule]})[2]
    assert {finding.code for finding in findings} == {"unknown_key"}
    assert [remedy(finding).partition("remove the key; allowed are")[0] for finding in findings] == right
