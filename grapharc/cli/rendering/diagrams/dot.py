"""A picture goes in, its text in Graphviz's language comes out.

Classes and identifiers stand on every element, so that a page can style an SVG that was made of it. Widths are set
by us: what lays the text out may know neither the font nor the script that shows it, and no label is to be cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import wrap

from grapharc.cli.rendering.cells import printable, width
from grapharc.cli.rendering.diagrams.palette import (
    ADDED,
    ASKED,
    EDGE,
    FAINT,
    FAMILIES,
    INK,
    PAPER,
    REFUSED,
)
from grapharc.cli.rendering.diagrams.rows import BOLD, Role, Row, rows
from grapharc.compiler.diagrams.columns import as_image
from grapharc.compiler.diagrams.marked import notes
from grapharc.compiler.diagrams.near import near
from grapharc.compiler.diagrams.picture import Change, Form, Group, Line, Marks, Picture, Shape, identifiers

FONT = "Arial"
_TITLE, _TEXT = 13, 10
_WIDEST = 90
"""The longest line of what is said of the whole."""
_LID = 2
"""How many points the lid of a field reaches down for each row of text in it."""
_CELL, _BOLD_CELL = 0.57, 0.64
"""The width of a character in ems, as the widest of the usual fonts has it."""

_INKS: Mapping[Role, str] = {
    "title": INK,
    "text": INK,
    "refused": REFUSED,
    "asked": ASKED,
    "added": ADDED,
    "changed": INK,
    "removed": REFUSED,
    "ran": INK,
    "idle": FAINT,
    "failed": REFUSED,
}
_STYLES: Mapping[Form, str] = {
    "always": "solid",
    "arm": "solid",
    "again": "bold",
    "error": "dashed",
    "exhausted": "dotted",
    "data": "solid",
    "order": "invis",
}
_SIGNS: Mapping[Change, str] = {"added": "+ ", "removed": "\N{MINUS SIGN} ", "changed": "\N{NOT EQUAL TO} "}
"""What a start or an end has room for."""
_WIDTHS: Mapping[Form, str] = {"exhausted": "1.8"}
"""Dots need more ink to be followed along a page."""
_STRAIGHT = "4"
"""How much straighter the edges are that lead on: what happens on errors and to used up loops gives way to them."""
_HEADS: Mapping[Form, str] = {"error": "odot", "exhausted": "empty", "data": "vee"}


def render(picture: Picture, *, columns: bool = False) -> str:
    """Return the picture as a ``digraph``; for an image, a long one in ``columns``."""
    drawn = as_image(picture) if columns else near(picture)
    return "".join(f"{line}\n" for line in _graph(drawn, identifiers(drawn)))


def _graph(picture: Picture, ids: Mapping[str, str]) -> Iterator[str]:
    yield f"digraph {_quoted(picture.title)} {{"
    caption = _table([Row(printable(picture.title), "title"), *_notes(picture)])
    yield f"  graph [rankdir=TB compound=true nodesep=0.35 ranksep=0.45 pad=0.2 labelloc=t bgcolor={_quoted(PAPER)}"
    yield f"    fontname={FONT} fontcolor={_quoted(INK)} label={caption}]"
    yield f'  node [shape=box style="rounded,filled" fontname={FONT} fontsize={_TEXT} margin="0.12,0.06"]'
    yield f"  edge [fontname={FONT} fontsize={_TEXT} color={_quoted(EDGE)} fontcolor={_quoted(INK)}]"
    yield from _inside(picture, "", ids, "  ")
    clusters = {group.key: f"cluster_{number}" for number, group in enumerate(picture.groups)}
    order = {shape.key: number for number, shape in enumerate(picture.shapes) if shape.form != "elsewhere"}
    for number, line in enumerate(picture.lines):
        back = order.get(line.source, 0) > order.get(line.target, len(order)) and not line.around
        yield f"  {_line(line, number, ids, clusters, back)}"
    yield "}"


def _notes(picture: Picture) -> Iterator[Row]:
    said: tuple[tuple[Role, tuple[str, ...]], ...] = (("text", notes(picture)), ("refused", picture.faults))
    for role, texts in said:
        for text in texts:
            yield from (Row(line, role) for line in wrap(printable(text), _WIDEST))


def _inside(picture: Picture, group: str, ids: Mapping[str, str], indent: str) -> Iterator[str]:
    """Write the shapes of a group, and the groups in it, each with what is said of it as its first shape."""
    for shape in picture.shapes:
        if shape.group == group and not shape.is_head:
            yield f"{indent}{_shape(shape, ids[shape.key])}"
    for number, inner in enumerate(picture.groups):
        if inner.parent == group:
            yield f"{indent}subgraph cluster_{number} {{"
            yield f"{indent}  graph [{_attributes(_group(inner, number))}]"
            yield f"{indent}  {_head(inner, ids[inner.key])}"
            yield from _inside(picture, inner.key, ids, indent + "  ")
            yield f"{indent}}}"


def _group(group: Group, number: int) -> dict[str, str]:
    marks = group.marks
    return {
        "id": f"g{number}",
        "class": _classes("group", marks),
        "style": _quoted("rounded,dashed" if marks.change == "removed" else "rounded"),
        "color": _quoted(_stroke(marks, FAINT)),
        "penwidth": "3" if marks.refusals or marks.change else "1.5",
        "label": '""',
    }


def _head(group: Group, name: str) -> str:
    """The words of a group: as its label they would be crossed by the arrow that enters it."""
    attributes = {
        "id": name,
        "class": _classes("head", group.marks),
        "shape": "tab",
        "style": "filled",
        "fillcolor": _quoted(PAPER),
        "color": _quoted(_stroke(group.marks, FAINT)),
        "label": _table(rows(group)),
    }
    return f"{name} [{_attributes(attributes)}]"


def _shape(shape: Shape, name: str) -> str:
    marks = shape.marks
    colours = FAMILIES[shape.family]
    attributes = {
        "id": name,
        "class": _classes(f"{shape.form} {shape.family}", marks),
        "tooltip": _quoted(printable(shape.key)),
        "fillcolor": _quoted(colours.fill),
        "color": _quoted(_stroke(marks, colours.stroke)),
    }
    if shape.form in ("start", "end"):
        kind = "circle" if shape.form == "start" else "doublecircle"
        label = f"{_SIGNS.get(marks.change, '')}{shape.title}"
        attributes |= {"shape": kind, "style": "filled", "margin": "0.02", "label": _quoted(label)}
        attributes |= {"fontcolor": _quoted(INK)}
        return f"{name} [{_attributes(attributes)}]"
    if shape.form == "field":
        attributes |= {"shape": "cylinder", "style": "filled"}
    if shape.form == "elsewhere":
        attributes |= {"shape": "cds", "style": "filled", "fillcolor": _quoted(PAPER)}
    if marks.change == "removed" or (marks.ran is not None and not marks.ran):
        attributes["style"] = _quoted("filled,dashed" if shape.form == "field" else "rounded,filled,dashed")
    attributes["penwidth"] = "3" if marks.refusals or marks.change else "2" if marks.asks else "1.2"
    attributes["peripheries"] = "2" if shape.many else "1"
    said = rows(shape)
    attributes["label"] = _table(said, _LID * len(said) if shape.form == "field" else 0)
    return f"{name} [{_attributes(attributes)}]"


def _line(line: Line, number: int, ids: Mapping[str, str], clusters: Mapping[str, str], back: bool) -> str:
    """An arrow that goes back is written the other way round and drawn backwards, so that it turns nothing over."""
    marks = line.marks
    source, target = (line.target, line.source) if back else (line.source, line.target)
    taken = marks.ran is None or bool(marks.ran)
    colour = _stroke(marks, EDGE if taken else FAINT)
    attributes = {
        "id": f"e{number}",
        "class": _classes(f"line {line.form}", marks),
        "style": _STYLES[line.form] if marks.change != "removed" else "dashed",
        "color": _quoted(colour),
        "penwidth": "2.5"
        if marks.refusals or marks.change or marks.ran
        else "2"
        if line.form == "again"
        else _WIDTHS.get(line.form, "1.2"),
    }
    if line.form in _HEADS:
        attributes["arrowtail" if back else "arrowhead"] = _HEADS[line.form]
    if back:
        attributes["dir"] = "back"
    if line.form in ("always", "arm", "order"):
        attributes["weight"] = _STRAIGHT
    if line.source == line.target:
        attributes |= {"tailport": "w", "headport": "w"}
    if line.around in clusters:
        attributes["ltail"] = clusters[line.around]
    if said := rows(line):
        attributes["label"] = _table(said)
    return f"{ids[source]} -> {ids[target]} [{_attributes(attributes)}]"


def _stroke(marks: Marks, otherwise: str) -> str:
    if marks.refusals or marks.change == "removed" or marks.failed:
        return REFUSED
    if marks.change:
        return ADDED if marks.change == "added" else INK
    return ASKED if marks.asks else otherwise


def _classes(own: str, marks: Marks) -> str:
    names = [own]
    names += ["refused"] if marks.refusals or marks.failed else []
    names += ["asked"] if marks.asks else []
    names += [marks.change] if marks.change else []
    names += ["idle"] if marks.ran is not None and not marks.ran else []
    return _quoted(" ".join(names))


def _table(said: Iterable[Row], above: int = 0) -> str:
    cells = "".join((*((f'<tr><td height="{above}"></td></tr>',) if above else ()), *map(_cell, said)))
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>>'


def _cell(row: Row) -> str:
    size = _TITLE if row.role == "title" else _TEXT
    text = escape(row.text).replace("\\", "\\\\")  # or \\N would be the name of the node
    cell = _BOLD_CELL if row.role in BOLD else _CELL
    if row.role in BOLD:
        text = f"<b>{text}</b>"
    font = f'<font point-size="{size}" color="{_INKS[row.role]}">{text}</font>'
    return f'<tr><td width="{round(width(row.text) * size * cell)}">{font}</td></tr>'


def _attributes(attributes: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
