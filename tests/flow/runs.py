"""Flow graphs drawn at random, and all runs that they can take: an oracle that knows no guards and no dominators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from grapharc.spec.flow.arcs import Arrow, FlowGraph, Rounds, build
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.problems import ImpliedEnd
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from grapharc.spec.linked import END, START

MOST_RUNS = 4000
LONGEST = 400


def drawn(seed: int, loops: bool) -> Control | None:
    """A small graph with branches, error edges and, if wanted, loops; None where something is wrong with it."""
    random = Random(seed)
    names = [f"n{index}" for index in range(random.randint(2, 7))]
    arrows: list[Arrow] = []
    ranks = {name: rank for rank, name in enumerate([START, *names, END])}

    def later(name: str) -> str:
        return random.choice([*(other for other in names if ranks[other] > ranks[name]), END])

    def earlier(name: str) -> str:
        return random.choice([other for other in names if ranks[other] <= ranks[name]])

    header_rounds: dict[str, Rounds] = {}
    for name in (START, *names):
        shape = random.choice(["one", "one", "fork", "branch", "branch"])
        count = 1 if shape == "one" else random.randint(2, 3)
        form = "arm" if shape == "branch" else "always"
        for _ in range(count):
            rounds, target = None, later(name)
            if loops and name != START and form == "arm" and random.random() < 0.4:
                target = earlier(name)
                rounds = header_rounds.setdefault(target, Rounds(random.randint(1, 3), later(name)))
            arrows.append(Arrow(name, target, form, rounds, len(arrows)))
        if name != START and random.random() < 0.25:
            arrows.append(Arrow(name, later(name), "error", None, len(arrows)))
    failing = [name for name in names if random.random() < 0.05]
    control = Control(build(names, arrows, failing))
    wrong = [problem for problem in control.problems() if not isinstance(problem, ImpliedEnd)]
    return None if wrong else control


@dataclass
class Run:
    """What happened in one run: nodes in order, each with its outcome, and for each what came before it by need."""

    nodes: list[int] = field(default_factory=list[int])
    outcomes: list[int] = field(default_factory=list[int])
    past: list[frozenset[int]] = field(default_factory=list[frozenset[int]])
    """For each activation, those (by index) that surely were before it."""
    failed: bool = False


def runs(control: Control) -> Iterator[Run]:
    """All runs, one for each way of choosing, up to MOST_RUNS; when a node fails the others end what they do."""
    prefix: list[int] = []
    for _ in range(MOST_RUNS):
        choices = _Choices(prefix)
        yield _run(control, choices.take)
        taken = choices.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            return
        prefix = [*(pick for pick, _ in taken[:-1]), taken[-1][0] + 1]


@dataclass
class _Choices:
    """Picks what is told, and then the first there is; ``taken`` are the picks, each with how many there were."""

    told: list[int]
    taken: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def take(self, options: int) -> int:
        at = len(self.taken)
        self.taken.append((self.told[at] if at < len(self.told) else 0, options))
        return self.taken[-1][0]


def _run(control: Control, choose: Callable[[int], int]) -> Run:
    graph, run = control.graph, Run()
    arrived: dict[int, int] = {}
    rounds: dict[int, int] = {}
    waiting = [0]
    while waiting and len(run.nodes) < LONGEST:
        node = waiting.pop(0)
        used = _used(control.joins.waits[node], arrived) if node else ()
        sources = [arrived.pop(arc) for arc in used]
        run.past.append(frozenset(sources).union(*(run.past[one] for one in sources)))
        if node in control.loops.by_header:
            came_back = any(graph.arcs[arc].back for arc in used)
            rounds[node] = rounds.get(node, 0) + 1 if came_back else 1
        outcome = _outcome(graph, node, rounds, choose)
        run.nodes.append(node)
        run.outcomes.append(outcome)
        if outcome < 0:
            run.failed = True
            continue
        for arc in graph.arcs_of[outcome]:
            target = graph.arcs[arc].target
            if target != graph.end:
                assert arc not in arrived, "a node is led to twice"
                arrived[arc] = len(run.nodes) - 1
                if _used(control.joins.waits[target], arrived) and target not in waiting:
                    waiting.append(target)
    assert run.failed or not arrived, "something is waited for in vain"
    return run


def _outcome(graph: FlowGraph, node: int, rounds: dict[int, int], choose: Callable[[int], int]) -> int:
    """Choose an outcome; whether a loop goes on is no choice. -1 where the node fails without an error edge."""

    def is_due(number: int) -> bool:
        outcome = graph.outcomes[number]
        if not outcome.turn:
            return True
        edge = next(arc.edge for arc in graph.arcs if arc.outcome == number and (arc.back or arc.exhausted))
        header = next(arc.target for arc in graph.arcs if arc.back and arc.edge == edge)
        return (rounds[header] < graph.rounds[header].max_rounds) == (outcome.turn == "again")

    options = [number for number in graph.outcomes_of[node] if is_due(number)]
    return options[choose(len(options))] if options else -1


def _used(wait: Wait, arrived: dict[int, int]) -> tuple[int, ...]:
    """The arcs that let a node run, or none if it has to wait."""
    match wait:
        case Arrival(arc):
            return (arc,) if arc in arrived else ()
        case AllOf(parts):
            found = [_used(part, arrived) for part in parts]
            return tuple(arc for part in found for arc in part) if all(found) else ()
        case AnyOf(parts):
            return next((found for part in parts if (found := _used(part, arrived))), ())
