"""From documents to runs: what was admitted is compiled and runs as it was admitted, all else is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grapharc.compiler.compile import compile_graph
from grapharc.compiler.compiled import CompiledGraph
from grapharc.policy.admission import Admission
from grapharc.project.files import DiskLoader
from grapharc.runtime.errors import ExpressionFailed, NodeFailed, OverBudget, OverDeclaredCost
from grapharc.runtime.refusals import NotAdmitted
from grapharc.runtime.workspace import Workspace
from tests.pipeline import admit_file

MANIFEST = """
[types.Item]
name = "string"
weight = { type = "integer", default = 1 }

[[kind]]
name = "own.items"
version = "1"
summary = "Make items."
entry = "own.py:items"
capabilities = []
writes = { items = "list[Item]" }
args = { type = "object", required = ["names"], properties = { names = { type = "array" } } }

[[kind]]
name = "own.say"
version = "1"
summary = "Say something about values."
entry = "own.py:say"
capabilities = []
reads = { subject = "json", tone = { type = "string", default = "plain" } }
writes = { said = "string" }
args.type = "object"
args.required = ["text"]
args.properties.text = { type = "string", format = "template" }
args.properties.deep = { type = "array" }

[[kind]]
name = "own.deep"
version = "1"
summary = "Take templates and expressions deep in its arguments."
entry = "own.py:deep"
capabilities = []
reads = { tone = { type = "string", default = "plain" } }
writes = { seen = "json" }
args.type = "object"
args.properties.value = { type = "string", format = "expression" }
args.properties.steps.type = "array"
args.properties.steps.items.type = "object"
args.properties.steps.items.properties.text = { type = "string", format = "template" }

[[kind]]
name = "own.ask"
version = "1"
summary = "Ask the model of a role twice."
entry = "own.py:ask"
capabilities = ["model", "read_files"]
env = ["OWN_TOKEN"]
writes = { reply = "string" }
args = { type = "object", required = ["role"], properties = { role = { type = "string", format = "role" } } }
cost = { tokens = 40 }
"""

OWN = '''
from grapharc.runtime.models.roles import open_model


def items(*, names):
    return {"items": [{"name": name} for name in names]}


def say(*, subject, tone, text, deep=None):
    return {"said": f"{text} ({tone}, {subject!r}, {deep!r})"}


def deep(*, tone, value=None, steps=None):
    return {"seen": [tone, value, steps]}


def ask(*, role, ctx):
    """Use everything of ctx that a manifest can grant."""
    assert ctx.node == "ask" and ctx.kind == "own.ask" and ctx.run_id
    assert dict(ctx.env) == {"OWN_TOKEN": "t0ken"}
    assert ctx.seconds_left() > 1
    with open(ctx.workspace.beneath(".").open("note.txt", 0)) as note:
        said = note.read()
    replies = [open_model(role, ctx).invoke(said).text for _ in range(2)]
    return {"reply": " ".join(replies)}
'''

REGISTRY = """
[[use]]
kind = "control.*"

[[use]]
from = "own.toml"
kind = "own.*"

