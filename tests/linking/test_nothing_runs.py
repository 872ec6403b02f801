"""Opening and linking import nothing that a document names, open no file but documents, and need no grammar twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.linking.shelf import OWN

WATCHED = """
import json, sys
from pathlib import Path
from grapharc.project.files import DiskLoader
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph, read_registry
from grapharc.spec.registry.open_registry import open_registry
from grapharc.spec.meaning import graph_meaning, registry_meaning

folder, known = Path(sys.argv[1]), json.loads(sys.argv[2])
events = []
def watch(event, args):
    if event in ("open", "import", "exec", "compile", "subprocess.Popen", "os.system", "os.exec", "os.fork") or \\
       event.startswith(("socket.", "urllib.", "ctypes.")):
        events.append([event, str(args[0])])

def run(memo):
    loader = DiskLoader(str(folder))
    selection, _ = read_registry(loader.load("registry.toml"), "registry.toml")
    registry, _ = open_registry(selection, loader, memo)
    graph, _ = read_graph(loader.load("graph.toml"), "graph.toml")
    linked, _ = link(graph, registry, loader, memo)
    graph_meaning(linked), registry_meaning(registry)
    return linked

memo = Memo(known or None)
sys.addaudithook(watch)
linked = run(memo)
loaded = sorted(name for name in sys.modules if "." not in name)
print(json.dumps([[finding.code for finding in linked.findings], events, loaded, memo.tables]))
"""

GRAPH = """
[state]
ticket = { type = "Ticket", input = true }
first = "Ticket | null"
level = '"low" | "high"'

[[nodes]]
name = "deep"
kind = "triage.deep"
args = { role = "writer", style = { file = "style.md" } }
reads = { tickets = "[ticket].filter(t, t.level == 'high')" }

[[edges]]
chain = ["__start__", "deep", "__end__"]
"""
REGISTRY = """
[[use]]
from = "triage.toml"
kind = "*"
[[use]]
from = "evil.toml"
kind = "evil"
[models]
writer = "mock/replies.json"
"""
EVIL = """
[[kind]]
name = "evil"
entry = "evil.py:run"
capabilities = []
[[kind]]
name = "evil.installed"
entry = "evil_package.kinds:run"
capabilities = []
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    texts = {
        "graph.toml": GRAPH,
        "registry.toml": REGISTRY,
        "triage.toml": OWN,
        "evil.toml": EVIL,
        "style.md": "As {level}",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    for name in ("evil.py", "kinds.py", "evil_package.py", "replies.json"):
        (tmp_path / name).write_text("raise SystemExit('this must never run')", "utf-8")
    return tmp_path


def watched(project: Path, memo: object = None) -> tuple[list[str], list[tuple[str, str]], set[str], object]:
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, str(project), json.dumps(memo)],
        cwd=project,
        env={"PYTHONPATH": f"{REPOSITORY}:{project}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    codes, events, loaded, tables = json.loads(run.stdout)
    return codes, [(event, what) for event, what in events], set(loaded), tables


def test_nothing_that_a_manifest_names_is_imported_opened_or_run(project: Path) -> None:
    codes, events, loaded, _ = watched(project)
    assert codes == []
    assert not [event for event in events if event[0] not in ("open", "import", "exec", "compile")]
    assert not [event for event in events if "evil" in event[1] and not event[1].endswith("evil.toml")]
    opened = {Path(what) for event, what in events if event == "open" and what.startswith(str(project))}
    assert {path.name for path in opened} == {"graph.toml", "registry.toml", "triage.toml", "evil.toml", "style.md"}
    assert not loaded & {"evil", "evil_package", "kinds", "langgraph", "pydantic", "click", "networkx"}


def test_what_was_seen_before_needs_neither_grammar_nor_validator(project: Path) -> None:
    _, _, first, tables = watched(project)
    codes, _, loaded, _ = watched(project, tables)
    assert codes == []
    assert {"lark", "jsonschema"} <= first
    assert not loaded & {"lark", "jsonschema", "referencing", "re2"}
