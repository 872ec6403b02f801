"""Where values stand, in the cheapest form a reader can keep; a layout makes spans of it when it is asked.

Each container of the value has a :class:`Table` or an :class:`Array` with one mark for each entry it holds.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from grapharc.spec.json_value import Json

Spot: TypeAlias = "tuple[int, int, int, int]"
"""Where an entry stands: start and end of its value, start and end of its key (of its value again, in an array)."""

Mark: TypeAlias = "int | Spot | Table | Array"
"""An offset from which the entry can be matched once more, its spot, or the marks of the container that it holds."""

Key: TypeAlias = "int | tuple[int, int]"
"""Where a key stands: start and end, or an offset from which its entry can be matched once more."""

Form: TypeAlias = Literal["braces", "implicit", "header", "dotted"]
"""How a table came to be: written in braces; made on the way to a header; by its own header; by a dotted key."""


# Plain classes: a reader makes one for each container, and a check that starts cold has no time to make dataclasses.
class Table:
    """A JSON object or a TOML table, with the value that is made of it. ``key`` is that which holds it."""

    __slots__ = ("end", "form", "key", "marks", "start", "value")

    def __init__(
        self, value: dict[str, Json], marks: dict[str, Mark], start: int, end: int, key: Key, form: Form = "braces"
    ) -> None:
        self.value = value
        self.marks = marks
        self.start = start
        self.end = end
        self.key = key
        self.form: Form = form


class Array:
    """A JSON or TOML array, with the value that is made of it; ``tables``: it is one of TOML's arrays of tables."""

    __slots__ = ("end", "key", "marks", "start", "tables", "value")

    def __init__(
        self, value: list[Json], marks: list[Mark], start: int, end: int, key: Key, *, tables: bool = False
    ) -> None:
        self.value = value
        self.marks = marks
        self.start = start
        self.end = end
        self.key = key
        self.tables = tables


NO_KEY = (-1, -1)
"""The key of what no key holds: a root, or an element of an array."""