[models]
writer = "mock/replies.json"
"""

POLICY = 'name = "own"\nversion = "1"\ndefault = "allow"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {"own.toml": MANIFEST, "own.py": OWN, "registry.toml": REGISTRY, "policy.toml": POLICY}
    for name, text in {**files, "replies.json": json.dumps(["one", "two"]), "note.txt": "1234"}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def admitted(project: Path, text: str) -> Admission:
    """Admit a graph that is written in TOML."""
    (project / "graph.toml").write_text(text, "utf-8")
    return admit_file(project / "graph.toml")


def compiled(project: Path, text: str) -> CompiledGraph:
    """Compile a graph that is written in TOML."""
    admission = admitted(project, text)
    assert admission.verdict == "admitted", admission.findings
    return compile_graph(
        admission,
        loader=DiskLoader(str(project)),
        workspace=Workspace(project),
        environment={"OWN_TOKEN": "t0ken", "OTHER": "x"},
    )


def test_templates_expressions_defaults_and_records_meet_in_one_run(project: Path) -> None:
    done = compiled(
        project,
        """
        name = "meeting"
        [state]
        topic = { type = "string", input = true }
        items = "list[Item]"
        said = { type = "string", output = true }
        heaviest = { type = "integer", output = true }
        [[nodes]]
        name = "make"
        kind = "own.items"
        args = { names = ["a", "b"] }
        [[nodes]]
        name = "say"
        kind = "own.say"
        args = { text = "{{On}} {topic}: {items}, {first.name}", deep = [{ x = [1] }] }
        reads = { subject = "items.map(i, i.name)", first = "items[0]" }
        [[nodes]]
        name = "weigh"
        kind = "control.set"
        reads = { value = "items.map(i, i.weight)[1] + size(topic)" }
        writes = { result = "heaviest" }
        [[edges]]
        chain = ["__start__", "make", "say", "__end__"]
        [[edges]]
        chain = ["make", "weigh", "__end__"]
        """,
    ).invoke({"topic": "weights"})
    assert done.outputs == {
        "said": '{On} weights: [{"name":"a","weight":1},{"name":"b","weight":1}], a'
        " (plain, ['a', 'b'], [{'x': [1]}])",
        "heaviest": 8,
    }


def test_an_expression_that_fails_ends_the_run_with_its_place(project: Path) -> None:
    graph = compiled(
        project,
        """
        [state]
        items = { type = "list[integer]", input = true }
        n = { type = "integer", output = true }
        [[nodes]]
        name = "pick"
        kind = "control.set"
        reads = { value = "items[2]" }
        writes = { result = "n" }
        [[edges]]
        chain = ["__start__", "pick", "__end__"]
        """,
    )
    assert graph.invoke({"items": [1, 2, 3]}).outputs == {"n": 3}
    with pytest.raises(ExpressionFailed) as caught:
        graph.invoke({"items": []})
    words = "port 'value' of node 'pick' cannot be evaluated: index 2 of a list of 0, in 'items[2]'"
    assert str(caught.value) == f"graph.toml:8:28: {words}"


DEEP = """
[state]
topic = { type = "json", input = true }
seen = { type = "json", output = true }
[[nodes]]
name = "deep"
kind = "own.deep"
args = { value = "topic.n * 2", steps = [{ text = "{tone} {topic.name}" }, { text = "{{}}" }] }
[[edges]]
chain = ["__start__", "deep", "__end__"]
"""


def test_templates_and_expressions_deep_in_arguments_are_filled_in(project: Path) -> None:
    graph = compiled(project, DEEP)
    for _ in range(2):
        done = graph.invoke({"topic": {"n": 21, "name": "x"}})
        assert done.outputs == {"seen": ["plain", 42, [{"text": "plain x"}, {"text": "{}"}]]}


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ({"n": 1}, "argument 'steps' of node 'deep' cannot be evaluated: there is no such value, in '{topic.name}'"),
        ({"name": "x"}, "argument 'value' of node 'deep' cannot be evaluated: there is no key 'n', in 'topic.n * 2'"),
        ({"n": "x", "name": "x"}, "argument 'value' of node 'deep' cannot be evaluated: '*' does not take string"),
    ],
)
def test_what_an_argument_lacks_is_said(project: Path, topic: dict[str, object], words: str) -> None:
    with pytest.raises(ExpressionFailed) as caught:
        compiled(project, DEEP).invoke({"topic": topic})
    assert words in str(caught.value)


ASKING = """
[state]
reply = { type = "string", output = true }
[budget]
max_seconds = 60
[[nodes]]
name = "ask"
kind = "own.ask"
args = { role = "writer" }
[[edges]]
chain = ["__start__", "ask", "__end__"]
"""


def test_an_owners_kind_is_granted_what_its_manifest_declares(project: Path) -> None:
    done = compiled(project, ASKING).invoke()
    assert done.outputs == {"reply": "one two"}
    assert (done.spent.calls, done.spent.tokens, done.spent.usd) == (2, 4, 0)


def test_each_run_has_its_own_cursor(project: Path) -> None:
    graph = compiled(project, ASKING)
    assert graph.invoke().outputs == graph.invoke().outputs == {"reply": "one two"}


def test_what_the_manifest_declares_as_worst_case_is_held(project: Path) -> None:
    (project / "note.txt").write_text("1234" * 40)
    with pytest.raises(OverDeclaredCost, match="declares as its worst case, 40 tokens: 41 tokens spent"):
        compiled(project, ASKING).invoke()


@pytest.mark.parametrize(
    ("reach", "why"),
    [
        ("ctx.role('writer')", "kind 'own.items' may not use role 'writer'"),
        ("ctx.workspace", "kind 'own.items' may not use the workspace: its manifest does not declare read_files or"),
        ("ctx.read_beside('registry.toml', 'replies.json')", "may not use 'replies.json'"),
        ("ctx.env['OWN_TOKEN']", "KeyError"),
    ],
)
def test_a_kind_that_reaches_for_more_fails(project: Path, reach: str, why: str) -> None:
    (project / "own.py").write_text(f"{OWN}\n\ndef items(*, names, ctx):\n    {reach}\n", "utf-8")
    graph = compiled(
        project,
        """
        [state]
        items = { type = "list[Item]", output = true }
        [[nodes]]
        name = "make"
        kind = "own.items"
        args = { names = [] }
        [[edges]]
        chain = ["__start__", "make", "__end__"]
        """,
    )
    with pytest.raises(NodeFailed, match=why):
        graph.invoke()


RULE = """
[[rule]]
id = "ours"
effect = "{effect}"
resource = "node"
match = "own.ask"
reason = "it asks"
{more}
"""


@pytest.mark.parametrize(
    ("effect", "more", "code", "codes"),
    [
        ("deny", "", "not_admitted", ("node_denied",)),
        ("ask", 'approver_role = "sre"', "approval_without_session", ("node_needs_approval",)),
    ],
)
def test_what_was_refused_or_waits_for_a_person_is_not_compiled(
    project: Path, effect: str, more: str, code: str, codes: tuple[str, ...]
) -> None:
    (project / "policy.toml").write_text(POLICY + RULE.format(effect=effect, more=more))
    with pytest.raises(NotAdmitted) as caught:
        compile_graph(admitted(project, ASKING))
    assert (caught.value.code, caught.value.codes) == (code, codes)
    assert str(caught.value).startswith("the graph is refused" if effect == "deny" else "the graph needs approval")


def test_the_budget_is_the_least_that_was_set(project: Path) -> None:
    (project / "policy.toml").write_text(f"{POLICY}[limits]\nmax_iterations = 1\n")
    admission = admitted(project, ASKING.replace("max_seconds = 60", "max_iterations = 5"))
    graph = compile_graph(
        admission, loader=DiskLoader(str(project)), workspace=Workspace(project), environment={"OWN_TOKEN": "t0ken"}
    )
    assert graph.runs.budget.max_iterations == 1
    with pytest.raises((OverBudget, NodeFailed)):
        graph.invoke(budget=graph.runs.budget.__class__(max_iterations=0))


def test_compiling_imports_kinds_and_checking_does_not(project: Path) -> None:
    (project / "own.py").write_text(f"import os\nopen({str(project / 'ran')!r}, 'w').close()\n{OWN}", "utf-8")
    admission = admitted(project, ASKING)
    assert not (project / "ran").exists()
    compile_graph(admission, loader=DiskLoader(str(project)))
    assert (project / "ran").exists()


def test_the_trace_says_by_what_it_was_admitted(project: Path) -> None:
    graph = compiled(project, ASKING)
    graph.invoke(trace=project / "t.jsonl")
    start: Any = json.loads((project / "t.jsonl").read_text().splitlines()[0])
    assert start["admission"]["graph"].startswith("sha256:")
    assert start["admission"]["policies"] != []
    assert start["admission"]["tenant"] == "default"
    assert start["budget"] == {"max_seconds": 60.0}
