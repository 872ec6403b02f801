"""Bytes become documents: their kind is told, the syntax's faults and the model's are reported together."""

from __future__ import annotations

import pytest

from grapharc.spec.document import locate
from grapharc.spec.documents.graph import GraphModel, NodeModel
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import pointer
from grapharc.spec.read import holds, read, read_graph, read_policy, read_registry
from grapharc.spec.reasons import message, remedy


def told(findings: tuple[Finding, ...]) -> list[str]:
    assert all(remedy(finding) for finding in findings)
    return [f"{pointer(finding.place.path)}: {message(finding)} [{finding.code}]" for finding in findings]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[[nodes]]\nname = 'a'", "graph"),
        ("edges = []", "graph"),
        ("[[rule]]\nid = 'a'\neffect = 'deny'\nresource = 'node'\nmatch = 'a'", "policy"),
        ("default = 'allow'", "policy"),
        ("tenants = ['a']", "policy"),
        ("[limits]\nmax_nodes = 3", "policy"),
        ("[[use]]\nkind = 'tool.*'", "registry"),
        ("[[kind]]\nname = 'a'\nentry = 'a:b'\ncapabilities = []", "manifest"),
        ("[grapharc]\ntenant = 'acme'", "project"),
        ("[[case]]\nname = 'nobody writes'\nexpect = 'deny'", "test"),
        ("approval = []", "approvals"),
    ],
)
def test_the_kind_is_told_by_top_level_keys(text: str, kind: str) -> None:
    document, findings = read(text.encode(), "some.toml")
    assert document is not None
    assert (document.kind, findings) == (kind, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[[node]]\nname = 'a'",
            "/node: this is no document that GraphARC reads: key 'node' would have to be 'nodes' for a graph",
        ),
        (
            "[[rules]]\nid = 'a'",
            "/rules: this is no document that GraphARC reads: key 'rules' would have to be 'rule' for a policy",
        ),
        (
            "[models]\nwriter = 'x/y'\n[types]\n[state]",
            ": this is no document that GraphARC reads, the nearest is a registry, told by a key of 'use'",
        ),
        ("", ": this is no document that GraphARC reads"),
        ("colour = 'red'", ": this is no document that GraphARC reads"),
    ],
)
def test_a_document_of_no_kind_is_told_the_nearest(text: str, said: str) -> None:
    document, findings = read(text.encode(), "some.toml")
    assert document is None
    assert told(findings) == [f"{said} [unknown_document]"]


def test_a_list_is_no_document() -> None:
    assert told(read(b"[{}]", "some.json")[1]) == [": this is no document that GraphARC reads [unknown_document]"]


def test_a_document_in_the_place_of_another() -> None:
    document, findings = read_registry(b"[[nodes]]\nname = 'a'\n", "registry.toml")
    assert told(findings) == [
        "/nodes: a registry is needed here and this is a graph, as its key 'nodes' tells [wrong_document]"
    ]
    assert document.damaged == {()}
    assert (document.kind, document.model.use) == ("registry", {})


def test_what_must_be_of_a_kind_needs_no_telling_key() -> None:
    document, findings = read_registry(b"[models]\nwriter = 'mock/a.json'\n", "registry.toml")
    assert findings == ()
    assert document.model.models["writer"].spec == "mock/a.json"
    assert told(read_graph(b'{"nodess": []}', "a.json")[1]) == [
        "/nodess: unknown key 'nodess', did you mean 'nodes'? [unknown_key]"
    ]


def test_models_are_told_apart() -> None:
    document, _ = read(b'{"nodes": []}', "a.json")
    assert document is not None
    assert holds(document, GraphModel)
    assert not holds(document, PolicyModel)


def test_faults_of_syntax_and_of_the_model_come_together() -> None:
    data = b'{"nodes": [{"kin": "x", "name": "a"}, {"name": }, {"kind": "b"}], "budget": {"max_tokens": "3"}'
    document, findings = read_graph(data, "a.json")
    codes = ["missing_key", "syntax_error", "unclosed_bracket", "unknown_key", "wrong_type"]
    assert sorted(finding.code for finding in findings) == codes
    assert document.findings == findings
    assert document.model.nodes == {0: NodeModel(name="a")}
    assert document.is_damaged(("nodes", 1, "name"))


@pytest.mark.parametrize(
    "data",
    [
        b'{"nodes": [{"kind": ',
        b'{"edges": [{"source": "a"',
        b'{"edges": [{"chain": ["a", 1e999]}]}',
        b"",
        b'{"state": {"a": {"type": }}}',
    ],
)
def test_nothing_is_missing_that_a_syntax_error_swallowed(data: bytes) -> None:
    syntax = {"syntax_error", "unclosed_bracket", "number_out_of_range", "empty_document"}
    _, findings = read_graph(data, "a.json")
    assert {finding.code for finding in findings} <= syntax
    assert findings
    assert read(data, "a.json")[1] == findings


def test_a_shorthand_is_shown_where_it_stands() -> None:
    document, findings = read_graph(b"[state]\ngoal = 3\nclaims = ''\n", "a.toml")
    texts = {document.path: document.text}
    positions = [locate(finding.place, texts) for finding in findings]
    assert [(start.line, start.column, end.column) for start, end in filter(None, positions)] == [
        (2, 8, 9),
        (3, 10, 12),
    ]


def test_a_policy_that_is_damaged_says_so() -> None:
    document, findings = read_policy(b"default = 'allow'\n[[rule]]\nid = 'a'\neffect = 'dney'\n", "policy.toml")
    assert {finding.code for finding in findings} == {"unknown_value", "missing_key"}
    assert document.model.rule == {}
    assert document.is_damaged(("rule", 0))
