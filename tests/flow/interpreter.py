"""What a run does, told twice and independently: by tokens that move in any order, and by supersteps over wait trees.

``move`` knows no wait tree: a node runs once it has a token and no other token can still come to it. ``step`` is what a
lowering does: barriers over sources that always lead on, hidden merges for the rest, and a node runs in the superstep
after it was triggered. Both ask ``choose`` for the outcome of a node's n-th run, so that their runs can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import TypeAlias

from grapharc.spec.flow.arcs import FlowGraph, Outcome
from grapharc.spec.flow.waits import AllOf, Arrival, Wait

Choose: TypeAlias = Callable[[int, int, Sequence[int]], int]
"""A node, how often it ran before, and the outcomes it may take; which of them it takes."""


class Stuck(Exception):
    """Tokens are left that can never move: a join waits for what does not come."""


def by_seed(seed: int) -> Choose:
    """Draw outcomes from a seed, so that the same run of the same node always ends alike."""

    def choose(node: int, run: int, outcomes: Sequence[int]) -> int:
        digest = blake2b(f"{seed} {node} {run}".encode(), digest_size=8).digest()
        return outcomes[int.from_bytes(digest) % len(outcomes)]

    return choose


@dataclass
class Rounds:
    """Counts the rounds of each loop: it is entered in its first, and once it is used up it goes back no more."""

    graph: FlowGraph
    bodies: Mapping[int, set[int]]
    count: Counter[int] = field(default_factory=Counter[int])

    def outcomes(self, node: int) -> list[int]:
        """The outcomes a node may take now: of each form only the one that its loop allows."""
        return [number for number in self.graph.outcomes_of[node] if self.allows(self.graph.outcomes[number], number)]

    def allows(self, outcome: Outcome, number: int) -> bool:
        if not outcome.turn:
            return True
        twin = number if outcome.turn == "again" else number - 1
        headers = [self.graph.arcs[arc].target for arc in self.graph.arcs_of[twin] if self.graph.arcs[arc].back]
        left = all(self.count[header] < self.graph.rounds[header].max_rounds for header in headers)
        return left == (outcome.turn == "again")

    def enter(self, target: int, back: bool) -> None:
        """Count an arrival at a header; an entry begins afresh."""
        if target in self.bodies:
            self.count[target] = self.count[target] + 1 if back else 1


@dataclass
class Run:
    """How often each node ran, whether the run failed, and for ``step`` how many supersteps it took."""

    count: Counter[int]
    failed: bool
    steps: int = 0


def move(graph: FlowGraph, bodies: Mapping[int, set[int]], choose: Choose, order: Random) -> Run:
    """Move tokens in any order until none is left. Raises Stuck when none of those left can move."""
    rounds = Rounds(graph, bodies)
    run = Run(Counter(), failed=False)
    tokens = Counter({0: 1})
    ahead = _ahead(graph, bodies)
    while tokens:
        ready = [node for node in tokens if not any(node in ahead(other, node) for other in tokens if other != node)]
        if not ready:
            raise Stuck
        node = order.choice(sorted(ready))
        del tokens[node]
        if node == graph.end:
            continue
        allowed = rounds.outcomes(node)
        outcome = choose(node, run.count[node], allowed) if allowed else -1
        run.count[node] += 1
        if outcome < 0:
            run.failed = True
            return run
        for arc in (graph.arcs[arc] for arc in graph.arcs_of[outcome]):
            if arc.target != graph.end:
                tokens[arc.target] += 1
                rounds.enter(arc.target, arc.back)
    return run


def _ahead(graph: FlowGraph, bodies: Mapping[int, set[int]]) -> Callable[[int, int], set[int]]:
    """Where a token can still come to, as another node sees it: not by an edge back of a loop around that one."""
    known: dict[tuple[int, frozenset[int]], set[int]] = {}

    def ahead(start: int, seen_from: int) -> set[int]:
        around = frozenset(header for header, body in bodies.items() if seen_from in body)
        if (start, around) not in known:
            found: set[int] = set()
            todo = [start]
            while todo:
                node = todo.pop()
                for outcome in graph.outcomes_of[node]:
                    for arc in (graph.arcs[arc] for arc in graph.arcs_of[outcome]):
                        if arc.target not in found and not (arc.back and arc.target in around):
                            found.add(arc.target)
                            todo.append(arc.target)
            known[start, around] = found
        return known[start, around]

    return ahead


@dataclass
class Lowered:
    """A graph with its wait trees made into triggers: who is told what when a node has taken an arc."""

    graph: FlowGraph
    told: dict[int, list[Callable[[Machine], None]]] = field(default_factory=dict)
    """By arc, what happens when it is taken."""
    after: dict[str, list[Callable[[Machine], None]]] = field(default_factory=dict)
    """By hidden merge, what happens one superstep after it was triggered."""
    hidden: int = 0

    def deliver(self, wait: Wait, trigger: Callable[[Machine], None]) -> None:
        """Lead what a tree waits for to a trigger, without a step of its own."""
        if isinstance(wait, Arrival):
            self.told.setdefault(wait.arc, []).append(trigger)
        elif isinstance(wait, AllOf):
            self.barrier(wait.parts, trigger)
        else:
            for part in wait.parts:
                self.deliver(part, trigger)

    def barrier(self, parts: Sequence[Wait], trigger: Callable[[Machine], None]) -> None:
        """Wait for all parts; one that is no plain edge of a node that always takes it comes by a hidden merge."""
        name = f"barrier {self.hidden}"
        self.hidden += 1
        for index, part in enumerate(parts):
            fill = _filling(name, index, len(parts), trigger)
            if isinstance(part, Arrival) and len(self.graph.outcomes_of[self.graph.arcs[part.arc].source]) == 1:
                self.told.setdefault(part.arc, []).append(fill)
                continue
            merge = f"merge {self.hidden}"
            self.hidden += 1
            self.after[merge] = [fill]
            self.deliver(part, _waking(merge))


def _filling(name: str, index: int, size: int, trigger: Callable[[Machine], None]) -> Callable[[Machine], None]:
    def fill(machine: Machine) -> None:
        seen = machine.barriers.setdefault(name, set())
        seen.add(index)
        if len(seen) == size:
            del machine.barriers[name]
            trigger(machine)

    return fill


def _waking(name: str | int) -> Callable[[Machine], None]:
    return lambda machine: machine.wake(name)


@dataclass
class Machine:
    """The state of a run by supersteps."""

    next: dict[str | int, None] = field(default_factory=dict)
    barriers: dict[str, set[int]] = field(default_factory=dict)

    def wake(self, name: str | int) -> None:
        self.next[name] = None


def step(graph: FlowGraph, bodies: Mapping[int, set[int]], waits: Mapping[int, Wait], choose: Choose) -> Run:
    """Run by supersteps. Raises Stuck when a barrier is left half full."""
    lowered = Lowered(graph)
    for node, wait in waits.items():
        lowered.deliver(wait, _waking(node))
    rounds = Rounds(graph, bodies)
    machine = Machine()
    run = Run(Counter(), failed=False)
    _fire(0, graph, lowered, machine, rounds, run, choose)
    while machine.next and not run.failed:
        run.steps += 1
        now, machine.next = machine.next, {}
        for name in now:
            if isinstance(name, int):
                _fire(name, graph, lowered, machine, rounds, run, choose)
            else:
                _tell(lowered.after[name], machine)
    if machine.barriers and not run.failed:
        raise Stuck
    return run


def _fire(
    node: int, graph: FlowGraph, lowered: Lowered, machine: Machine, rounds: Rounds, run: Run, choose: Choose
) -> None:
    allowed = rounds.outcomes(node)
    outcome = choose(node, run.count[node], allowed) if allowed else -1
    run.count[node] += 1
    run.failed |= outcome < 0
    for arc in graph.arcs_of[outcome] if outcome >= 0 else ():
        rounds.enter(graph.arcs[arc].target, graph.arcs[arc].back)
        _tell(lowered.told.get(arc, ()), machine)


def _tell(actions: Iterable[Callable[[Machine], None]], machine: Machine) -> None:
    for action in actions:
        action(machine)
