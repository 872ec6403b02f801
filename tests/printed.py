"""A page of Markdown goes in, its examples run, and what they print now comes out in their place.

A ``console`` block holds commands after ``$`` and what they print; ``$ cat FILE`` and ``$ echo $?`` are understood. A
``python`` block is run, and an ``output`` block after it is what it prints. A ``mermaid`` block is the diagram that the
block before it wrote to a file. A ``toml`` block that begins with ``# NAME.toml`` is written to that file. Moments that
a claim store prints stand as one moment.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from grapharc.cli.main import main

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00")
_A_MOMENT = "2026-11-30T09:30:00.000000+00:00"
_BLOCK = re.compile(r"^```(console|python|output|mermaid|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run_again(page: str) -> str:
    """Return a page with the output of its examples as it is now; runs in the working directory."""
    parts: list[str] = []
    done, printed = 0, ""
    for block in _BLOCK.finditer(page):
        language, body = block.group(1), block.group(2)
        if language == "toml":
            _write(body)
        elif language == "python":
            printed = _run_python(body)
        else:
            diagrams = re.findall(r"\S+\.mmd", body)
            body = "".join(_run_commands(body)) if language == "console" else printed
            printed = Path(diagrams[-1]).read_text("utf-8") if diagrams and language == "console" else printed
        body = _MOMENT.sub(_A_MOMENT, body)
        parts += [page[done : block.start()], f"```{language}\n{body}```"]
        done = block.end()
    return "".join([*parts, page[done:]])


def _write(body: str) -> None:
    """Keep a document that says what it is called, as a reader would who copies it."""
    if named := re.match(r"# (\w+\.toml)\n", body):
        Path(named[1]).write_text(body, "utf-8")


def _run_commands(body: str) -> Iterator[str]:
    code = 0
    commands = [line for line in body.splitlines() if line.startswith("$ ")]
    for number, command in enumerate(commands):
        yield ("\n" if number else "") + f"{command}\n"
        code, printed = _run(command.removeprefix("$ "), code)
        yield printed


def _run(command: str, code: int) -> tuple[int, str]:
    words = shlex.split(command, comments=True)
    if words == ["echo", "$?"]:
        return code, f"{code}\n"
    if words[0] == "cat":
        return 0, "".join(Path(name).read_text("utf-8") for name in words[1:])
    if words[0] == "cd":
        raise ValueError("an example runs in the folder of its page")
    assert words[0] == "grapharc", command
    terminal = io.StringIO()
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        code = main(words[1:])
    return code, terminal.getvalue()


def _run_python(body: str) -> str:
    terminal = io.StringIO()
    with contextlib.redirect_stdout(terminal):
        exec(compile(body, "<example>", "exec"), {"__name__": "__example__"})  # noqa: S102 -- our own pages
    return terminal.getvalue()
