"""A picture and its SVG go in, a page comes out: the diagram, a legend, and all of it in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.diagrams import palette
from grapharc.cli.rendering.diagrams.rows import rows
from grapharc.compiler.diagrams.columns import as_image
from grapharc.compiler.diagrams.marked import names, notes
from grapharc.compiler.diagrams.picture import Family, Form, Line, Picture, identifiers
from grapharc.compiler.diagrams.words import counted

_FAMILIES: Mapping[Family, str] = {
    "pure": "touches nothing",
    "reads": "reads files or memory, or asks the clock or chance",
    "model": "calls a model",
    "writes": "writes files or memory",
    "runs": "runs commands or uses the network",
    "human": "asks a person",
    "field": "a field of the state",
}
_LINES: Mapping[Form, str] = {
    "always": "solid line: an edge that is always taken",
    "arm": "solid line with a condition: an arm of a branch",
    "again": "bold line: goes back, for another round of a loop",
    "exhausted": "dotted line: where a loop leads when it is used up",
    "error": "dashed line with a dot: taken when the node fails",
    "data": "line with an open head: a value that is read or written",
}


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
    yield from (f"<li>{escape(printable(note))}</li>" for note in notes(picture))
    yield from (f"<li><strong>{escape(printable(fault))}</strong></li>" for fault in picture.faults)
    yield "</ul>"
    yield f'<figure tabindex="0" aria-label="diagram">\n{svg.strip()}\n</figure>'
    yield "<h2>Legend</h2>"
    yield "<ul>"
    yield from (f"<li>{each}</li>" for each in _legend(picture))
    yield "</ul>"
    yield from _in_words(picture)
    yield "</body></html>"


def _legend(picture: Picture) -> Iterator[str]:
    """What the signs mean that are in the picture."""
    families = {shape.family for shape in picture.shapes if shape.form in ("node", "field")}
    for family, words in _FAMILIES.items():
        if family in families:
            yield f'<span class="swatch {family}"></span>{words}'
    forms = {line.form for line in picture.lines}
    yield from (words for form, words in _LINES.items() if form in forms)
    shapes = (*picture.shapes, *as_image(picture).shapes)
    marks = [each.marks for each in (*picture.shapes, *picture.groups, *picture.lines)]
    signs = {
        "double border: runs once for each item of a list": any(shape.many for shape in shapes),
        "signpost: an arrow leads to the node that it names, far off": any(each.form == "elsewhere" for each in shapes),
        "thick red: refused, by the rule that is named": any(each.refusals for each in marks),
        "purple: waits for a person": any(each.asks for each in marks),
        "red: failed in the run": any(each.failed for each in marks),
        "thick line: taken in the run": any(each.ran for each in marks),
    }
    yield from (sign for sign, shown in signs.items() if shown)


def _in_words(picture: Picture) -> Iterator[str]:
    """Every node with where it leads, for who looks for one, and for who cannot see the diagram."""
    called, ids = names(picture), identifiers(picture)
    leading: dict[str, list[Line]] = {}
    for line in (each for each in picture.lines if each.form != "order"):
        leading.setdefault(line.source, []).append(line)
    groups = {group.key: group for group in picture.groups}
    yield f"<details><summary>In words: {counted(len(picture.shapes), 'shape')}</summary>"
    yield "<ol>"
    for shape in picture.shapes:
        said = rows(groups[shape.group] if shape.is_head else shape)
        words = "".join(f"<br>{escape(row.text)}" for row in said if row.text != called[shape.key])
        link = f'<a href="#{ids[shape.key]}">{escape(printable(called[shape.key]))}</a>'
        yield f"<li>{link}{words}"
        if shape.key in leading:
            yield "<ul>"
            yield from (f"<li>{_led(line, called)}</li>" for line in leading[shape.key])
            yield "</ul>"
        yield "</li>"
    yield "</ol>"
    yield "</details>"


def _led(line: Line, called: Mapping[str, str]) -> str:
    words = " ".join(row.text for row in rows(line))
    return escape(printable(f"to {called.get(line.target, line.target)}{f': {words}' if words else ''}"))


_BASE = f"""\
:root {{ color-scheme: light dark }}
body {{ margin: 2rem; font: 1rem/1.5 Arial, Helvetica, sans-serif; color: {palette.INK}; background: {palette.PAPER} }}
figure {{ margin: 0; overflow: auto; max-height: 90vh }}
a {{ color: inherit }}
svg :target path, svg :target ellipse, svg :target polygon {{ stroke-width: 4 }}
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
