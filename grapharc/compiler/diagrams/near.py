"""A picture goes in; one whose arrows can be followed comes out: what lies far down is drawn anew where it is reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from grapharc.compiler.diagrams.picture import Group, Line, Picture, Shape
from grapharc.compiler.diagrams.words import wrapped
from grapharc.spec.frozen import replace

DrawnT = TypeVar("DrawnT", Shape, Group)

FAR = 6
"""An arrow over more rows of shapes than this is longer than a screen is high."""
_NAMED = 4
"""How many of those that lead to a shape from afar are named at it."""


def near(picture: Picture) -> Picture:
    """Let each arrow that would lead far on end nearby: at an end of its own, or at the name of where it leads.

    What is reached so says from where. New shapes stand behind all others, so that those keep their identifiers.
    """
    rows = _rows(picture)
    shapes = {shape.key: shape for shape in picture.shapes}
    groups = {group.key: group for group in picture.groups}
    copies: dict[tuple[str, str], Shape] = {}
    reached: dict[str, dict[str, None]] = {}
    lines: list[Line] = []
    for line in picture.lines:
        target = shapes.get(line.target)
        if target is None or line.form == "again" or rows[line.target] - rows.get(line.source, 0) <= FAR:
            lines.append(line)
            continue
        copy = copies.setdefault((line.source, line.target), _copy(target, groups, len(copies)))
        lines.append(replace(line, target=copy.key))
        if copy.form == "elsewhere":
            reached.setdefault(line.target, {})[_name(shapes[line.source], groups)] = None
    said = {key: _from(tuple(names)) for key, names in reached.items()}
    return replace(
        picture,
        shapes=(*(_with(shape, said.get(shape.key, ())) for shape in picture.shapes), *copies.values()),
        groups=tuple(_with(group, _of_start(group, shapes, said)) for group in picture.groups),
        lines=tuple(lines),
    )


def _rows(picture: Picture) -> Mapping[str, int]:
    """In which row each shape stands: beneath all that lead to it, those left out that stand behind it."""
    order = {shape.key: number for number, shape in enumerate(picture.shapes)}
    rows = dict.fromkeys(order, 0)
    known = (line for line in picture.lines if line.source in order and line.target in order)
    for line in sorted(known, key=lambda line: order[line.source]):
        if order[line.source] < order[line.target]:
            rows[line.target] = max(rows[line.target], rows[line.source] + 1)
    return rows


def _copy(target: Shape, groups: Mapping[str, Group], number: int) -> Shape:
    if target.form == "end":
        return replace(target, key=f"{target.key}@{number}")
    group = groups[target.group].parent if target.is_head else target.group
    title = f"to {_name(target, groups)}"
    return Shape(f"{target.key}@{number}", "elsewhere", title, family=target.family, group=group)


def _name(shape: Shape, groups: Mapping[str, Group]) -> str:
    """What a shape is called: the start and the end of a subgraph as the subgraph."""
    return groups[shape.group].title if shape.form in ("start", "end") and shape.group else shape.title


def _from(names: tuple[str, ...]) -> tuple[str, ...]:
    more = len(names) - _NAMED
    told = ", ".join(names[:_NAMED])
    return wrapped(f"also from {told}{f' and {more} more' if more > 0 else ''}")


def _of_start(group: Group, shapes: Mapping[str, Shape], said: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    heads = (key for key in said if shapes[key].is_head and shapes[key].group == group.key)
    return next((said[key] for key in heads), ())


def _with(drawn: DrawnT, said: tuple[str, ...]) -> DrawnT:
    return replace(drawn, lines=(*drawn.lines, *said)) if said else drawn
