"""What a picture says of a shape or a line goes in; its rows of text, each with what it is, come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from grapharc.cli.rendering.cells import printable
from grapharc.compiler.diagrams.picture import Group, Line, Marks, Shape

Role: TypeAlias = Literal["title", "text", "refused", "asked", "added", "removed", "changed", "ran", "idle", "failed"]
BOLD: frozenset[Role] = frozenset({"title", "refused", "added", "removed", "changed", "ran", "failed"})


class Row(NamedTuple):
    """One row of text, safe to print."""

    text: str
    role: Role


def rows(drawn: Shape | Group | Line) -> tuple[Row, ...]:
    """Return the rows of what is drawn, the most important first."""
    return tuple(Row(printable(row.text), row.role) for row in _rows(drawn))


def _rows(drawn: Shape | Group | Line) -> Iterator[Row]:
    yield from _change(drawn.marks)
    if not isinstance(drawn, Line):
        yield Row(drawn.title, "title")
        yield from (Row(line, "text") for line in drawn.lines)
    else:
        yield from (Row(line, "text") for line in drawn.text)
    yield from _marked(drawn.marks, "not taken" if isinstance(drawn, Line) else "did not run")


def _change(marks: Marks) -> Iterator[Row]:
    match marks.change:
        case "added":
            yield Row("+ added", "added")
        case "removed":
            yield Row("\N{MINUS SIGN} removed", "removed")
        case "changed":
            yield Row("\N{NOT EQUAL TO} changed", "changed")
        case _:
            return


def _marked(marks: Marks, idle: str) -> Iterator[Row]:
    yield from (Row(text, "text") for text in marks.told)
    for number, refusal in enumerate(marks.refusals):
        yield Row(refusal if number else f"refused: {refusal}", "refused")
    yield from (Row(ask, "asked") for ask in marks.asks)
    if marks.ran is not None:
        role: Role = "failed" if marks.failed else "ran" if marks.ran else "idle"
        yield from (Row(text, role) for text in marks.ran or (idle,))
