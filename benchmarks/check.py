"""A check of a 40-node document, cold and with its verdict kept, beside an interpreter that does nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ROUNDS = 15


def document(nodes: int = 40) -> str:
    """Return a graph of a chain of nodes, every fourth of which asks a model; it is clean and has no expression."""
    names = [f"n{number}" for number in range(nodes)]
    asking = range(0, nodes, 4)
    lines = ['name = "chain"', "", "[state]", 'f0 = { type = "string", input = true }']
    lines += [f'f{number + 4} = "string"' for number in asking[:-1]]
    lines += [f'f{asking[-1] + 4} = {{ type = "string", output = true }}']
    for number, name in enumerate(names):
        lines += ["", "[[nodes]]", f'name = "{name}"']
        if number in asking:
            args = f'role = "writer", prompt = "Go on from: {{f{number}}}", max_tokens = {100 + number}'
            lines += ['kind = "model.call"', f"args = {{ {args} }}", f'writes = {{ text = "f{number + 4}" }}']
        else:
            lines += ['kind = "control.pass"']
    chain = ", ".join(f'"{name}"' for name in ["__start__", *names, "__end__"])
    return "\n".join([*lines, "", "[[edges]]", f"chain = [{chain}]", ""])


def install(folder: Path) -> None:
    """Install the package with byte-code, without its dependencies, which the running interpreter has."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--compile", "--target", str(folder)]
    subprocess.run([*pip, str(REPOSITORY)], check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})


def cpu_seconds(command: Sequence[str], folder: Path, environ: dict[str, str]) -> float:
    """Run a command and return the processor time it took."""
    process = subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stderr is not None:
        complaints = process.stderr.read()
        process.stderr.close()
        if process.returncode or complaints:
            raise RuntimeError(complaints.decode())
    return usage.ru_utime + usage.ru_stime


def measure() -> tuple[float, float, float]:
    """Return the processor seconds of a check, of one that is kept, and of an idle interpreter, side by side."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        install(folder / "installed")
        (folder / "graph.toml").write_text(document(), "utf-8")
        (folder / "registry.toml").write_text('[[use]]\nkind = "*"\n[models]\nwriter = "mock/replies.json"\n', "utf-8")
        (folder / "replies.json").write_text('["on"]', "utf-8")
        environ = {"PYTHONPATH": str(folder / "installed"), "GRAPHARC_CACHE_DIR": str(folder / "caches")}
        check = [sys.executable, "-m", "grapharc.cli", "check", "graph.toml", "--registry", "registry.toml"]
        idle = [sys.executable, "-c", "pass"]
        cpu_seconds(check, folder, environ)
        rounds: list[tuple[float, float, float]] = []
        for _ in range(ROUNDS):
            shutil.rmtree(folder / "caches" / "verdicts")  # what is known about texts stays
            cold, kept, nothing = (cpu_seconds(command, folder, environ) for command in (check, check, idle))
            rounds.append((cold, kept, nothing))
        return min(each[0] for each in rounds), min(each[1] for each in rounds), min(each[2] for each in rounds)


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    cold, kept, idle = measure()
    return [
        (
            f"cold check of a 40-node document beside `python -c pass` ({_ms(cold, idle)})",
            f"{cold / idle:.1f} x",
            "10 x",
        ),
        (f"the same, its verdict kept ({_ms(kept, idle)})", f"{kept / idle:.1f} x", "3 x"),
    ]


def _ms(ours: float, theirs: float) -> str:
    return f"{ours * 1000:.0f} ms, {theirs * 1000:.0f} ms"


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
