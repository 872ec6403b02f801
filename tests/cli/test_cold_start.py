"""What a check does not have to wait for: no command imports more than it uses."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
NEVER = {"langgraph", "langchain_core", "langsmith", "networkx", "rich", "graphviz", "tomlkit", "sqlite3"}
ONLY_COLD = {"lark", "jsonschema", "pydantic"}
PARSING = {"click", "inspect", "dataclasses", "ast", "uuid", "gettext", "locale"}
"""click, and what comes with it or with the standard library's dataclasses: a fifth of a check that imports them."""

UNASKED = {
    "a condition": ["grapharc.spec.expressions.domains", "grapharc.spec.expressions.questions"],
    "a call": ["grapharc.spec.expressions.calls", "grapharc.spec.expressions.functions"],
    "an expression that nobody read yet": ["grapharc.spec.expressions.grammar"],
    "a branch": ["grapharc.spec.flow.exclusion", "grapharc.spec.flow.forks", "grapharc.spec.flow.guards"],
    "a rule over paths or flows": [
        "grapharc.policy.owner.ends",
        "grapharc.policy.owner.trails",
        "grapharc.policy.owner.witness",
        "grapharc.spec.flow.cells",
        "grapharc.spec.flow.spread",
        "grapharc.spec.flow.unfolded",
        "grapharc.spec.flow.ways",
    ],
    "a policy": ["grapharc.policy.lint.lint", "grapharc.policy.trials.trial"],
    "a finding": ["grapharc.cli.rendering.snippet", "grapharc.project.candidates"],
    "a command line that is not plain": ["grapharc.cli.commands", "grapharc.cli.options", "grapharc.cli.failing"],
    "another format": ["grapharc.cli.rendering.json", "grapharc.cli.rendering.sarif"],
}
"""What a chain of nodes has not, and what is therefore not imported for it."""

MOST = 245
"""So many modules of ours a check of a chain imports, the files of rules not counted; each takes a sixth of a ms."""

PROGRAM = """
import json, sys
from grapharc.cli.main import main
code = main(json.loads(sys.argv[1]))
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(arguments: list[str], folder: Path, caches: Path) -> set[str]:
    """Run a command and return the full names of all modules, and the names of their packages."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(arguments)],
        cwd=folder,
        env={"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(caches)},
        capture_output=True,
        text=True,
        check=False,
    )
    code, modules = json.loads(ran.stderr.splitlines()[-1])
    assert code == 0, ran.stdout + ran.stderr
    return {*modules, *(name.partition(".")[0] for name in modules)}


@pytest.mark.parametrize("arguments", [["--version"], ["explain"], ["init", "new"], ["schema", "graph"]])
def test_a_small_command_imports_little(arguments: list[str], tmp_path: Path) -> None:
    modules = modules_after(arguments, tmp_path, tmp_path / "caches")
    assert not modules & (NEVER | ONLY_COLD)


def test_the_version_is_told_at_once(tmp_path: Path) -> None:
    modules = modules_after(["--version"], tmp_path, tmp_path / "caches")
    assert not modules & (PARSING | {"grapharc.project.report", "grapharc.spec.document"})


def test_a_check_never_imports_a_runtime_and_a_warm_one_no_grammar(tmp_path: Path) -> None:
    example = REPOSITORY / "examples" / "cited_answer"
    assert not modules_after(["check"], example, tmp_path) & NEVER
    assert not modules_after(["check"], example, tmp_path) & (NEVER | ONLY_COLD | PARSING)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A clean graph of three nodes, one after the other, and a registry."""
    (tmp_path / "graph.toml").write_text("""
name = "chain"
[state]
question = { type = "string", input = true }
answer = { type = "string", output = true }
[[nodes]]
name = "ask"
kind = "model.call"
args = { role = "writer", prompt = "Answer: {question}", max_tokens = 100 }
writes = { text = "answer" }
[[nodes]]
name = "before"
kind = "control.pass"
[[edges]]
chain = ["__start__", "before", "ask", "__end__"]
""")
    (tmp_path / "registry.toml").write_text('[[use]]\nkind = "*"\n[models]\nwriter = "mock/replies.json"\n')
    (tmp_path / "replies.json").write_text("[]")
    return tmp_path


def test_a_check_imports_what_its_documents_ask_about(chain: Path) -> None:
    arguments, caches = ["check", "graph.toml", "--registry", "registry.toml"], chain / "caches"
    modules_after(arguments, chain, caches)
    modules = modules_after(arguments, chain, caches)
    asked = {what: names for what, names in UNASKED.items() if modules & {*names}}
    assert not asked, "imported for a document that has none of it"
    assert not modules & (NEVER | ONLY_COLD | PARSING)
    ours = [name for name in modules if name.startswith("grapharc") and ".rules." not in name]
    assert len(ours) <= MOST, "import what few documents ask about where they ask"


@pytest.mark.parametrize("name", [name for names in UNASKED.values() for name in names])
def test_what_is_not_imported_is_there(name: str) -> None:
    assert find_spec(name) is not None


def test_importing_the_package_costs_nothing() -> None:
    program = "import sys, grapharc, json; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(REPOSITORY)}, capture_output=True, text=True, check=True
    )
    ours = {name for name in json.loads(ran.stdout) if name.startswith("grapharc")}
    assert ours == {"grapharc"}
    assert not {"click", "pydantic", "pydantic_core", "langgraph"} & set(json.loads(ran.stdout))
