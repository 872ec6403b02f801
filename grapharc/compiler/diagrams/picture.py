"""What a diagram shows, before any format: shapes, lines between them, groups around them, and what is said of each."""

from __future__ import annotations

from typing import Literal, TypeAlias

from grapharc.spec.frozen import field, frozen
from grapharc.spec.offers import Capability

Family: TypeAlias = Literal["pure", "reads", "writes", "model", "runs", "human", "field"]
"""What a shape may touch, by the most that it may; it chooses the colour, and is said in words as well."""

Change: TypeAlias = Literal["", "added", "removed", "changed"]
Form: TypeAlias = Literal["always", "arm", "error", "again", "exhausted", "data", "order"]
"""How a line is taken: as edges are; ``again`` goes back to the header of a loop; ``data`` is no edge but a value.

``order`` is not seen: it keeps its ends in the order of a run.
"""

_FAMILIES: tuple[tuple[Family, frozenset[Capability]], ...] = (
    ("human", frozenset({"human"})),
    ("runs", frozenset({"run_command", "network"})),
    ("writes", frozenset({"write_files", "memory_write"})),
    ("model", frozenset({"model"})),
    ("reads", frozenset({"read_files", "memory_read", "clock", "random"})),
)


@frozen
class Marks:
    """What is said of a shape or a line beside what it is.

    ``refusals`` are findings that refuse it, ``asks`` the people who are asked. ``ran`` tells what a run did there, in
    words, and is None where no run is shown; an empty one says that the run did not come by.
    """

    refusals: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    change: Change = ""
    told: tuple[str, ...] = ()
    """What changed, in words: old and new."""
    ran: tuple[str, ...] | None = None
    failed: bool = False


PLAIN = Marks()


@frozen
class Shape:
    """A node, the start or the end of a graph, or a field. ``key`` is unique in a picture; ``group`` holds it.

    ``elsewhere`` is the name of a shape that stands far off, where an arrow leads to it.
    """

    key: str
    form: Literal["node", "start", "end", "field", "elsewhere"]
    title: str
    lines: tuple[str, ...] = ()
    family: Family = "pure"
    many: bool = False
    """Whether it runs once for each item of a list."""
    group: str = ""
    marks: Marks = field(default=PLAIN)

    @property
    def is_head(self) -> bool:
        """Whether the words of its group stand in its place."""
        return self.form == "start" and bool(self.group)


@frozen
class Line:
    """An arrow from one shape or group to another. ``around`` is the group that it leaves as a whole, if it does."""

    source: str
    target: str
    form: Form = "always"
    text: tuple[str, ...] = ()
    around: str = ""
    marks: Marks = field(default=PLAIN)


@frozen
class Group:
    """A subgraph: what is drawn around its shapes. ``parent`` is the group around it."""

    key: str
    title: str
    lines: tuple[str, ...] = ()
    parent: str = ""
    marks: Marks = field(default=PLAIN)


@frozen
class Picture:
    """A diagram. ``notes`` are said of the whole, and so are ``faults``, which refuse it.

    Shapes stand in an order in which most lines lead on.
    """

    title: str
    notes: tuple[str, ...]
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]
    groups: tuple[Group, ...] = ()
    faults: tuple[str, ...] = ()


def identifiers(picture: Picture) -> dict[str, str]:
    """Return a short name for each shape and for the head of each group, by its key.

    The head of a group stands for it as a whole and holds its words; where the group has a start, it takes its place.
    """
    ids = {shape.key: f"n{number}" for number, shape in enumerate(picture.shapes)}
    starts = {shape.group: ids[shape.key] for shape in picture.shapes if shape.is_head}
    return ids | {group.key: starts.get(group.key, f"h{number}") for number, group in enumerate(picture.groups)}


def family_of(capabilities: tuple[Capability, ...]) -> Family:
    """Return the family of what may touch all of these."""
    held = frozenset(capabilities)
    for family, some in _FAMILIES:
        if held & some:
            return family
    return "pure"
