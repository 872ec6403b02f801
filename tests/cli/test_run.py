"""``run``: only what was admitted runs, and what came of it is said in words, in JSON and in the exit code."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import pytest

KINDS = """
import asyncio, time

def double(number):
    print("from the kind")
    return {"result": number * 2}

def crash(number):
    raise ValueError("no such number")

def lie(number):
    return {"result": "two"}

def sleep(number):
    time.sleep(5)
    return {"result": number}

def leave(number):
    import os
    os.chdir("/")
    return {"result": number}

def tell(number):
    import os, sys
    half = len(os.environ["OWN_TOKEN"]) // 2
    sys.stdout.write("the token is " + os.environ["OWN_TOKEN"][:half])
    print(os.environ["OWN_TOKEN"][half:])
    print(os.environ["OWN_TOKEN"], end="", file=sys.stderr)
    return {"result": number}

async def later(number):
    await asyncio.sleep(0)
    return {"result": number + 1}
"""

MANIFEST = "".join(
    f"""
[[kind]]
name = "{name}"
entry = "{entry}"
capabilities = []
env = ["OWN_TOKEN"]
reads = {{ number = "integer" }}
writes = {{ result = "integer" }}
"""
    for name, entry in {
        "double": "own.py:double",
        "crash": "own.py:crash",
        "lie": "own.py:lie",
        "sleep": "own.py:sleep",
        "leave": "own.py:leave",
        "tell": "own.py:tell",
        "later": "own.py:later",
        "absent": "own.py:absent",
        "broken": "broken.py:run",
    }.items()
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    (folder / "kinds").mkdir(parents=True)
    (folder / "kinds" / "own.toml").write_text(MANIFEST)
    (folder / "kinds" / "own.py").write_text(KINDS)
    (folder / "kinds" / "broken.py").write_text("def run(:\n")
    (folder / "registry.toml").write_text('[[use]]\nfrom = "kinds/own.toml"\nkind = "*"\n')
    (folder / "grapharc.toml").write_text('[grapharc]\nregistry = "registry.toml"\n')
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


def graph(kind: str) -> str:
    name = f"{kind}.toml"
    Path(name).write_text(
        'name = "one"\n'
        "[state]\n"
        'number = { type = "integer", input = true }\n'
        'result = { type = "integer", output = true }\n'
        f'[[nodes]]\nname = "node"\nkind = "{kind}"\n'
        '[[edges]]\nchain = ["__start__", "node", "__end__"]\n'
    )
    return name


def records(path: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_a_run_says_what_it_did_and_where_its_trace_is(grapharc) -> None:
    ran = grapharc("run", graph("double"), "--input", "number=21", "--run-id", "first")
    assert ran.exit == 0
    assert ran.out == (
        "  node  double  done\nfinished: 1 iteration, 0 tokens\nresult: 42\ntrace: .grapharc/runs/first.jsonl\n"
    )
    assert ran.err == "from the kind\n"
    assert Path(".grapharc/.gitignore").read_text() == "*\n"
    assert [record["event"] for record in records(".grapharc/runs/first.jsonl")] == [
        "run_start",
        "decision",
        "decision",
        "decision",
        "start",
        "end",
        "run_stop",
    ]


def test_json_is_one_document_whatever_a_kind_prints(grapharc) -> None:
    told = grapharc("run", graph("double"), "--input", "number=21", "--run-id", "first", "--json").json
    assert (told["exit"], told["stop"], told["outputs"], told["error"]) == (0, "finished", {"result": 42}, None)
    assert told["admission"]["verdict"] == "admitted"
    assert told["trace"] == ".grapharc/runs/first.jsonl"


def test_a_secret_that_a_kind_prints_is_not_shown(grapharc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_TOKEN", "correct-horse")
    ran = grapharc("run", graph("tell"), "--input", "number=1")
    assert ran.exit == 0
    assert ran.err == "the token is [redacted]\n[redacted]"
    assert "horse" not in ran.out


def test_a_kind_that_moves_elsewhere_takes_no_path_along(grapharc) -> None:
    ran = grapharc("run", graph("leave"), "--input", "number=1", "--run-id", "first")
    assert ran.out.endswith("trace: .grapharc/runs/first.jsonl\n")


@pytest.mark.untraced
def test_a_node_that_sleeps_beside_another_is_not_waited_for(grapharc) -> None:
    Path("both.toml").write_text(
        "[state]\n"
        'number = { type = "integer", input = true }\n'
        'one = { type = "integer", output = true }\n'
        'other = { type = "integer", output = true }\n'
        '[[nodes]]\nname = "sleep"\nwrites = { result = "one" }\n'
        '[[nodes]]\nname = "double"\nwrites = { result = "other" }\n'
        '[[edges]]\nchain = ["__start__", "sleep", "__end__"]\n'
        '[[edges]]\nchain = ["__start__", "double", "__end__"]\n'
    )
    began = time.monotonic()
    ran = grapharc("run", "both.toml", "--input", "number=1", "--max-seconds", "0.5")
    assert (ran.exit, time.monotonic() - began < 4) == (1, True)
    assert "over_budget: the run's budget of 0.5 seconds ran out in node 'sleep'" in ran.out


def test_a_trace_is_not_written_into_a_document(grapharc) -> None:
    before = Path("registry.toml").read_text()
    ran = grapharc("run", graph("double"), "--input", "number=1", "--trace", "registry.toml")
    assert ran.exit == 2
    assert ran.err.endswith("registry.toml' could not be used: it is there already, and is no trace\n")
    assert Path("registry.toml").read_text() == before


def test_a_node_that_fails_ends_the_run_with_its_name_kind_and_cause(grapharc) -> None:
    ran = grapharc("run", graph("crash"), "--input", "number=1", "--run-id", "first")
    assert ran.exit == 1
    assert "  node  crash  failed\n" in ran.out
    assert "failed: node 'node' of kind 'crash' failed: ValueError: no such number\n" in ran.out
    assert "Traceback" not in ran.out + ran.err
    stop = records(".grapharc/runs/first.jsonl")[-1]
    assert (stop["event"], stop["stop"]) == ("run_stop", "failed")
    told = grapharc("run", graph("crash"), "--input", "number=1", "--json").json
    assert (told["exit"], told["stop"]) == (1, "failed")
    assert told["error"] == "node 'node' of kind 'crash' failed: ValueError: no such number"


def test_a_value_of_the_wrong_type_ends_the_run(grapharc) -> None:
    ran = grapharc("run", graph("lie"), "--input", "number=1")
    assert ran.exit == 1
    assert "contract_broken: node 'node' wrote 'result', declared as integer" in ran.out


def test_seconds_interrupt_a_node_that_is_running(grapharc) -> None:
    ran = grapharc("run", graph("sleep"), "--input", "number=1", "--max-seconds", "0.2")
    assert ran.exit == 1
    assert "over_budget: the run's budget of 0.2 seconds ran out in node 'node'" in ran.out


def test_a_kind_may_be_a_coroutine(grapharc) -> None:
    assert "result: 42\n" in grapharc("run", graph("later"), "--input", "number=41").out


def test_check_only_runs_nothing(grapharc) -> None:
    ran = grapharc("run", graph("crash"), "--check-only", "--max-tokens", "9")
    assert ran.exit == 0
    assert ran.out == (
        "no findings in 3 documents\n"
        "admitted: graph 'one'\n"
        "  registry     registry.toml (grapharc.toml)\n"
        "  policies     built-in (built-in)\n"
        "  may touch    nothing: every node is pure\n"
        "  worst case   1 iteration\n"
        "  budget       9 tokens\n"
    )
    assert not Path(".grapharc").exists()


def test_what_is_refused_does_not_run(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text(
        'default = "allow"\n[[rule]]\nid = "no"\neffect = "deny"\nresource = "node"\nmatch = "double"\n'
    )
    ran = grapharc("run", graph("double"), "--input", "number=1", "--policy", "policy.toml")
    assert ran.exit == 1
    assert "error[node_denied]" in ran.out
    assert not Path(".grapharc").exists()
    told = grapharc("run", graph("double"), "--input", "number=1", "--policy", "policy.toml", "--json").json
    assert told["admission"]["verdict"] == "refused"


def test_what_waits_for_a_person_does_not_run_without_a_session(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text(
        'default = "allow"\n[[rule]]\nid = "ask"\neffect = "ask"\nresource = "node"\nmatch = "double"\n'
        'approver_role = "sre"\nreason = "a person looks first"\n'
    )
    arguments = ("run", graph("double"), "--input", "number=1", "--policy", "policy.toml")
    checked = grapharc(*arguments, "--check-only")
    assert checked.exit == 0
    assert "waits for approval: graph 'one'\n" in checked.out
    assert "  asks         role 'sre' before 'node'\n" in checked.out
    ran = grapharc(*arguments)
    assert ran.exit == 1
    assert "approval_without_session: graph 'one' needs approval" in ran.out
    assert not Path(".grapharc").exists()
    told = grapharc(*arguments, "--json").json
    assert (told["exit"], told["stop"], told["run"]) == (1, "approval_without_session", None)


def test_lint_that_a_project_makes_an_error_stops_a_run_too(grapharc, here: Path) -> None:
    (here / "grapharc.toml").write_text(
        '[grapharc]\nregistry = "registry.toml"\n[severity]\nfield_never_read = "error"\n'
    )
    name = graph("double")
    text = (
        Path(name)
        .read_text()
        .replace("[types]\n", "")
        .replace("[state]", '[state]\nleft = { type = "string", default = "" }')
    )
    Path(name).write_text(text)
    ran = grapharc("run", name, "--input", "number=1")
    assert ran.exit == 1
    assert "error[field_never_read]" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["double"], "input 'number' is missing: integer"),
        (["double", "--input", "number=x"], "input 'number' must be integer, and 'x' is no JSON"),
        (["double", "--input", "number=1.5"], "input 'number': expected"),
        (["double", "--input", "number=1", "--input", "numbr=2"], "there is no input 'numbr', did you mean 'number'?"),
        (["double", "--input", "number"], "'number' is no input, NAME=VALUE would be right"),
        (["double", "--input", "number=1", "--input", "number=2"], "input 'number' is given twice"),
        (["double", "--input", "result=1", "--input", "number=1"], "'result' is a field of the state and no input"),
        (["double", "--input-file", "absent.toml"], "'absent.toml' cannot be read: no such file or directory"),
        (["double", "--input-file", "broken.toml"], "broken.toml:1:10: "),
        (["double", "--input", "number=1", "--run-id", "../x"], "'../x' is no name for a run"),
        (["double", "--input", "number=1", "--workspace", "absent"], "the workspace 'absent' is no folder"),
        (["absent", "--input", "number=1"], "kind 'absent' cannot be loaded from 'own.py:absent': "),
        (["broken", "--input", "number=1"], "kind 'broken' cannot be loaded from 'broken.py:run': "),
    ],
)
def test_what_cannot_be_begun_is_2(grapharc, here: Path, arguments: list[str], message: str) -> None:
    (here / "broken.toml").write_text("number = [1\n")
    kind, *rest = arguments
    ran = grapharc("run", graph(kind), *rest)
    assert (ran.exit, ran.out) == (2, ""), ran.out
    assert ran.err.startswith(f"error: {message}"), ran.err
    assert not Path(".grapharc").exists()


def test_only_a_graph_runs(grapharc) -> None:
    assert grapharc("run", "registry.toml").err.startswith("error: 'registry.toml' is a registry, and only a graph")
    assert grapharc("run", "absent.toml").err.startswith("error: 'absent.toml' is not there")


def test_inputs_come_from_a_file_and_flags_add_to_it(grapharc, here: Path) -> None:
    (here / "inputs.json").write_text('{"number": 4}')
    assert "result: 8\n" in grapharc("run", graph("double"), "--input-file", "inputs.json").out
    assert "result: 10\n" in grapharc("run", graph("double"), "--input-file", "inputs.json", "--input", "number=5").out


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ("string", "5", "5"),
        ("string", "", ""),
        ("string | null", "null", "null"),
        ("list[string]", '["a", "b"]', ["a", "b"]),
        ("boolean", "true", True),
        ("number", "1e3", 1000.0),
        ("json", '{"a": 1}', {"a": 1}),
        ("json", "plain words", "plain words"),
        ('"low" | "high"', "low", "low"),
    ],
)
def test_an_input_is_read_by_the_type_of_its_field(grapharc, here: Path, type_: str, text: str, value: object) -> None:
    (here / "kinds.toml").write_text("")
    Path("echo.toml").write_text(
        f"[state]\nvalue = {{ type = '{type_}', input = true, output = true }}\n"
        '[[nodes]]\nname = "node"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "node", "__end__"]\n'
    )
    Path("shipped.toml").write_text('[[use]]\nkind = "control.*"\n')
    told = grapharc("run", "echo.toml", "--registry", "shipped.toml", "--input", f"value={text}", "--json").json
    assert told["outputs"] == {"value": value}


def test_a_graph_may_come_by_standard_input(grapharc, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(Path(graph("double")).read_bytes())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert "result: 6\n" in grapharc("run", "-", "--input", "number=3").out


def test_a_trace_is_appended_to_where_it_is_asked_for(grapharc) -> None:
    for name in ("a", "b"):
        grapharc("run", graph("double"), "--input", "number=1", "--run-id", name, "--trace", "traces/all.jsonl")
    assert [record["run"] for record in records("traces/all.jsonl")] == ["a"] * 7 + ["b"] * 7
    again = grapharc("run", graph("double"), "--input", "number=1", "--run-id", "c")
    assert again.exit == 0
    twice = grapharc("run", graph("double"), "--input", "number=1", "--run-id", "c")
    assert (twice.exit, twice.err.splitlines()[0]) == (2, "error: there is a run 'c' already")


def test_a_run_says_for_whom_where_a_policy_tells_tenants_apart(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text('default = "allow"\ntenants = ["acme", "other"]\n')
    arguments = ("run", graph("double"), "--input", "number=1", "--policy", "policy.toml")
    ran = grapharc(*arguments)
    assert (ran.exit, ran.err.splitlines()[0]) == (
        2,
        "error: a policy tells tenants apart, so it must be said for whom to run",
    )
    assert grapharc(*arguments, "--tenant", "acme").exit == 0
    assert "error[tenant_not_served]" in grapharc(*arguments, "--tenant", "acne").out


@pytest.mark.parametrize(
    ("name", "exit_code", "stop", "words"),
    [
        ("claims_loop", 1, "capped", "  extract  loop            3 rounds, used up\n"),
        ("fan_out", 0, "finished", "code: timeout"),
        ("governed", 0, "finished", "rule 'agents-read-the-handbook' before 'look_up'\n"),
        ("investigation", 0, "finished", "  plan     loop           3 rounds, no progress\n"),
        ("memory", 0, "finished", "said so and was superseded by"),
        ("nested", 0, "finished", "message: node 'ask/read' of kind 'tool.read_file' failed: FileNotFoundError"),
        ("verifier", 0, "finished", "report:\n  accepted:\n    - GraphARC enforces typed state contracts\n"),
    ],
)
def test_a_demo_can_be_named(grapharc, name: str, exit_code: int, stop: str, words: str) -> None:
    ran = grapharc("demo", name)
    assert (ran.exit, words in ran.out) == (exit_code, True), ran.out
    assert records(".grapharc/runs/demo.jsonl")[-1]["stop"] == stop


def test_the_demo_of_memory_knows_nothing_at_first(grapharc) -> None:
    for _ in range(2):
        told = grapharc("demo", "memory", "--json").json
        briefs = [run["outputs"]["brief"] for run in told["runs"]]
        assert briefs[0] == "No prior knowledge about these entities."
        assert "auth-service times out after 30s [source: 1-config.txt" in briefs[1]
        assert "Superseded \u2014 do not re-derive these:\n- auth-service times out after 30s" in briefs[2]


def test_the_demo_checks_runs_and_says_where_the_trace_is(grapharc) -> None:
    for _ in range(2):
        ran = grapharc("demo")
        assert ran.exit == 0
        assert "admitted: graph 'cited-answer' version 1\n" in ran.out
        assert "reason: citation does not exist in the source" in ran.out
        assert ran.out.endswith("trace: .grapharc/runs/demo.jsonl\n")
    assert records(".grapharc/runs/demo.jsonl")[-1]["stop"] == "finished"


def test_a_name_that_is_taken_is_told_with_one_that_is_free(grapharc) -> None:
    again = ("run", graph("double"), "--input", "number=1", "--run-id")
    assert grapharc(*again, "first").exit == 0
    for number in (2, 3):
        ran = grapharc(*again, "first")
        free = f"  = --run-id first-{number} is free; without --run-id the time makes a name\n"
        assert (ran.exit, ran.err) == (2, f"error: there is a run 'first' already\n{free}")
        assert grapharc(*again, f"first-{number}").exit == 0
