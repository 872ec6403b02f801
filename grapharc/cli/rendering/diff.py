"""Documents before and after go in, the lines that differ come out, in the form that ``patch`` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import Role, paint
from grapharc.project.rewriting import Rewrite


def render(rewrites: Iterable[Rewrite], *, colour: bool = False, shown: bool = False) -> str:
    """Return the differences of all documents.

    ``shown``: they go to a terminal, so what it would obey is written as escapes, and they cannot be applied.
    """
    return "".join(line for each in rewrites for line in _one(each, colour=colour, shown=shown or colour))


def _one(each: Rewrite, *, colour: bool, shown: bool) -> Iterator[str]:
    before, after = _lines(each.before), _lines(each.after)
    is_dos = all(line.endswith("\r\n") for line in (*before, *after) if line.endswith("\n"))
    for line in unified_diff(before, after, f"a/{each.path}", f"b/{each.path}"):
        text = line.removesuffix("\n")
        said = _printable(text.removesuffix("\r") if is_dos else text) if shown else text
        yield f"{paint(said, _role(text), colour)}\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    """The lines as ``patch`` counts them: each ends with a line feed, and with nothing else."""
    *lines, last = data.decode("utf-8", "replace").split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def _printable(text: str) -> str:
    return printable(text.replace("\t", "    "))


def _role(line: str) -> Role:
    if line.startswith(("---", "+++", "@@")):
        return "title"
    return "good" if line.startswith("+") else "error" if line.startswith("-") else "gutter"
