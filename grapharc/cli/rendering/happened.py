"""The records of a run go in; a line for each activation that ended and each loop that was left comes out, as it went.

What ran in one superstep ran side by side, so there the order of the graph counts and not the clock: two runs that did
the same are told the same. What runs inside a node stands before the line of that node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grapharc.cli.rendering.admission import amount
from grapharc.cli.rendering.paint import Role
from grapharc.runtime.trace import Record
from grapharc.spec.json_value import Json


class Line(NamedTuple):
    """What is said of a node in one line."""

    node: str
    kind: str
    item: str
    words: str
    role: Role


def told(records: Iterable[Record], order: Mapping[str, int]) -> Iterator[Line]:
    """Yield the lines of a run; ``order`` is the place of each node in its graph, those within others aside."""
    runs = _Runs(order)
    for record in records:
        runs.take(record)
    yield from runs.lines(0)


_Place = tuple[int, int, str, int, int]
"""The superstep, the place of the node in its graph, its name, the index of the item, the activation."""


class _Runs:
    """The lines of the run and of each entry of a subgraph, by the activation that it is within; 0 is the run."""

    def __init__(self, order: Mapping[str, int]) -> None:
        self._order = order
        self._steps: dict[int, int] = {}
        self._latest: dict[tuple[int, str], _Place] = {}
        self._lines: dict[int, list[tuple[_Place, int, Line]]] = {}

    def take(self, record: Record) -> None:
        match record["event"]:
            case "start":
                self._steps[_number(record["activation"])] = _number(record.get("step"))
            case "end" | "error":
                self._ended(record)
            case "loop":
                self._left(record)
            case _:
                pass

    def lines(self, within: int) -> Iterator[Line]:
        """Yield the lines of a run in order, what ran within a node before the node's own."""
        for _, activation, line in sorted(self._lines.get(within, ())):
            if activation in self._lines:
                yield from self.lines(activation)
            yield line

    def _ended(self, record: Record) -> None:
        within, node, activation = _number(record.get("within")), str(record["node"]), _number(record["activation"])
        index = record.get("index")
        place = (
            self._steps.get(activation, 0),
            self._order.get(node, 0),
            node,
            -1 if index is None else _number(index),
            activation,
        )
        self._latest[within, node] = place
        role: Role = "good" if record["event"] == "end" else "error"
        item = "" if index is None else f"item {index} "
        line = Line(node, str(record["kind"]), item, _came_to(record), role)
        self._lines.setdefault(within, []).append((place, activation, line))

    def _left(self, record: Record) -> None:
        """A loop is left by a node of its body, after whose line it stands."""
        within, header = _number(record.get("within")), str(record["header"])
        step, order, node, *_ = self._latest.get((within, str(record["node"])), (0, 0, "", 0, 0))
        rounds, reason = amount("rounds", _number(record["rounds"])), _REASONS[str(record["reason"])]
        line = Line(header, "loop", "", f"{rounds}, {reason}", "note")
        place = (step, order, node, _LAST, _number(record["seq"]))
        self._lines.setdefault(within, []).append((place, -1, line))


def _came_to(record: Record) -> str:
    error = record.get("error")
    if record["event"] == "end":
        return "done"
    return "denied" if isinstance(error, Mapping) and error.get("code") == "denied" else "failed"


_LAST = 2**53
_REASONS: Mapping[str, str] = {
    "target_met": "target met",
    "round_cap": "used up",
    "no_progress": "no progress",
    "failed": "failed",
}


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0
