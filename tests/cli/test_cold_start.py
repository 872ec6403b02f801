"""What a check does not have to wait for: no command imports more than it uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
NEVER = {"langgraph", "langchain_core", "langsmith", "networkx", "rich", "graphviz", "tomlkit", "sqlite3"}
ONLY_COLD = {"lark", "jsonschema", "pydantic"}

PROGRAM = """
import json, sys
from grapharc.cli.main import main
code = main(json.loads(sys.argv[1]))
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


def modules_after(arguments: list[str], folder: Path, caches: Path) -> set[str]:
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
    return set(modules)


@pytest.mark.parametrize("arguments", [["--version"], ["explain"], ["init", "new"], ["schema", "graph"]])
def test_a_small_command_imports_little(arguments: list[str], tmp_path: Path) -> None:
    modules = modules_after(arguments, tmp_path, tmp_path / "caches")
    assert not modules & (NEVER | ONLY_COLD)


def test_a_check_never_imports_a_runtime_and_a_warm_one_no_grammar(tmp_path: Path) -> None:
    example = REPOSITORY / "examples" / "cited_answer"
    assert not modules_after(["check"], example, tmp_path) & NEVER
    assert not modules_after(["check"], example, tmp_path) & (NEVER | ONLY_COLD)


def test_importing_the_package_costs_nothing() -> None:
    program = "import sys, grapharc, json; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(REPOSITORY)}, capture_output=True, text=True, check=True
    )
    ours = {name for name in json.loads(ran.stdout) if name.startswith("grapharc")}
    assert ours == {"grapharc"}
    assert not {"click", "pydantic", "pydantic_core", "langgraph"} & set(json.loads(ran.stdout))
