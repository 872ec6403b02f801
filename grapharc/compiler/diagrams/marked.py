"""A picture goes in; what is said of the whole comes out, for a large one with where it is marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.compiler.diagrams.picture import Line, Marks, Picture, Shape

MANY = 20
"""A picture of more nodes and fields than this is not seen at once."""
_TOLD = 8


def notes(picture: Picture) -> tuple[str, ...]:
    """Return the notes of a picture, and where its marks stand if it is so large that they must be looked for."""
    large = sum(shape.form in ("node", "field") for shape in picture.shapes) > MANY
    return (*picture.notes, *(_where(picture) if large else ()))


def names(picture: Picture) -> dict[str, str]:
    """Return what each shape is called where the shapes around it are not seen, by its key."""
    return {shape.key: _name(shape) for shape in picture.shapes}


def line_name(line: Line, called: Mapping[str, str]) -> str:
    """Return from where to where a line leads."""
    return f"{called.get(line.source, line.source)} -> {called.get(line.target, line.target)}"


def _where(picture: Picture) -> Iterator[str]:
    called = names(picture)
    found: dict[str, dict[str, None]] = {}
    for drawn in (*picture.shapes, *picture.groups, *picture.lines):
        for word in _marks(drawn.marks):
            place = line_name(drawn, called) if isinstance(drawn, Line) else called.get(drawn.key, drawn.key)
            found.setdefault(word, {})[place] = None
    for word, places in found.items():
        more = len(places) - _TOLD
        yield f"{word}: {', '.join(list(places)[:_TOLD])}{f' and {more} more' if more > 0 else ''}"


def _name(shape: Shape) -> str:
    outer = f"{shape.group} " if shape.group else ""
    match shape.form:
        case "node":
            return shape.key
        case "start" if shape.group:
            return shape.group
        case "field":
            return f"{outer}field {shape.title}"
        case _:
            return f"{outer}{shape.title}"


def _marks(marks: Marks) -> Iterator[str]:
    if marks.refusals:
        yield "refused"
    if marks.asks:
        yield "a person is asked"
    if marks.change:
        yield marks.change
    if marks.failed:
        yield "failed"
