"""A picture and its SVG go in, a page that stands by itself comes out: the diagram, a legend, what refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.diagrams import palette
from grapharc.compiler.diagrams.picture import Picture

_FAMILIES = (
    ("pure", "touches nothing"),
    ("reads", "reads files or memory, or asks the clock or chance"),
    ("model", "calls a model"),
    ("writes", "writes files or memory"),
    ("runs", "runs commands or uses the network"),
    ("human", "asks a person"),
)
_LINES = (
    ("solid line", "an edge; with a condition, an arm of a branch"),
    ("bold line", "goes back: another round of a loop"),
    ("dotted line", "where a loop leads when it is used up"),
    ("dashed line", "taken when the node fails"),
    ("double border", "runs once for each item of a list"),
)


def render(picture: Picture, svg: str) -> str:
    """Return the page. It loads nothing and runs nothing."""
    return "".join(f"{line}\n" for line in _page(picture, svg))


def _page(picture: Picture, svg: str) -> Iterator[str]:
    title = escape(printable(picture.title))
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield f'<head><meta charset="utf-8"><title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>\n{_STYLE}</style></head>"
    yield "<body>"
    yield f"<h1>{title}</h1>"
    yield "<ul>"
    yield from (f"<li>{escape(printable(note))}</li>" for note in picture.notes)
    yield from (f"<li><strong>{escape(printable(fault))}</strong></li>" for fault in picture.faults)
    yield "</ul>"
    yield f'<figure tabindex="0">\n{svg.strip()}\n</figure>'
    yield "<h2>Legend</h2>"
    yield "<ul>"
    for family, words in _FAMILIES:
        yield f'<li><span class="swatch {family}"></span>{words}</li>'
    yield from (f"<li>{mark}: {words}</li>" for mark, words in _LINES)
    yield "</ul>"
    yield "</body></html>"


_BASE = f"""\
:root {{ color-scheme: light dark }}
body {{ margin: 2rem; font: 1rem/1.5 Arial, Helvetica, sans-serif; color: {palette.INK}; background: {palette.PAPER} }}
figure {{ margin: 0; overflow: auto; max-height: 90vh }}
.swatch {{ display: inline-block; width: 1em; height: 1em; margin-right: .5em; border: 2px solid; \
vertical-align: -.15em }}
"""
_DAY = "".join(
    f".{family} {{ background: {colours.fill}; border-color: {colours.stroke} }}\n"
    for family, colours in palette.FAMILIES.items()
)
_NIGHT = "".join(
    f"  .{family} {{ background: {colours.dark_fill}; border-color: {colours.dark_stroke} }}\n"
    for family, colours in palette.FAMILIES.items()
)
_STYLE = f"""\
{_BASE}{_DAY}@media (prefers-color-scheme: dark) {{
  body {{ color: {palette.DARK_INK}; background: {palette.DARK_PAPER} }}
{_NIGHT}}}
"""
