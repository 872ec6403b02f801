"""Fields of the state go in; LangGraph's channels for them come out.

A field without a reducer holds what was written last. A field with one keeps what each node contributed, and folds it
in an order that is fixed for the compiled graph: that of the contributions' keys, whichever superstep they came in and
whatever LangGraph calls their nodes. What is written to such a channel is a :data:`Contribution`, so that no value that
a node makes is taken for one of LangGraph's own commands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from langgraph.channels import LastValue
from langgraph.channels.base import BaseChannel
from langgraph.errors import EmptyChannelError, InvalidUpdateError

from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.reducers import Reduce, reduce_by, start_of
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Field, Reducer
from grapharc.spec.types import MISSING, Constrained, Missing, show
from grapharc.spec.values import Conform, Misfit, conform

Key: TypeAlias = "tuple[int, ...]"
"""The place of a contribution in the order of folding."""

GIVEN: Key = (-1,)
"""The key of a run's input: it replaces the default and every contribution."""

LATEST: Key = (2**53,)
"""The key of a change from outside, as no node in particular: after all that is there."""

_ABSENT: object = LastValue[object](object).checkpoint()
"""What LangGraph hands a channel that is in no checkpoint."""


Contribution: TypeAlias = "tuple[Key, Json, str]"
"""One write to a field with a reducer: its key, what is contributed, and by which node.

It is made of plain values only, since LangGraph keeps it with a checkpoint.
"""


def contribution(key: Key, value: Json, node: str) -> Json:
    """Make a write to a field with a reducer."""
    return (key, value, node)


def channel_of(field: Field, default: Json | Missing) -> BaseChannel[Any, Any, Any]:
    """Make the channel of a field, which starts from a default if there is one."""
    reduce = reduce_by(field.reducer)
    if reduce is None:
        return Cell(default)
    whole = conform(field.type) if isinstance(field.type, Constrained) or field.reducer == "sum" else None
    return Fold(Folding(field.name, field.reducer, reduce, show(field.type), whole), default)


class _FieldChannel(BaseChannel[Json, Any, Any]):
    """What both have in common: a value, or none yet."""

    __slots__ = ("value",)

    value: Json | Missing

    @property
    def ValueType(self) -> Any:  # noqa: N802 -- the name is LangGraph's
        """The type of values, for LangGraph's own schemas."""
        return self.typ

    @property
    def UpdateType(self) -> Any:  # noqa: N802 -- the name is LangGraph's
        """The type of updates, for LangGraph's own schemas."""
        return self.typ

    def get(self) -> Json:
        """Return the value. Raises EmptyChannelError."""
        if isinstance(self.value, Missing):
            raise EmptyChannelError
        return self.value

    def is_available(self) -> bool:
        """Tell whether there is a value."""
        return self.value is not MISSING


class Cell(_FieldChannel):
    """Holds the last value written, at first the default."""

    __slots__ = ("default",)

    def __init__(self, default: Json | Missing) -> None:
        super().__init__(object)
        self.default = self.value = default

    def from_checkpoint(self, checkpoint: Any) -> Cell:
        """Make a channel as it was when a checkpoint was taken, or a fresh one."""
        made = Cell(self.default)
        made.key = self.key
        if checkpoint is not _ABSENT:
            made.value = checkpoint
        return made

    def update(self, values: Sequence[Json]) -> bool:
        """Take the value written in this superstep, if any."""
        if not values:
            return False
        if len(values) > 1:
            raise InvalidUpdateError(f"{len(values)} writes to '{self.key}' in one superstep")
        self.value = values[0]
        return True


class Mark(_FieldChannel):
    """Holds whether anybody ever wrote to it, also several at once."""

    def __init__(self) -> None:
        super().__init__(object)
        self.value = MISSING

    def from_checkpoint(self, checkpoint: Any) -> Mark:
        """Make a channel as it was when a checkpoint was taken, or a fresh one."""
        made = Mark()
        made.key = self.key
        made.value = MISSING if checkpoint is _ABSENT else True
        return made

    def update(self, values: Sequence[Json]) -> bool:
        """Take it that somebody wrote."""
        if values:
            self.value = True
        return bool(values)


class Folding(NamedTuple):
    """How a field folds what is written to it; ``whole`` checks the result where the type limits it."""

    field: str
    reducer: Reducer
    reduce: Reduce
    declared: str
    whole: Conform | None


class Fold(_FieldChannel):
    """Keeps what was contributed, by key, and the value that it folds into."""

    __slots__ = ("base", "default", "folding", "keys", "parts")

    def __init__(self, folding: Folding, default: Json | Missing) -> None:
        super().__init__(object)
        self.folding = folding
        self.default = self.base = self.value = default
        self.keys: list[Key] = []
        self.parts: list[Json] = []

    def checkpoint(self) -> Any:
        """Return the base, if any, after the contributions and their keys."""
        kept: list[object] = [[list(key) for key in self.keys], list(self.parts)]
        return kept if isinstance(self.base, Missing) else [*kept, self.base]

    def from_checkpoint(self, checkpoint: Any) -> Fold:
        """Make a channel as it was when a checkpoint was taken, or a fresh one."""
        made = Fold(self.folding, self.default)
        made.key = self.key
        if checkpoint is not _ABSENT:
            keys, parts, *base = checkpoint
            made.keys, made.parts = [tuple(key) for key in keys], list(parts)
            made.base = base[0] if base else MISSING
            made.value = made._folded()
        return made

    def update(self, values: Sequence[Contribution]) -> bool:
        """Fold in what was written in this superstep. Raises StateTypeError where the whole no longer fits."""
        for key, value, node in values:
            self._take(tuple(key), value)
            self._check(node)
        return bool(values)

    def _take(self, key: Key, value: Json) -> None:
        if key == GIVEN:
            self.base = self.value = value
            self.keys, self.parts = [], []
            return
        place = bisect_right(self.keys, key)
        self.keys.insert(place, key)
        self.parts.insert(place, value)
        self.value = self._with(self.value, value) if place == len(self.keys) - 1 else self._folded()

    def _with(self, value: Json | Missing, part: Json) -> Json:
        if isinstance(value, Missing):
            return start_of(self.folding.reducer, part)
        return self.folding.reduce(value, part)

    def _folded(self) -> Json | Missing:
        value = self.base
        for part in self.parts:
            value = self._with(value, part)
        return value

    def _check(self, node: str) -> None:
        if self.folding.whole is None:
            return
        try:
            self.folding.whole(self.value)
        except Misfit as misfit:
            found = f"{misfit}, after '{self.folding.reducer}'"
            raise StateTypeError(node, self.folding.field, self.folding.declared, found) from None
