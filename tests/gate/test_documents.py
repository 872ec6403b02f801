"""Of every kind of document, and of what accepts findings, a change is told by itself, with its category, in git."""

from __future__ import annotations

from typing import get_args

import pytest

from grapharc.spec.document import DocumentKind
from tests.gate.conftest import GRAPH, POLICY, PROJECT, REGISTRY, Repository

SELECTION = f'models.writer = "mock/replies.json"\n{REGISTRY}[[use]]\nkind = "model.*"\n'
MANIFEST = """
[[kind]]
name = "own.think"
version = "1"
summary = "Think about a text."
entry = "own.py:think"
capabilities = []
[kind.reads]
text = "string"
[kind.writes]
text = "string"
"""
BASELINE = '{"baseline": "1", "findings": [%s]}\n'
ENTRY = '{"code": "field_never_read", "document": "graphs/answer.toml", "fingerprint": "0a", "message": "text"}'
APPROVAL = """
[[approval]]
change = "sha256:4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
who = "ana"
why = "it is needed"
until = "2027-03-01"
says = "the graph may write"
"""
TESTS = '[[case]]\nresource = "node"\nkind = "tool.read_file"\nexpect = "allow"\n'
ALLOWED = "# grapharc: allow field_never_read -- kept for now, until 2027-03-01\n"

ASKING = """
name = "asking"
[state]
question = { type = "string", input = true }
text = { type = "string", output = true }
[[nodes]]
name = "ask"
kind = "model.call"
args = { role = "writer", prompt = { file = "../prompt.md" }, max_tokens = 10 }
[[nodes]]
name = "inner"
kind = "graph"
args = { path = "answer.toml" }
[[edges]]
chain = ["__start__", "ask", "inner", "__end__"]
"""

BEFORE = {
    "grapharc.toml": PROJECT,
    "registry.toml": SELECTION + '[[use]]\nfrom = "own.toml"\nkind = "own.think"\n',
    "replies.json": '["yes"]',
    "prompt.md": "Go on from {question}.",
    "graphs/asking.toml": ASKING,
    "own.toml": MANIFEST,
    "policy.toml": POLICY,
    "graphs/answer.toml": GRAPH,
    "known.json": BASELINE % "",
}

