"""What a project is made of is no file of its workspace: no graph gives itself what it may do."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

import grapharc
from grapharc.project.check import check_documents
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted
from grapharc.project.settings import Flags
from grapharc.runtime.errors import RunError
from grapharc.spec.reasons import message

MANIFEST = """
[[kind]]
name = "own.answer"
version = "1"
summary = "s"
entry = "own.py:answer"
capabilities = []
writes = { text = "string" }
"""
FILES = {
    "grapharc.toml": """[grapharc]
registry = "registry.toml"
policy = ["policies/house.toml"]
graphs = ["graphs/*.toml"]
""",
    "policies/house.toml": 'name = "house"\ndefault = "allow"\n',
    "registry.toml": """
extends = "base.toml"
[[use]]
kind = "tool.*"
[[use]]
kind = "control.*"
[[use]]
kind = "model.call"
[[use]]
kind = "memory.*"
args = { store = "facts.sqlite" }
[[use]]
from = "kinds/own.toml"
kind = "own.*"
[models]
writer = "mock/replies.json"
""",
    "base.toml": 'name = "base"\n[models]\nother = "openai/gpt-4o"\n',
    "kinds/own.toml": MANIFEST,
    "kinds/own.py": "def answer():\n    return {'text': 'own'}\n",
    "replies.json": '["the house\'s answer"]',
    "prompt.md": "Say something.",
    "notes.md": "a note\n",
    "reports/a.md": "a note\n",
}
GRAPH = """
name = "touch"
[state]
path = {{ type = "string", {given} }}
out = {{ type = "json", default = "", output = true }}
[[nodes]]
name = "own"
kind = "own.answer"
writes = {{}}
[[nodes]]
name = "touch"
kind = "tool.{kind}"
args = {{ root = "{root}" }}
reads = {{ {reads} }}
writes = {{ {writes} = "out" }}
[[nodes]]
name = "ask"
kind = "model.call"
args = {{ role = "writer", prompt = {{ file = "../prompt.md" }}, max_tokens = 9 }}
writes = {{}}
[[edges]]
chain = ["__start__", "own", "touch", "ask", "__end__"]
"""
TOOLS = {"write_file": ("text = \"'x'\"", "path"), "read_file": ("", "text"), "list_dir": ("", "entries")}
KEPT = {
    "grapharc.toml": "a document of the project",
    "deeper/grapharc.toml": "a document of the project",
    "grapharc.approvals.toml": "a document of the project",
    "./policies//house.toml": "a document of the project",
    "Policies/HOUSE.toml": "a document of the project",
    "registry.toml": "a document of the project",
    "base.toml": "a document of the project",
    "kinds/own.toml": "a document of the project",
    "graphs/touch.toml": "a document of the project",
    "graphs/new.toml": "a document of the project",
    "prompt.md": "a document of the project",
    "kinds/own.py": "the code of a kind",
    "replies.json": "what a model is said to answer",
    "facts.sqlite": "a store",
    "facts.sqlite-wal": "a store",
    "facts.sqlite.blobs/ab/abc": "a store",
    "other.db": "a store",
    "other.db.blobs/ab/abc": "a store",
    ".git/config": "hidden",
    ".git/hooks/pre-commit": "hidden",
    ".grapharc/runs/other.jsonl": "hidden",
    ".pre-commit-config.yaml": "hidden",
    ".github/workflows/ci.yml": "hidden",
    ".venv/lib/python/site-packages/sitecustomize.py": "hidden",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "house"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    monkeypatch.chdir(root)
    return root


def graph(project: Path, kind: str, *, path: str | None = None, root: str = ".") -> str:
    more, writes = TOOLS[kind]
    reads = ", ".join(filter(None, ['path = "path"' if path is None else f"path = {json.dumps(repr(path))}", more]))
    given = "input = true" if path is None else 'default = ""'
    (project / "graphs").mkdir(exist_ok=True)
    text = GRAPH.format(kind=kind, reads=reads, writes=writes, root=root, given=given)
    (project / "graphs" / "touch.toml").write_text(text, "utf-8")
    return "graphs/touch.toml"


def run(path: str, given: str, flags: Flags = Flags()) -> str:  # noqa: B008 -- it is frozen
    """Run a graph, and return what ended it, nothing where nothing did."""
    try:
        grapharc.run(path, {"path": given}, flags=flags)
    except (RunError, grapharc.Refused) as error:
        return str(error)
    return ""


def said(path: str, flags: Flags = Flags()) -> list[str]:  # noqa: B008 -- it is frozen
    """What the check says of reserved paths, and that it says nothing else that is wrong."""
    opened = open_project(flags, [path], {}, caches=False)
    report = check_documents(opened, Wanted((path,)), date(2027, 1, 1))
    found = [finding for finding in report.findings if finding.code == "workspace_path_reserved"]
    assert report.is_refused is bool(found), report.findings
    return [message(finding) for finding in found]


@pytest.mark.parametrize("kind", ["write_file", "read_file"])
@pytest.mark.parametrize("path", KEPT)
def test_a_part_of_the_project_is_no_file_of_its_workspace(project: Path, path: str, kind: str) -> None:
    before = {file: file.read_bytes() for file in project.rglob("*") if file.is_file() and "graphs" not in file.parts}
    ended = run(graph(project, kind), path)
    assert f"is {KEPT[path]}, and no file of the workspace" in ended
    after = {file: file.read_bytes() for file in before}
    assert after == before
    normal = "/".join(step for step in path.split("/") if step not in ("", "."))
    assert said(graph(project, kind, path=path)) == [f"'{normal}' is {KEPT[path]}, and no file of the workspace"]


@pytest.mark.parametrize("path", ["notes.md", "reports/new.md", "facts.md", "kinds/other.md", "policy.md"])
def test_every_other_file_is(project: Path, path: str) -> None:
    assert run(graph(project, "write_file"), path) == ""
    assert (project / path).read_text("utf-8") == "x"
    assert run(graph(project, "read_file"), path) == ""
    assert said(graph(project, "write_file", path=path)) == []


@pytest.mark.parametrize(("root", "path"), [("policies", "house.toml"), (".git", "config"), ("kinds", "own.py")])
def test_a_root_changes_nothing(project: Path, root: str, path: str) -> None:
    assert "no file of the workspace" in run(graph(project, "write_file", root=root), path)
    assert said(graph(project, "write_file", root=root, path=path))


def test_what_is_listed_and_found_is_the_workspaces(project: Path) -> None:
    (project / ".git").mkdir()
    (project / "facts.sqlite").write_text("a note\n", "utf-8")
    flags = Flags(trace="trace.jsonl")
    path = graph(project, "list_dir", path=".")
    assert grapharc.run(path, {}, flags=flags).outputs["out"] == [
        "graphs/",
        "kinds/",
        "notes.md",
        "policies/",
        "reports/",
    ]
    text = (project / path).read_text("utf-8")
    for kind, port, out, found in [
        ("glob", "**", "paths", ["notes.md", "reports/a.md"]),
        ("grep", "a note", "matches", [{"path": p, "line": 1, "text": "a note"} for p in ("notes.md", "reports/a.md")]),
    ]:
        changed = text.replace("tool.list_dir", f"tool.{kind}").replace("path = \"'.'\"", f"pattern = \"'{port}'\"")
        (project / path).write_text(changed.replace("entries =", f"{out} ="), "utf-8")
        assert grapharc.run(path, {}, flags=flags).outputs["out"] == found


def test_a_workspace_of_its_own_has_only_its_own_files(project: Path) -> None:
    (project / "desk").mkdir()
    config = FILES["grapharc.toml"] + 'workspace = "desk"\n'
    (project / "grapharc.toml").write_text(config, "utf-8")
    assert run(graph(project, "write_file"), "policies/house.toml") == ""
    assert (project / "desk/policies/house.toml").read_text("utf-8") == "x"
    assert said(graph(project, "write_file", path="policies/house.toml")) == []
    assert "is hidden" in run(graph(project, "write_file"), ".git/config")
    (project / "policies/house.toml").rename(project / "desk/house.toml")
    (project / "policies/house.toml").symlink_to("../desk/house.toml")
    assert "is a document" in run(graph(project, "write_file"), "house.toml"), "where the link of its name leads"
    assert said(graph(project, "write_file", path="house.toml"))


def test_a_workspace_around_the_project_reaches_none_of_it(project: Path) -> None:
    flags = Flags(workspace="..")
    assert "is a document" in run(graph(project, "write_file"), "house/policies/house.toml", flags)
    assert said(graph(project, "write_file", path="house/policies/house.toml"), flags)
    assert run(graph(project, "write_file"), "other.md", flags) == ""


def test_no_code_that_the_run_has_loaded_is_written(project: Path) -> None:
    """An entry of an installed distribution, and all of its package, though the distribution lies in the workspace."""
    around = Path(grapharc.__file__).parent
    flags = Flags(workspace=str(around))
    for path in ("stdlib_kinds/tools/files.py", "stdlib_kinds/tools/new.py", "__init__.py"):
        ended = run(graph(project, "write_file"), path, flags)
        assert "is the code of a kind, and no file of the workspace" in ended


def test_a_mock_that_a_graph_would_write_for_its_own_model(project: Path) -> None:
    """The attempt: the node before the model writes what the model is to say."""
    path = graph(project, "write_file", path="replies.json")
    with pytest.raises(grapharc.Refused, match="workspace_path_reserved"):
        grapharc.run(path, {})
    assert (project / "replies.json").read_text("utf-8") == FILES["replies.json"]


GOVERNING = {
    "strict.toml": 'default = "deny"\n',
    "registries/production.toml": '[[use]]\nkind = "control.*"\n',
    "later/kinds.toml": MANIFEST,
    "tests.toml": '[[case]]\nname = "a"\nrequest = { resource = "node", kind = "control.pass" }\nexpect = "allow"\n',
    "accepted.json": '{"baseline": "1", "findings": []}',
}


@pytest.mark.parametrize("path", GOVERNING)
def test_what_may_govern_another_run_is_not_written_over(project: Path, path: str) -> None:
    """The attempt: a registry or a policy that only a flag names, so that no document leads to it."""
    assert run(graph(project, "write_file"), path) == "", "a new file governs nobody yet"
    (project / path).write_text(GOVERNING[path], "utf-8")
    assert "is a document of the project" in run(graph(project, "write_file"), path)
    assert (project / path).read_text("utf-8") == GOVERNING[path]
    assert run(graph(project, "read_file"), path) == ""


@pytest.mark.parametrize("text", ['{"limits": "none", "pages": 3}', '{"use": 1}', '{"nodes": [], "edges": []}', "{"])
def test_what_only_looks_like_a_document_is_a_file(project: Path, text: str) -> None:
    (project / "report.json").write_text(text, "utf-8")
    assert run(graph(project, "write_file"), "report.json") == ""
