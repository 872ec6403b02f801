"""A node, the state and a way of choosing go in; what one run of the node writes comes out, or that it failed.

Both who moves tokens and the author of raw LangGraph let nodes act by this. Each call of a node's function is counted,
by the way to the node and the number of the item: ``outer/inner/2``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.law.document import Node, Value, item_of
from tests.law.kinds.law import digest

Choose: TypeAlias = Callable[[str, int, Sequence[str]], str]
"""A node, or an item of one, how often it was called before, and what it may say; what it says. ``!`` is a failure."""


@dataclass(frozen=True)
class Place:
    """Where a graph runs: the way to it, and within a map for which item; else -1."""

    way: str = ""
    lane: int = -1

    def key(self, name: str, item: Value = None) -> str:
        """Say how calls of a node are counted."""
        item = self.lane if item is None else item_of(self.lane, item)
        return f"{self.way}{name}" if item == -1 else f"{self.way}{name}/{item}"


OUTERMOST = Place()


@dataclass
class Acts:
    """What has been done so far: calls of functions, by node or ``node/item``, and what each call said."""

    choose: Choose
    calls: Counter[str] = field(default_factory=Counter[str])
    script: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    failed: dict[str, Value] = field(default_factory=dict[str, Value])
    """Of the last node that failed, what becomes of it."""

    def run(self, node: Node, state: Mapping[str, Value], place: Place = OUTERMOST) -> tuple[int, dict[str, Value]]:
        """Run a node: return 0 and what it writes by field, or after how many attempts it still fails."""
        attempts, wrote = self._run(node, state, place)
        if attempts:
            self.failed = {"node": place.way + node.name, "attempts": attempts, "index": None, **wrote}
        return attempts, wrote

    def _run(self, node: Node, state: Mapping[str, Value], place: Place) -> tuple[int, dict[str, Value]]:
        if node.kind == "control.pass":
            return 0, {}
        if node.kind == "control.fail":
            return 1, {}
        if node.fan is not None:
            return self._items(node, state, place)
        key = place.key(node.name)
        attempts, mark, said = self._call(node, key, state)
        wrote = {"mark": mark, "pick": said, "note": [mark], "one": 1, "entry": {key: mark}}
        return attempts, {} if attempts else {name: wrote[port] for port, name in node.writes.items()}

    def _call(self, node: Node, key: str, state: Mapping[str, Value], fixed: str | None = None) -> tuple[int, str, str]:
        """Call the function until it succeeds; return 0 and what it says, or the number of attempts."""
        seen = [state[name] for name in node.reads]
        seen += [""] * (2 - len(seen))
        options = (*(node.picks or ("ok",)), *(("!",) if node.fallible else ()))
        tries = node.tries if node.patient else 1
        for _ in range(tries):
            count = self.calls[key]
            said = fixed or self.choose(key, count, options)
            self.calls[key] += 1
            self.script.setdefault(key, []).append(said)
            if said != "!":
                return 0, f"{key}.{count}:{digest(seen)}", said
        return tries, "", ""

    def _items(self, node: Node, state: Mapping[str, Value], place: Place) -> tuple[int, dict[str, Value]]:
        fan = node.fan
        assert fan is not None
        items = state[fan.over]
        if len(items) > fan.limit:
            return 1, {}
        marks: list[str] = []
        lost: list[Value] = []
        for index, item in enumerate(items):
            key = place.key(node.name, item)
            # Where one failure ends all, nobody says how far the others got, nor of two which came first: an item fares
            # always alike there, and one at most fails.
            fixed = None if fan.collect else self.choose(key, 0, ("ok", "!") if node.fallible and not lost else ("ok",))
            attempts, mark, _ = self._call(node, key, state, fixed)
            if attempts:
                lost.append({"node": place.way + node.name, "attempts": attempts, "index": index})
            else:
                marks.append(mark)
        if lost and not fan.collect:
            return lost[0]["attempts"], {"index": lost[0]["index"]}
        wrote = dict.fromkeys(node.writes.values(), marks)
        return 0, wrote if fan.lost is None else {**wrote, fan.lost: lost}


def fold(reducer: str, old: Value, new: Value) -> Value:
    """Fold a write into a field."""
    match reducer:
        case "append":
            return [*old, *new]
        case "union":
            return [*old, *(value for value in new if value not in old)]
        case "merge":
            return {**old, **new}
        case "sum":
            return old + new
        case "min":
            return min(old, new)
        case "max":
            return max(old, new)
        case _:
            return new
