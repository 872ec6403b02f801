"""1,000 files beside check-jsonschema with our own schema; one of 100,000 nodes; the text of 10,000 findings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.check import document, install

FILES, NODES, LARGE, FINDINGS = 1000, 50, 100_000, 10_000
ROUNDS = 3


def seconds(command: Sequence[str], folder: Path, environ: dict[str, str]) -> float:
    """Run a command and return the time that somebody waits for it."""
    start = time.perf_counter()
    ran = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)
    if ran.returncode or ran.stderr:
        raise RuntimeError(ran.stderr.decode())
    return time.perf_counter() - start


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        install(folder / "installed")
        environ = {"PYTHONPATH": str(folder / "installed"), "GRAPHARC_CACHE_DIR": str(folder / "caches"), "PATH": ""}
        return [*_many(folder, environ), _large(folder, environ), _findings(folder, environ)]


def _many(folder: Path, environ: dict[str, str]) -> list[tuple[str, str, str]]:
    other = shutil.which(
        "check-jsonschema", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    )
    if other is None:
        return [("1,000 files beside check-jsonschema", "check-jsonschema is not installed", "")]
    for number in range(FILES):
        _write(folder / "many" / f"g{number:04}.toml", document(NODES).replace("Go on from", f"Go on {number} from"))
    _registry(folder)
    schema = subprocess.run(
        [sys.executable, "-m", "grapharc.cli", "schema", "graph"], env=environ, capture_output=True, check=True
    )
    (folder / "graph.json").write_bytes(schema.stdout)
    check = [sys.executable, "-m", "grapharc.cli", "check", "many", "--registry", "registry.toml"]
    files = sorted(str(path) for path in (folder / "many").iterdir())
    theirs = [other, "--schemafile", str(folder / "graph.json"), *files]
    seconds([*check, "--no-cache"], folder, environ)
    cold, beside, kept = [], [], []
    seconds(check, folder, environ)
    for _ in range(ROUNDS):
        cold.append(seconds([*check, "--no-cache"], folder, environ))
        beside.append(seconds(theirs, folder, {**os.environ}))
        kept.append(seconds(check, folder, environ))
    ours, they, again = min(cold), min(beside), min(kept)
    what = f"{FILES} files of {NODES} nodes beside check-jsonschema with our schema ({they:.2f} s)"
    return [
        (f"{what}, cold", f"{ours / they:.2f} x ({ours:.2f} s)", "0.8 x"),
        (f"{what}, verdict kept", f"{again / they:.3f} x ({again:.2f} s)", "0.15 x"),
    ]


def _large(folder: Path, environ: dict[str, str]) -> tuple[str, str, str]:
    took: list[float] = []
    for nodes in (LARGE // 2, LARGE):
        _write(folder / f"large{nodes}.toml", document(nodes))
        check = [sys.executable, "-m", "grapharc.cli", "check", f"large{nodes}.toml", "--no-cache"]
        took.append(min(seconds([*check, "--registry", "registry.toml"], folder, environ) for _ in range(2)))
    # How fast the machine is at the moment: the same text read by the standard library, without places, by itself.
    load = f"import tomllib\nwith open('large{LARGE}.toml', 'rb') as file: tomllib.load(file)"
    beside = min(seconds([sys.executable, "-c", load], folder, environ) for _ in range(2))
    what = (
        f"one document of {LARGE} nodes beside tomllib that reads it ({beside:.2f} s; of half as many {took[0]:.2f} s)"
    )
    return what, f"{took[1] / beside:.2f} x ({took[1]:.2f} s)", "4 s"


def _findings(folder: Path, environ: dict[str, str]) -> tuple[str, str, str]:
    """What the text of a report takes, beside the same check told as one line a finding of one code alone."""
    rows = "".join(f'[[nodes]]\nname = "n{number}"\nkind = "control.pas"\n' for number in range(FINDINGS))
    chain = ", ".join(f'"n{number}"' for number in range(FINDINGS))
    _write(folder / "faulty.toml", f'{rows}[[edges]]\nchain = ["__start__", {chain}, "__end__"]\n')
    program = (
        "import time, sys, grapharc\n"
        "from grapharc.cli.rendering import text\n"
        "report = grapharc.check('faulty.toml')\n"
        "start = time.perf_counter()\n"
        "text.render(report)\n"
        "print(len(report.findings), time.perf_counter() - start)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environ, capture_output=True, text=True, check=True
    ).stdout.split()
    return f"text of a report with {told[0]} findings", f"{float(told[1]):.2f} s", "1 s"


def _registry(folder: Path) -> None:
    _write(folder / "registry.toml", '[[use]]\nkind = "*"\n[models]\nwriter = "mock/replies.json"\n')
    _write(folder / "replies.json", '["on"]')


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
