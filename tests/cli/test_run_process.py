"""``run`` in a process of its own: how a signal ends it, and what kinds write past Python's streams."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent

KINDS = """
[[kind]]
name = "wait"
version = "1"
entry = "own.py:wait"
capabilities = []
writes.done = "string"

[[kind]]
name = "shout"
version = "1"
entry = "own.py:shout"
capabilities = []
env = ["OWN_TOKEN"]
writes.done = "string"
"""
OWN = """
import os
import subprocess
import sys
import time


def wait():
    time.sleep(120)
    return {"done": "at last"}


def shout():
    token = os.environ["OWN_TOKEN"]
    print("said", token)
    os.write(1, b"first " + token.encode() + b" \\xff\\n")
    os.write(2, b"second " + token[:5].encode())
    os.write(2, token[5:].encode() + b"\\n")
    sys.__stdout__.write(f"third {token}\\n")
    said = "import os; os.write(1, (os.environ['OWN_TOKEN'] + '\\\\n').encode() * 20_000)"
    subprocess.run([sys.executable, "-c", said], check=True)
    return {"done": "yes"}
"""
ONE = """
[state]
done = { type = "string", output = true }

[[nodes]]
name = "node"
kind = "KIND"

[[edges]]
chain = ["__start__", "node", "__end__"]
"""
TWO = (
    ONE + '\n[[nodes]]\nname = "beside"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "beside", "__end__"]\n'
)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "kinds.toml").write_text(KINDS)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "registry.toml").write_text('[[use]]\nfrom = "kinds.toml"\nkind = "*"\n[[use]]\nkind = "control.*"\n')
    (tmp_path / "one.toml").write_text(ONE.replace("KIND", "wait"))
    (tmp_path / "two.toml").write_text(TWO.replace("KIND", "wait"))
    (tmp_path / "shout.toml").write_text(ONE.replace("KIND", "shout"))
    return tmp_path


def begun(here: Path, *arguments: str, **environ: str) -> subprocess.Popen[bytes]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHARC_")}
    environment = {**known, "PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(here / ".cache"), **environ}
    command = [sys.executable, "-m", "grapharc.cli", "run", "--registry", "registry.toml", *arguments]
    return subprocess.Popen(command, cwd=here, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def records(trace: Path) -> list[dict[str, Any]]:
    lines = trace.read_bytes().splitlines() if trace.exists() else []
    return [json.loads(line) for line in lines if line.endswith(b"}")]


@pytest.mark.parametrize("graph", ["one.toml", "two.toml"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_a_signal_ends_is_recorded_to_its_end(here: Path, graph: str, number: signal.Signals) -> None:
    trace = here / "trace.jsonl"
    with begun(here, graph, "--trace", "trace.jsonl") as process:
        while process.poll() is None and not any(each.get("node") == "node" for each in records(trace)):
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.decode()) == (128 + number, f"error: ended by {number.name}\n")
    stop = records(trace)[-1]
    assert (stop["event"], stop["stop"]) == ("run_stop", "stopped")


def test_with_json_it_is_told_as_a_document(here: Path) -> None:
    with begun(here, "one.toml", "--json", "--trace", "trace.jsonl") as process:
        while process.poll() is None and not any(each["event"] == "start" for each in records(here / "trace.jsonl")):
            time.sleep(0.05)
        process.terminate()
        out, err = process.communicate(timeout=60)
    error = {"kind": "interrupted", "message": "ended by SIGTERM", "hint": ""}
    assert (json.loads(out), err) == ({"exit": 143, "error": error}, b"")


def test_no_secret_gets_past_by_a_descriptor_or_another_process(here: Path) -> None:
    token = "correct-horse-battery"  # noqa: S105 -- it is what must not be shown
    with begun(here, "shout.toml", "--json", "--run-id", "r", OWN_TOKEN=token) as process:
        out, err = process.communicate(timeout=60)
    assert json.loads(out)["outputs"] == {"done": "yes"}
    assert token.encode() not in out + err
    assert b"horse" not in out + err
    lines = err.splitlines()
    assert sorted(lines[:4]) == [
        b"first [redacted] \xff",
        b"said [redacted]",
        b"second [redacted]",
        b"third [redacted]",
    ]
    assert lines[4:] == [b"[redacted]"] * 20_000


def test_without_secrets_standard_output_is_still_one_document(here: Path) -> None:
    (here / "kinds.toml").write_text(KINDS.replace('env = ["OWN_TOKEN"]\n', ""))
    (here / "own.py").write_text(
        OWN.replace('os.environ["OWN_TOKEN"]', '"plain"').replace("os.environ['OWN_TOKEN']", "'x'")
    )
    with begun(here, "shout.toml", "--json", "--run-id", "r") as process:
        out, err = process.communicate(timeout=60)
    assert json.loads(out)["stop"] == "finished"
    assert b"third plain\n" in err
    assert b"first plain" in err
