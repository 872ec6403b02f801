"""A picture goes in, its text in Mermaid's language comes out, for Markdown that draws it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.diagrams.palette import (
    ADDED,
    ADDED_LINE,
    ASKED,
    FAINT,
    FAINT_LINE,
    FAMILIES,
    INK,
    REFUSED,
    REFUSED_LINE,
)
from grapharc.cli.rendering.diagrams.rows import BOLD, Row, rows
from grapharc.compiler.diagrams.marked import notes
from grapharc.compiler.diagrams.near import near
from grapharc.compiler.diagrams.picture import Form, Group, Line, Marks, Picture, Shape, identifiers

_ARROWS: Mapping[Form, str] = {
    "always": "-->",
    "arm": "-->",
    "again": "==>",
    "error": "-.-o",
    "exhausted": "-.->",
    "data": "-->",
    "order": "~~~",
}
_HALVES: Mapping[str, str] = {"-->": "---", "==>": "===", "-.-o": "-.-", "-.->": "-.-"}
"""Each arrow without its head."""
_SPECIAL = frozenset('"#<>&;`\\|{}[]()')
"""Characters that Mermaid, or the page that it draws on, would take for their own."""
_CLASSES: Mapping[str, str] = {
    **{name: f"fill:{tones.fill},stroke:{tones.stroke},color:{INK}" for name, tones in FAMILIES.items()},
    "refused": f"fill:#ffebe9,stroke:{REFUSED},stroke-width:3px,color:{INK}",
    "removed": f"fill:#ffebe9,stroke:{REFUSED},stroke-width:3px,stroke-dasharray:5 3,color:{INK}",
    "added": f"fill:#dafbe1,stroke:{ADDED},stroke-width:3px,color:{INK}",
    "changed": f"fill:#fff8c5,stroke:{INK},stroke-width:3px,color:{INK}",
    "asked": f"fill:#f1e8fd,stroke:{ASKED},stroke-width:3px,color:{INK}",
    "idle": f"fill:{FAMILIES['pure'].fill},stroke:{FAINT},stroke-dasharray:4 3,color:{FAINT}",
    "words": "fill:none,stroke:none",
    "note": f"fill:{FAMILIES['pure'].fill},stroke:{FAINT},color:{INK}",
}


def render(picture: Picture) -> str:
    """Return the picture as a ``flowchart``."""
    return "".join(f"{line}\n" for line in _chart(near(picture)))


def _chart(picture: Picture) -> Iterator[str]:
    yield from ("---", f"title: {json.dumps(printable(picture.title))}", "---", "flowchart TD")
    ids = identifiers(picture)
    groups = {group.key: f"g{number}" for number, group in enumerate(picture.groups)}
    apart = _apart(picture)
    yield from _inside(picture, "", ids, groups, apart, "  ")
    for number, note in enumerate(notes(picture)):
        yield f'  note{number}["{_text(note)}"]:::note'
    for number, fault in enumerate(picture.faults):
        yield f'  fault{number}["{_text(fault)}"]:::refused'
    for number, line in enumerate(picture.lines):
        arrow, source, target = _ARROWS[line.form], groups.get(line.around) or ids[line.source], ids[line.target]
        if number in apart:
            yield f"  {source} {_HALVES[arrow]} words{number}"
            yield f"  words{number} {arrow} {target}"
        else:
            said = _said(line)
            label = f'|"{said}"|' if said else ""
            yield f"  {source} {arrow}{label} {target}"
    yield from _styles(picture, groups, apart)


def _apart(picture: Picture) -> frozenset[int]:
    """Number the arrows whose words stand in them as a shape of their own.

    Those are the ones that lead back to where they begin, and several from one shape to another: labels of single
    arrows Mermaid would put over each other.
    """
    said = {number: line for number, line in enumerate(picture.lines) if rows(line)}
    ends = Counter((line.source, line.target) for line in said.values())
    return frozenset(
        number
        for number, line in said.items()
        if not line.around and (line.source == line.target or ends[line.source, line.target] > 1)
    )


def _said(line: Line) -> str:
    return "<br/>".join(_row(row) for row in rows(line))


def _inside(
    picture: Picture,
    group: str,
    ids: Mapping[str, str],
    groups: Mapping[str, str],
    apart: Collection[int],
    indent: str,
) -> Iterator[str]:
    for shape in picture.shapes:
        if shape.group == group and not shape.is_head:
            yield f"{indent}{_shape(shape, ids[shape.key])}"
    here = {shape.key for shape in picture.shapes if shape.group == group}
    for number, line in enumerate(picture.lines):
        if line.source in here and number in apart:
            yield f'{indent}words{number}["{_said(line)}"]:::words'
    for inner in picture.groups:
        if inner.parent == group:
            yield f'{indent}subgraph {groups[inner.key]}[" "]'
            yield f'{indent}  {ids[inner.key]}["{_label(inner)}"]:::{_class(inner.marks) or "pure"}'
            yield from _inside(picture, inner.key, ids, groups, apart, indent + "  ")
            yield f"{indent}end"


def _shape(shape: Shape, name: str) -> str:
    label = f'"{_label(shape)}"'
    match shape.form:
        case "start":
            drawn = f"{name}(({label}))"
        case "end":
            drawn = f"{name}((({label})))"
        case "field":
            drawn = f"{name}[({label})]"
        case "elsewhere":
            drawn = f"{name}>{label}]"
        case _:
            drawn = f"{name}[[{label}]]" if shape.many else f"{name}({label})"
    return f"{drawn}:::{_class(shape.marks) or shape.family}"


def _class(marks: Marks) -> str:
    if marks.refusals or marks.failed:
        return "refused"
    if marks.change:
        return marks.change
    if marks.asks:
        return "asked"
    return "idle" if marks.ran is not None and not marks.ran else ""


def _label(drawn: Shape | Group) -> str:
    return "<br/>".join(_row(row) for row in rows(drawn))


def _row(row: Row) -> str:
    return f"<b>{_text(row.text)}</b>" if row.role in BOLD else _text(row.text)


def _styles(picture: Picture, groups: Mapping[str, str], apart: Collection[int]) -> Iterator[str]:
    drawn = (*picture.shapes, *picture.groups)
    used = {_class(each.marks) for each in drawn} | {shape.family for shape in picture.shapes}
    used |= {"note"} if picture.notes else set()
    used |= {"refused"} if picture.faults else set()
    used |= {"pure"} if groups else set()
    used |= {"words"} if apart else set()
    yield from (f"  classDef {name} {style}" for name, style in _CLASSES.items() if name in used)
    for name in groups.values():
        yield f"  style {name} fill:none,stroke:{FAINT_LINE}"
    arrows = [line for number, line in enumerate(picture.lines) for _ in range(1 + (number in apart))]
    for number, line in enumerate(arrows):
        if style := _line_style(line):
            yield f"  linkStyle {number} {style}"


def _line_style(line: Line) -> str:
    match _class(line.marks):
        case "refused":
            return f"stroke:{REFUSED_LINE},stroke-width:3px"
        case "removed":
            return f"stroke:{REFUSED_LINE},stroke-width:3px,stroke-dasharray:5 3"
        case "added":
            return f"stroke:{ADDED_LINE},stroke-width:3px"
        case "changed":
            return "stroke-width:3px"  # in the ink of the page, by day and by night
        case "idle":
            return f"stroke:{FAINT_LINE},stroke-dasharray:2 3"
        case _:
            return ""


def _text(text: str) -> str:
    return "".join(f"#{ord(character)};" if character in _SPECIAL else character for character in printable(text))
