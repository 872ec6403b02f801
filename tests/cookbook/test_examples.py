"""The recipes that are whole graphs: the verifier, and recall, verify, write and correct put together."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import grapharc
from grapharc.memory import SQLiteMemoryStore
from tests.cookbook.seed import printed

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def example(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of an example, which knows nothing yet."""
    return shutil.copytree(
        REPOSITORY / "examples" / request.param, tmp_path / request.param, ignore=shutil.ignore_patterns(".grapharc")
    )


@pytest.mark.parametrize("example", ["verifier"], indirect=True)
def test_the_verifier_as_a_graph(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sanctioned difference: the graph is a document, ``examples/verifier``, in place of ``build_stage5``."""
    flags = grapharc.Flags(config=str(example / "grapharc.toml"))
    result = grapharc.run(str(example / "graph.toml"), flags=flags)
    report, verdicts = result.outputs["report"], result.outputs["verdicts"]
    reviewed = sum(verdict["model_accepted"] is not None for verdict in verdicts)
    print("accepted:", report["accepted"])
    print("rejected:", report["rejected"])
    print("author calls:", result.spent.calls - reviewed, "| reviewer calls:", reviewed)
    for one in verdicts:
        print(f"  anchor_ok={one['anchor_ok']!s:<5} model_accepted={one['model_accepted']!s:<5} {one['claim_text']}")
    expected = printed("How do I wire verification into a graph?", "accepted: [")
    assert capsys.readouterr().out.splitlines() == expected
    assert len(json.loads((example / "reviewer.json").read_text())) == reviewed


def run_apart(example: Path, *arguments: str) -> dict[str, Any]:
    """Run a graph in a process of its own, which has ended when this returns."""
    command = [sys.executable, "-m", "grapharc.cli", "run", *arguments, "--json"]
    environ = {"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(example / "caches")}
    ran = subprocess.run(command, cwd=example, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    outputs: dict[str, Any] = json.loads(ran.stdout)["outputs"]
    return outputs


@pytest.mark.parametrize("example", ["memory"], indirect=True)
def test_three_processes_recall_verify_write_and_correct(example: Path) -> None:
    """The last recipe: recall before working, verify before writing, write with provenance, correct and keep."""
    first = run_apart(example, "graph.toml", "--run-id", "first")
    assert first["brief"] == "No prior knowledge about these entities."
    assert len(first["ids"]) == 2
    second = run_apart(example, "correct.toml", "--registry", "second.toml", "--run-id", "second")
    assert "- auth-service times out after 30s [source: 1-config.txt" in second["brief"]
    third = run_apart(
        example, "graph.toml", "--registry", "third.toml", "--input", "path=3-runbook.txt", "--run-id", "third"
    )
    known, dead = third["brief"].split("\n\nSuperseded \u2014 do not re-derive these:\n")
    assert "- auth-service times out after 10s [source: 2-postmortem.txt" in known
    assert "- auth-service depends on redis [source: 1-config.txt" in known
    assert dead == f"- auth-service times out after 30s (superseded by {second['id']})"
    assert [one["object"] for one in third["refused"]] == ["30s"]
    with SQLiteMemoryStore(example / ".grapharc" / "memory.sqlite", read_only=True) as store:
        chain = [
            (c.object, c.source, c.run_id, c.superseded_by) for c in store.history("auth-service", "times out after")
        ]
        assert chain == [
            ("30s", "1-config.txt", "first", second["id"]),
            ("10s", "2-postmortem.txt", "second", None),
        ]
        assert {(c.predicate, c.object) for c in store.current("auth-service")} == {
            ("times out after", "10s"),
            ("depends on", "redis"),
            ("is owned by", "the platform team"),
        }
