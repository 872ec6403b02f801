"""A picture goes in; one whose arrows can be followed comes out: what lies far down is named where it is reached."""

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
    row = rows(picture)
    shapes = {shape.key: shape for shape in picture.shapes}
    groups = {group.key: group for group in picture.groups}
    copies: dict[tuple[str, str, str], Shape] = {}
    reached: dict[tuple[str, str], dict[str, None]] = {}
    lines: list[Line] = []
    for line in picture.lines:
        if not _is_far(line, row):
            lines.append(line)
            continue
        source, target = shapes[line.source], shapes[line.target]
        sent = source.form == "field" and target.form != "field"
        at, away, word = (target, source, "to") if sent else (source, target, "from")
        copy = copies.setdefault((at.key, away.key, word), _copy(away, groups, len(copies), sent))
        lines.append(replace(line, source=copy.key) if sent else replace(line, target=copy.key))
        if copy.form == "elsewhere":
            reached.setdefault((away.key, word), {})[_name(at, groups)] = None
    said: dict[str, tuple[str, ...]] = {}
    for (key, word), names in reached.items():
        said[key] = (*said.get(key, ()), *_also(word, tuple(names)))
    return replace(
        picture,
        shapes=(*(_with(shape, said.get(shape.key, ())) for shape in picture.shapes), *copies.values()),
        groups=tuple(_with(group, _of_start(group, shapes, said)) for group in picture.groups),
        lines=tuple(lines),
    )


def rows(picture: Picture) -> Mapping[str, int]:
    """In which row each shape stands: beneath all that lead to it, those left out that stand behind it."""
    order = {shape.key: number for number, shape in enumerate(picture.shapes)}
    rows = dict.fromkeys(order, 0)
    known = (line for line in picture.lines if line.source in order and line.target in order)
    for line in sorted(known, key=lambda line: order[line.source]):
        if order[line.source] < order[line.target]:
            rows[line.target] = max(rows[line.target], rows[line.source] + 1)
    return rows


def _is_far(line: Line, rows: Mapping[str, int]) -> bool:
    """Values may also lead far up; of edges only the way back to the header of a loop does, and that is drawn."""
    if line.form in ("again", "order") or line.source not in rows or line.target not in rows:
        return False
    down = rows[line.target] - rows[line.source]
    return (abs(down) if line.form == "data" else down) > FAR


def _copy(away: Shape, groups: Mapping[str, Group], number: int, sent: bool) -> Shape:
    if away.form == "end":
        return replace(away, key=f"{away.key}@{number}")
    group = groups[away.group].parent if away.is_head else away.group
    title = f"{'from' if sent else 'to'} {_name(away, groups)}"
    return Shape(f"{away.key}@{number}", "elsewhere", title, family=away.family, group=group)


def _name(shape: Shape, groups: Mapping[str, Group]) -> str:
    """What a shape is called: the start and the end of a subgraph as the subgraph."""
    return groups[shape.group].title if shape.form in ("start", "end") and shape.group else shape.title


def _also(word: str, names: tuple[str, ...]) -> tuple[str, ...]:
    more = len(names) - _NAMED
    told = ", ".join(names[:_NAMED])
    return wrapped(f"also {word} {told}{f' and {more} more' if more > 0 else ''}")


def _of_start(group: Group, shapes: Mapping[str, Shape], said: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    heads = (key for key in said if shapes[key].is_head and shapes[key].group == group.key)
    return next((said[key] for key in heads), ())


def _with(drawn: DrawnT, said: tuple[str, ...]) -> DrawnT:
    return replace(drawn, lines=(*drawn.lines, *said)) if said else drawn
