"""Two sides of a graph go in; what stands on both, whatever it is called there, comes out in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from grapharc.policy.diff.change import Category, Change, Direction
from grapharc.policy.diff.match import renamed
from grapharc.policy.diff.side import Side
from grapharc.spec.canonical import canonical
from grapharc.spec.finding import Place, Value
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Node


@frozen(slots=False)
class Both:
    """What is compared."""

    old: Side
    new: Side

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """By old name the new one, of nodes that are called otherwise."""
        return renamed(self.old.graph, self.new.graph)

    def now(self, name: str) -> str:
        """Return what a node of the old side, or an end within it, is called or would be on the new one."""
        return self.renamed.get(name) or self.now_field(name)

    def now_field(self, name: str) -> str:
        """Return the same of a field: one of a subgraph is called by the node that runs it."""
        outer, slash, own = name.rpartition("/")
        return f"{self.now(outer)}/{own}" if slash else name

    @cached_property
    def matched(self) -> tuple[tuple[Node, Node], ...]:
        """The nodes that are on both sides, by their new names."""
        pairs = {self.now(name): node for name, node in self.old.nodes.items()}
        both = sorted(pairs.keys() & self.new.nodes.keys())
        return tuple((pairs[name], self.new.nodes[name]) for name in both)

    @cached_property
    def gone(self) -> tuple[Node, ...]:
        """The nodes that are only on the old side."""
        names = sorted(name for name in self.old.nodes if self.now(name) not in self.new.nodes)
        return tuple(self.old.nodes[name] for name in names)

    @cached_property
    def come(self) -> tuple[Node, ...]:
        """The nodes that are only on the new side."""
        before = {self.now(name) for name in self.old.nodes}
        return tuple(self.new.nodes[name] for name in sorted(self.new.nodes.keys() - before))


@frozen
class About:
    """What a change is about: a row of the words, a category and a subject, with values for the words."""

    what: str
    category: Category
    subject: str
    values: Mapping[str, Value] = field(default_factory=dict[str, "Value"])
    place: Place | None = None
    witness: tuple[str, ...] = ()

    def change(self, direction: Direction, before: Json = None, after: Json = None, *, earlier: bool = False) -> Change:
        """Make the change."""
        was, now = briefly(before, after)
        values: dict[str, Value] = {"subject": self.subject, "before": was, "after": now}
        values |= self.values
        return Change(
            self.what,
            self.category,
            direction,
            self.subject,
            before,
            after,
            values,
            self.witness,
            self.place,
            earlier,
        )


def direction_of_sets(before: Iterable[object], after: Iterable[object]) -> Direction:
    """Say what it is to have more, less, or other members; both must differ."""
    one, other = set(before), set(after)
    if one < other:
        return "widens"
    return "narrows" if other < one else "incomparable"


def direction_of_amounts(before: float | None, after: float | None) -> Direction:
    """Say what another amount is, None being without end; both must differ."""
    if after is None or (before is not None and after > before):
        return "widens"
    return "narrows"


def direction_of_paths(before: Json, after: Json) -> Direction:
    """A folder holds all that lies beneath it; without one it is the whole workspace. ``..`` may lead anywhere."""
    one, other = _parts(before), _parts(after)
    if one is None or other is None:
        return "incomparable"
    if one[: len(other)] == other:
        return "widens"
    return "narrows" if other[: len(one)] == one else "incomparable"


def _parts(path: Json) -> tuple[str, ...] | None:
    if path is None:
        return ()
    if not isinstance(path, str) or ".." in path.split("/"):
        return None
    return tuple(part for part in path.split("/") if part not in ("", "."))


SHOWN = 60
"""A value that is longer is cut where it is put into words."""


SHARED = 20
"""So much is shown of what two long values have in common before they differ."""


def brief(value: Json) -> str:
    """Put a value into a few words."""
    return _cut(_text(value))


def briefly(before: Json, after: Json) -> tuple[str, str]:
    """Put two values into a few words, which differ: of long ones that begin alike the beginning is left out."""
    was, now = _text(before), _text(after)
    if was == now or _cut(was) != _cut(now):
        return _cut(was), _cut(now)
    pairs = enumerate(zip(was, now, strict=False))
    alike = next((place for place, (one, other) in pairs if one != other), min(len(was), len(now)))
    start = max(alike - SHARED, 0)
    return _cut(f"…{was[start:]}"), _cut(f"…{now[start:]}")


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _text(value: Json) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case list() | tuple():
            return ", ".join(map(_text, value))
        case _:
            return canonical(value)


def differing(before: Json, after: Json, place: str = "") -> Iterator[str]:
    """Say where two values differ, and how: "limit: 3 -> 5"; ``none`` is what is not there at all."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            here = f"{place}.{key}" if place else key
            if key not in after:
                yield f"{here}: {_cut(_text(before[key])) or canonical(before[key])} -> none"
            elif key not in before:
                yield f"{here}: none -> {_cut(_text(after[key])) or canonical(after[key])}"
            elif canonical(before[key]) != canonical(after[key]):
                yield from differing(before[key], after[key], here)
        return
    texts = zip(briefly(before, after), (before, after), strict=True)
    was, now = (text or ("none" if value is None and not place else canonical(value)) for text, value in texts)
    yield f"{place}: {was} -> {now}" if place else f"{was} -> {now}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return names in one text, of many the first few."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