CASES: dict[str, tuple[dict[str, str], tuple[str, str, str, str]]] = {
    "graph": (
        {"graphs/answer.toml": GRAPH.replace('"question"', '"upper(question)"').replace("upper", "")},
        ("graphs/answer.toml", "state", "node_reads", "incomparable"),
    ),
    "policy": (
        {"policy.toml": POLICY.replace('"deny"', '"ask"\napprover_role = "owner"')},
        ("policy.toml", "authority", "rule", "widens"),
    ),
    "registry": (
        {"registry.toml": SELECTION},
        ("registry.toml", "authority", "offer", "narrows"),
    ),
    "manifest": (
        {"own.toml": MANIFEST.replace("[]", '["network"]')},
        ("registry.toml", "authority", "offer_capability", "widens"),
    ),
    "project": (
        {"grapharc.toml": f'{PROJECT}[approvers]\nowner = ["user:eve"]\n'},
        ("grapharc.toml", "authority", "approvers", "widens"),
    ),
    "approvals": (
        {"grapharc.approvals.toml": APPROVAL},
        ("grapharc.approvals.toml", "authority", "approval", "neutral"),
    ),
    "levels": (
        {"grapharc.toml": f'{PROJECT}[severity]\nfield_never_read = "off"\n'},
        ("grapharc.toml", "authority", "severity", "neutral"),
    ),
    "levels of some documents": (
        {"grapharc.toml": f'{PROJECT}[[overrides]]\npaths = ["graphs/**"]\nseverity.single_round = "off"\n'},
        ("grapharc.toml", "authority", "override", "neutral"),
    ),
    "budget": (
        {"grapharc.toml": f"{PROJECT}[budget]\nmax_iterations = 9\n"},
        ("grapharc.toml", "cost", "project_budget", "narrows"),
    ),
    "baseline": (
        {"known.json": BASELINE % ENTRY},
        ("known.json", "authority", "baseline", "neutral"),
    ),
    "replies of a mock": (
        {"replies.json": '["no"]'},
        ("registry.toml", "authority", "replies", "neutral"),
    ),
    "a prompt": (
        {"prompt.md": "Go on from {question}, and end."},
        ("graphs/asking.toml", "topology", "node_argument", "neutral"),
    ),
    "a subgraph": (
        {"graphs/answer.toml": GRAPH.replace('"question" }', "\"question + '!'\" }")},
        ("graphs/asking.toml", "state", "node_reads", "incomparable"),
    ),
    "suppression in a graph": (
        {"graphs/answer.toml": GRAPH.replace("text = {", f"{ALLOWED}text = {{")},
        ("graphs/answer.toml", "authority", "suppression", "neutral"),
    ),
    "suppression in a policy": (
        {"policy.toml": POLICY.replace("[[rule]]", f"{ALLOWED}[[rule]]")},
        ("policy.toml", "authority", "suppression", "neutral"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_change_to_any_document_is_told_with_its_category(case: str, repository: Repository) -> None:
    repository.commit(dict(BEFORE))
    files, said = CASES[case]
    assert all(BEFORE.get(name) != text for name, text in files.items())
    repository.commit(dict(files))
    ran = repository.gate("--base", "HEAD~1", "--head", "HEAD", "--baseline", "known.json", "--json")
    document = ran.json
    told = [(one["document"], one["category"], one["what"], one["direction"]) for one in document["changes"]]
    assert said in told
    back = repository.gate("--base", "HEAD", "--head", "HEAD~1", "--baseline", "known.json", "--json").json
    turned = {"widens": "narrows", "narrows": "widens"}
    assert (*said[:3], turned.get(said[3], said[3])) in [
        (one["document"], one["category"], one["what"], one["direction"]) for one in back["changes"]
    ]


def test_every_kind_of_document_has_its_case() -> None:
    """Tests of policies are the one kind that no graph is held to and that accepts nothing."""
    assert set(get_args(DocumentKind)) - CASES.keys() == {"test"}


def test_tests_of_policies_change_nothing_that_is_told(repository: Repository) -> None:
    repository.commit({"policy_test.toml": TESTS})
    assert repository.gate("--base", "HEAD~1").out.endswith("passes: 0 changes in 1 graph\n")


def test_the_last_override_decides_so_that_their_order_is_told(repository: Repository) -> None:
    rows = [
        f'[[overrides]]\npaths = ["{glob}"]\nseverity = {{ field_never_read = "{level}" }}\n'
        for glob, level in (("graphs/**", "off"), ("graphs/answer.toml", "error"))
    ]
    repository.commit({"grapharc.toml": PROJECT + "".join(rows)})
    repository.commit({"grapharc.toml": PROJECT + "".join(reversed(rows))})
    ran = repository.gate("--base", "HEAD~1", "--head", "HEAD")
    assert "neutral      the levels of lint codes for some documents stand in another order" in ran.out


def test_a_baseline_that_is_nowhere_is_said(repository: Repository) -> None:
    ran = repository.gate("--baseline", "lost.json")
    assert ran.exit == 2
    assert "'lost.json' is there on neither side" in ran.err


def test_what_accepts_findings_is_said_in_words(repository: Repository) -> None:
    repository.commit(dict(BEFORE))
    repository.write(
        {name: text for case in ("baseline", "suppression in a graph") for name, text in CASES[case][0].items()}
    )
    out = repository.gate("--baseline", "known.json").out
    assert "the baseline now accepts 'field_never_read' in graphs/answer.toml: text" in out
    assert "'field_never_read' is now allowed until 2027-03-01: kept for now" in out
