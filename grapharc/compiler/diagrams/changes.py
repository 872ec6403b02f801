"""A graph on both sides of a change goes in; one picture of both comes out, with what changed marked in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from grapharc.compiler.diagrams.picture import PLAIN, Change, Group, Line, Picture, Shape
from grapharc.compiler.diagrams.words import wrapped
from grapharc.policy.admission import Admission
from grapharc.spec.frozen import replace

DrawnT = TypeVar("DrawnT", Shape, Line, Group)
OnNodeT = TypeVar("OnNodeT", Shape, Group)


LEGEND = "+ added, \N{MINUS SIGN} removed, \N{NOT EQUAL TO} changed"


def changed(
    sides: tuple[Admission | None, Admission | None],
    view: Callable[[Admission], Picture],
    renamed: Mapping[str, str],
    otherwise: Mapping[str, Sequence[str]],
) -> Picture:
    """Draw a graph as it was and as it is; of one that is only on one side all is new, or gone.

    ``renamed`` has the new names of nodes by their old ones; ``otherwise`` says of nodes what changed in them, whether
    or not the picture shows it. Raises ValueError for a graph that is on neither side.
    """
    old, new = (None if side is None else view(side) for side in sides)
    there = new or old
    if there is None:
        raise ValueError("a graph that is on neither side cannot be drawn")
    nothing = replace(there, shapes=(), lines=(), groups=())
    drawn = with_changes(called(old or nothing, renamed), new or nothing)
    shapes = tuple(_otherwise(shape, otherwise) for shape in drawn.shapes)
    groups = tuple(_otherwise(group, otherwise) for group in drawn.groups)
    return replace(drawn, shapes=shapes, groups=groups, notes=(*drawn.notes, LEGEND))


def with_changes(before: Picture, after: Picture) -> Picture:
    """Mark what ``after`` adds and changes, and draw what it removes where it stood."""
    return replace(
        after,
        shapes=_both(before.shapes, after.shapes, lambda shape: shape.key),
        lines=(
            *_both(_seen(before), _seen(after), lambda line: (line.source, line.target, line.form, line.text)),
            *(line for line in after.lines if line.form == "order"),
        ),
        groups=_both(before.groups, after.groups, lambda group: group.key),
    )


def called(picture: Picture, names: Mapping[str, str]) -> Picture:
    """Call what a picture shows by new names, so that what is only called otherwise stays where it is."""

    def now(key: str) -> str:
        outer, slash, own = key.rpartition("/")
        return names.get(key) or (f"{now(outer)}/{own}" if slash else key)

    return replace(
        picture,
        shapes=tuple(replace(each, key=now(each.key), group=now(each.group)) for each in picture.shapes),
        lines=tuple(
            replace(each, source=now(each.source), target=now(each.target), around=now(each.around))
            for each in picture.lines
        ),
        groups=tuple(replace(each, key=now(each.key), parent=now(each.parent)) for each in picture.groups),
    )


def _otherwise(drawn: OnNodeT, otherwise: Mapping[str, Sequence[str]]) -> OnNodeT:
    """Say what changed in a node; what its own lines say otherwise is said where nothing else is."""
    texts = otherwise.get(drawn.key)
    if texts is None or drawn.marks.change not in ("", "changed"):
        return drawn
    told = tuple(line for text in texts for line in wrapped(text))
    return replace(drawn, marks=replace(drawn.marks, change="changed", told=told))


def _seen(picture: Picture) -> Iterable[Line]:
    return (line for line in picture.lines if line.form != "order")


def _both(before: Iterable[DrawnT], after: Iterable[DrawnT], key: Callable[[DrawnT], Hashable]) -> tuple[DrawnT, ...]:
    """Put both sides together, what is gone behind what it stood behind."""
    old = {key(each): each for each in before}
    now = {key(each): _compared(old.get(key(each)), each) for each in after}
    behind: dict[Hashable, list[DrawnT]] = {}
    last: Hashable = None
    for name, each in old.items():
        if name in now:
            last = name
        else:
            behind.setdefault(last, []).append(_marked(each, "removed"))
    stand = (each for name, new in now.items() for each in (new, *behind.get(name, ())))
    return (*behind.get(None, ()), *stand)


def _compared(old: DrawnT | None, new: DrawnT) -> DrawnT:
    """Mark what is new or says something else; of the latter, what it said before."""
    if old is None:
        return _marked(new, "added")
    if replace(old, marks=PLAIN) == replace(new, marks=PLAIN):
        return new
    lines = () if isinstance(old, Line) or isinstance(new, Line) else (x for x in old.lines if x not in new.lines)
    told = tuple(f"was {line}" for line in lines)
    return replace(new, marks=replace(new.marks, change="changed", told=told))


def _marked(drawn: DrawnT, change: Change) -> DrawnT:
    return replace(drawn, marks=replace(drawn.marks, change=change)) if change else drawn
