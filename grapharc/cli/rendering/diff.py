"""Documents before and after go in, the lines that differ come out, in the form that ``patch`` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import Role, paint
from grapharc.project.fix import Rewrite


def render(rewrites: Iterable[Rewrite], *, colour: bool = False) -> str:
    """Return the differences of all documents."""
    return "".join(line for each in rewrites for line in _one(each, colour))


def _one(each: Rewrite, colour: bool) -> Iterator[str]:
    before, after = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (each.before, each.after))
    for line in unified_diff(before, after, f"a/{each.path}", f"b/{each.path}"):
        text = line.rstrip("\r\n")
        said = paint(printable(text.replace("\t", "    ")) if colour else text, _role(text), colour)
        yield f"{said}\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def _role(line: str) -> Role:
    if line.startswith(("---", "+++", "@@")):
        return "title"
    return "good" if line.startswith("+") else "error" if line.startswith("-") else "gutter"
