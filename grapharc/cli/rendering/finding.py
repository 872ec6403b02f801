"""A finding in words goes in; its lines come out: title, place, source line with carets, related places, remedy."""

from __future__ import annotations

from textwrap import wrap

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import Role, paint
from grapharc.cli.rendering.shown import Shown
from grapharc.cli.rendering.snippet import Snippet, cut

_WIDTH = 74
"""A remedy that is longer goes on in the next line."""


def finding_text(shown: Shown, *, colour: bool = False) -> str:
    """Return one finding, ending in a line feed."""
    snippets = [cut(shown.spot)] + [cut(beside.spot) for beside in shown.related]
    gutter = max((len(str(snippet.number)) for snippet in snippets if snippet), default=1)
    title = paint(f"{shown.severity}[{shown.finding.code}]", shown.severity, colour)
    lines = [f"{title}{paint(f': {printable(shown.message)}', 'title', colour)}"]
    arrow = paint(f"{' ' * gutter}-->", "gutter", colour)
    lines += [f"{arrow} {printable(str(shown.spot))}", *_source(snippets[0], gutter, "^", shown.severity, colour)]
    for beside, snippet in zip(shown.related, snippets[1:], strict=True):
        arrow = paint(f"{' ' * gutter}:::", "gutter", colour)
        lines.append(f"{arrow} {printable(str(beside.spot))}: {printable(beside.note)}")
        lines += _source(snippet, gutter, "-", "gutter", colour)
    return "".join(f"{line}\n" for line in [*lines, *_footer(shown, gutter, colour)])


def _source(snippet: Snippet | None, gutter: int, mark: str, role: Role, colour: bool) -> list[str]:
    if snippet is None:
        return []
    bar = paint(f"{' ' * gutter} |", "gutter", colour)
    number = paint(f"{snippet.number:>{gutter}} |", "gutter", colour)
    under = " " * snippet.indent + paint(mark * snippet.length, role, colour)
    return [bar, f"{number} {snippet.line}".rstrip(), f"{bar} {under}", bar]


def _footer(shown: Shown, gutter: int, colour: bool) -> list[str]:
    sign = paint(f"{' ' * gutter} =", "gutter", colour)
    lines: list[str] = []
    for number, step in enumerate(shown.witness, 1):
        where = f" ({printable(str(step.spot))})" if step.spot else ""
        lines.append(f"{sign} {number}. {printable(step.text)}{where}")
    if shown.remedy:
        first, *more = wrap(
            f"remedy: {printable(shown.remedy)}", _WIDTH, break_long_words=False, break_on_hyphens=False
        )
        lines.append(f"{sign} {paint('remedy', 'title', colour)}{first.removeprefix('remedy')}")
        lines += [f"{' ' * gutter}   {line}" for line in more]
    return lines
