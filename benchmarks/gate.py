"""A gate over a large graph in which a few nodes changed, beside two plain checks of it: what telling changes costs."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path

from benchmarks.bench import Bench, row
from grapharc.cli.main import main

SMALL, LARGE = 1_000, 10_000
RATIO = 3.0
"""The same at both sizes: the gate grows no faster than checks do."""
PROJECT = '[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graph.toml"]\n'
REGISTRY = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "tool.*"\n'
POLICY = 'name = "house"\ndefault = "allow"\n'


def document(nodes: int, *, changed: bool) -> str:
    """Return blocks that branch and join, read files now and then, and share a field among ten nodes.

    What is changed is a condition, what one node reads, and a file that is written at the end.
    """
    return "\n".join(_lines(nodes, changed)) + "\n"


def _lines(nodes: int, changed: bool) -> Iterator[str]:
    fields = nodes // 10
    yield 'name = "large"\n[state]'
    yield 'question = { type = "string", input = true, labels = ["untrusted"] }'
    yield from (f'f{number} = {{ type = "string", default = "" }}' for number in range(fields))
    for number in range(nodes):
        read = "question" if number == 0 or (changed and number == nodes // 2) else f"f{number * 7 % fields}"
        wrote = f"f{number * 11 % fields}"
        looks = number % 97 == 5
        kind = "tool.read_file" if looks else "control.set"
        reads = "{ path = \"'in.md'\" }" if looks else f'{{ value = "{read}" }}'
        port = "text" if looks else "result"
        yield f'[[nodes]]\nname = "n{number}"\nkind = "{kind}"\nreads = {reads}\nwrites = {{ {port} = "{wrote}" }}'
    before = "__start__"
    for first in range(0, nodes, 4):
        fork, one, other, join = (f"n{first + step}" for step in range(4))
        asked = "y" if changed and first == 0 else "x"
        yield f'[[edges]]\nsource = "{before}"\ntarget = "{fork}"'
        yield f'[[edges]]\nsource = "{fork}"\ntarget = "{one}"\nwhen = "f{first % fields} == \'{asked}\'"'
        yield f'[[edges]]\nsource = "{fork}"\ntarget = "{other}"\notherwise = true'
        yield from (f'[[edges]]\nsource = "{arm}"\ntarget = "{join}"' for arm in (one, other))
        before = join
    if changed:
        yield '[[nodes]]\nname = "apply"\nkind = "tool.write_file"\nreads = { path = "\'out.md\'", text = "f0" }'
        yield f'[[edges]]\nsource = "{before}"\ntarget = "apply"'
        before = "apply"
    yield f'[[edges]]\nsource = "{before}"\ntarget = "__end__"'


def _project(folder: Path, nodes: int, *, changed: bool) -> None:
    folder.mkdir()
    for name, text in (("grapharc.toml", PROJECT), ("registry.toml", REGISTRY), ("policy.toml", POLICY)):
        (folder / name).write_text(text, "utf-8")
    (folder / "graph.toml").write_text(document(nodes, changed=changed), "utf-8")


def _quietly(*arguments: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        code = main(list(arguments))
    if code not in (0, 1):
        raise RuntimeError(f"{arguments} ended with {code}")


@contextlib.contextmanager
def _works(nodes: int) -> Generator[tuple[Callable[[], None], Callable[[], None]]]:
    """Give what a gate does, and what a check of one side does, in a folder that is there for the while."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        _project(Path("before"), nodes, changed=False)
        _project(Path("after"), nodes, changed=True)
        os.environ["GRAPHARC_CACHE_DIR"] = ""
        gate = partial(_quietly, "gate", "--base", "./before", "--head", "./after")
        yield gate, partial(_quietly, "check", "--no-cache", "--config", "after/grapharc.toml", "after/graph.toml")


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    found: list[tuple[str, str, str]] = []
    for nodes in (SMALL, LARGE):
        with _works(nodes) as (gate, check):
            what = f"gate over {nodes} nodes, beside two checks"
            found.append(row(Bench(what, gate, check, RATIO, factor=2, rounds=3)))
    return found


if __name__ == "__main__":
    for line in rows():
        print(*line, sep="  ")
