"""A picture whose arrows are near goes in; of a long one, one that stands in several columns comes out.

A column ends where few arrows lead on. Each of these ends at a signpost that names where it leads, and begins anew at
the head of the next column, at one that names where it comes from. Nothing else holds two columns together, so that
whoever lays them out puts them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from grapharc.compiler.diagrams.near import near, rows
from grapharc.compiler.diagrams.picture import PLAIN, Group, Line, Picture, Shape
from grapharc.spec.frozen import replace

LONG = 30
"""A picture of no more rows than these stands in one column."""
_HIGH = 18
_FEW, _WAIT = 3, 1.25
"""So many arrows may lead on from one column to another, once no place with a single one came for so much longer."""


def as_image(picture: Picture) -> Picture:
    """Return a picture as an image shows it: no arrow leads far on, and a long one stands in columns."""
    return in_columns(near(picture))


def in_columns(picture: Picture) -> Picture:
    """Put a long picture into columns; new shapes stand behind all others, so that those keep their identifiers."""
    row = rows(picture)
    height = max(row.values(), default=0) + 1
    if height <= LONG:
        return picture
    column = _columns(picture, row, max(_HIGH, round((2 * height) ** 0.5)))
    ends = {end.key: end for end in (*picture.groups, *picture.shapes)}
    posts: dict[tuple[str, str, str], Shape] = {}
    lines: list[Line] = []
    for line in picture.lines:
        if column.get(line.source, 0) == column.get(line.target, 0):
            lines.append(line)
        elif line.form != "order":
            source, target = ends[line.source], ends[line.target]
            to = posts.setdefault(("to", target.key, source.key), _post("to", target, len(posts)))
            origin = posts.setdefault(("from", source.key, target.key), _post("from", source, len(posts)))
            lines.append(replace(line, target=to.key))
            lines.append(replace(line, source=origin.key, text=(), around="", marks=PLAIN))
    return replace(picture, shapes=(*picture.shapes, *posts.values()), lines=tuple(lines))


def _columns(picture: Picture, row: Mapping[str, int], high: int) -> dict[str, int]:
    """By shape and group the number of its column; what stands behind all others stands where its arrow is."""
    placed = [shape for shape in picture.shapes if not _is_copy(shape)]
    parent = {group.key: group.parent for group in picture.groups}
    crossing = _crossing(picture, placed, parent)
    column: dict[str, int] = {}
    number = first = 0
    for place, shape in enumerate(placed):
        tall = row[shape.key] - first
        if tall >= high and crossing[place] <= (1 if tall < high * _WAIT else _FEW):
            number, first = number + 1, row[shape.key]
        column[shape.key] = number
        column |= dict.fromkeys(_around(shape, parent), number)  # no column ends within a group
    for line in picture.lines:
        for copy, other in ((line.source, line.target), (line.target, line.source)):
            if copy not in column and other in column:
                column[copy] = column[other]
    return column


def _crossing(picture: Picture, placed: Sequence[Shape], parent: Mapping[str, str]) -> Sequence[int]:
    """How many arrows lead past each place between two shapes; a place within a group is none to end a column at."""
    place = {shape.key: number for number, shape in enumerate(placed)}
    held: dict[str, list[int]] = {}
    for number, shape in enumerate(placed):
        for group in _around(shape, parent):
            held.setdefault(group, []).append(number)
    spans = [(min(ends), max(ends), _FEW + 1) for ends in held.values()]
    for line in picture.lines:
        if line.source in place and line.target in place and line.form != "order":
            ends = sorted((place[line.source], place[line.target]))
            spans.append((ends[0], ends[1], 1))
    change = [0] * (len(placed) + 2)
    for start, end, weight in spans:
        change[start + 1] += weight
        change[end + 1] -= weight
    return list(accumulate(change))


def _around(shape: Shape, parent: Mapping[str, str]) -> Iterator[str]:
    """Yield the groups that a shape stands in, from within."""
    group = shape.group
    while group:
        yield group
        group = parent.get(group, "")


def _is_copy(shape: Shape) -> bool:
    return shape.form == "elsewhere" or "@" in shape.key


def _post(word: str, away: Shape | Group, number: int) -> Shape:
    family = away.family if isinstance(away, Shape) else "pure"
    return Shape(f"{away.key}@@{number}", "elsewhere", f"{word} {away.title}", family=family)
