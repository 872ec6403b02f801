"""A graph goes in; a long run of it comes out, as its inputs and a way of choosing.

A node in a loop goes on to where the loop goes back until its last round, and then takes the longest way out. This
guesses in which round a node is, and knows nothing of conditions on other nodes, so the longest of several is taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from random import Random

from tests.law.acting import Choose
from tests.law.choosing import by_seed, draw_inputs, taken
from tests.law.document import END, Edge, Value
from tests.law.tokens import Shape, move

NEVER = -1_000_000


TRIES = 24 if "GRAPHARC_DEEP" in os.environ else 12


def longest(shape: Shape, seed: int) -> tuple[dict[str, Value], Choose]:
    """Look for a long run."""
    ways = _Ways(shape)
    found: list[tuple[int, dict[str, Value], Choose]] = []
    for number in range(TRIES):
        inputs = draw_inputs(shape.graph, seed + number)
        choose = _mixed(_steady(ways), by_seed(seed + number, 0.02), seed + number, 0.0 if number < 4 else 0.15)
        told = move(shape, inputs, choose, Random(seed))
        found.append((told.length + told.inside if told.failed is None else 0, inputs, choose))
    _, inputs, choose = max(found, key=itemgetter(0))
    return inputs, choose


def _mixed(one: Choose, other: Choose, seed: int, share: float) -> Choose:
    """Choose by another way now and then."""

    def choose(key: str, call: int, options: Sequence[str]) -> str:
        other_now = Random(f"{seed} {key} {call}").random() < share
        return (other if other_now else one)(key, call, options)

    return choose


def _steady(ways: _Ways) -> Choose:
    """Choose what makes a run long, as far as a node can tell by itself."""

    def choose(key: str, call: int, options: Sequence[str]) -> str:
        *outer, node = [part for part in key.split("/") if not part.isdigit()]
        inner = ways.at(outer)
        drawn = inner.shape.graph.nodes[node]
        if len(options) == 1 or drawn.fan is not None:
            return options[0]
        while outer and drawn.writes.get("pick") == "pick":  # what it says decides further out
            node, outer = outer[-1], outer[:-1]
            inner = ways.at(outer)
            drawn = inner.shape.graph.nodes[node]
        caught = "!" in options and bool(inner.shape.graph.out_of(node, "error"))
        goal = inner.goal(node, call // drawn.tries if caught and drawn.patient else call)
        return max(options, key=lambda option: inner.worth(node, option, goal))

    return choose


@dataclass
class _Ways:
    shape: Shape
    known: dict[tuple[str, str | None], int] = field(default_factory=dict[tuple[str, "str | None"], int])

    inside: dict[str, _Ways] = field(default_factory=dict[str, "_Ways"])

    def at(self, way: Sequence[str]) -> _Ways:
        """Go to an inner graph."""
        found = self
        for name in way:
            if name not in found.inside:
                found.inside[name] = _Ways(found.shape.inner(name))
            found = found.inside[name]
        return found

    def around(self, node: str) -> list[str]:
        """List the headers of the loops around a node, the innermost first."""
        found = [header for header, body in self.shape.bodies.items() if node in body]
        return sorted(found, key=lambda header: len(self.shape.bodies[header]))

    def goal(self, node: str, call: int) -> str | None:
        """Find the innermost loop that has rounds left, if all before were used up."""
        for header in self.around(node):
            rounds = self.shape.graph.headers[header].rounds
            if call % rounds < rounds - 1:
                return header
            call //= rounds
        return None

    def worth(self, node: str, option: str, goal: str | None) -> int:
        """Say how long a run is after a node has said something."""
        edges = taken(self.shape.graph, node, option)
        return max((self.along(edge, goal) for edge in edges), default=2 * NEVER)

    def along(self, edge: Edge, goal: str | None) -> int:
        """Say how long a run is along an edge, until it goes back to the goal, or ends."""
        if edge.loop is None:
            return self.after(edge.target, goal)
        if edge.target == goal:
            return 1
        return self.after(edge.loop.exhausted, goal)

    def after(self, node: str, goal: str | None) -> int:
        if (node, goal) in self.known:
            return self.known[node, goal]
        self.known[node, goal] = NEVER
        graph = self.shape.graph
        edges = graph.out_of(node)
        if goal is not None and node not in self.shape.bodies[goal]:
            length = NEVER
        elif not edges:
            failing = node != END and graph.nodes[node].kind == "control.fail"
            length = 1 if goal is None and not failing else NEVER
        else:
            length = 1 + self.turns(node) + max(self.along(edge, goal) for edge in edges)
        self.known[node, goal] = length
        return length

    def turns(self, node: str) -> int:
        """Say how long the rounds of a loop take before its last."""
        loop = self.shape.graph.headers.get(node)
        if loop is None or loop.rounds == 1 or not self.shape.bodies[node]:
            return 0
        back: Iterable[int] = (self.along(edge, node) for edge in self.shape.graph.out_of(node))
        return (loop.rounds - 1) * max(0, max(back, default=0))
