"""An SVG that Graphviz made of a picture goes in; one that can be read by day and by night comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.diagrams import palette
from grapharc.compiler.diagrams.columns import as_image
from grapharc.compiler.diagrams.marked import line_name, names, notes
from grapharc.compiler.diagrams.picture import Picture, identifiers

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_OPENING = re.compile(r"<svg\b[^>]*>")
_TITLE = re.compile(r'(<g id="([nheg]\d+)" class="(?:node|edge|cluster)[^"]*">\n)<title>[^<]*</title>')
_PROLOGUE = re.compile(r"\A<\?xml[^>]*\?>\s*(<!DOCTYPE[^>]*>\s*)?")


def render(picture: Picture, drawn: str) -> str:
    """Return the SVG with its styles and its title, and without what names the program that laid it out."""
    text = _PROLOGUE.sub("", _COMMENT.sub("", drawn)).replace("&#45;", "-")
    opening = _OPENING.search(text)
    if opening is None:
        raise ValueError("what Graphviz wrote is no SVG")
    title, said = (escape(printable(each)) for each in (picture.title, ". ".join((*notes(picture), *picture.faults))))
    tag = f'{opening[0][:-1]} role="graphics-document document">\n<title>{title}</title>\n<desc>{said}</desc>'
    body = _named(text[opening.end() :], as_image(picture))
    return f"{text[: opening.start()]}{tag}\n<style>\n{style()}</style>{body}"


def _named(body: str, picture: Picture) -> str:
    """Call each shape and arrow by its name, where Graphviz puts the identifiers of its own language."""
    called, ids = names(picture), identifiers(picture)
    titles = {ids[key]: name for key, name in called.items()}
    titles |= {ids[group.key]: group.key for group in picture.groups}
    titles |= {f"g{number}": group.key for number, group in enumerate(picture.groups)}
    for number, line in enumerate(picture.lines):
        titles[f"e{number}"] = ": ".join(filter(None, (line_name(line, called), " ".join(line.text))))
    return _TITLE.sub(lambda found: f"{found[1]}<title>{escape(printable(titles[found[2]]))}</title>", body)


def style() -> str:
    """Return the rules that a diagram follows where the page, or whoever reads it, prefers dark colours."""
    return "".join(f"{line}\n" for line in _rules())


def _rules() -> Iterator[str]:
    yield "text { font-family: Arial, Helvetica, 'Liberation Sans', sans-serif }"
    yield "@media (prefers-color-scheme: dark) {"
    yield f"  .graph > polygon, .cluster > * {{ fill: {palette.DARK_PAPER} }}"
    for day, night in _INKS:
        yield f'  text[fill="{day}"] {{ fill: {night} }}'
        yield f'  [stroke="{day}"] {{ stroke: {night} }}'
        yield f'  .edge polygon[fill="{day}"], .edge ellipse[fill="{day}"] {{ fill: {night} }}'
    for colours in palette.FAMILIES.values():
        yield f'  .node [fill="{colours.fill}"] {{ fill: {colours.dark_fill} }}'
        yield f'  .node [stroke="{colours.stroke}"] {{ stroke: {colours.dark_stroke} }}'
    yield "}"


_INKS = (
    (palette.INK, palette.DARK_INK),
    (palette.FAINT, palette.DARK_FAINT),
    (palette.REFUSED, palette.DARK_REFUSED),
    (palette.ASKED, palette.DARK_ASKED),
    (palette.ADDED, palette.DARK_ADDED),
    (palette.EDGE, palette.DARK_EDGE),
)
