"""A graph and a way of choosing go in; how often each node runs and what the state is in the end come out.

Tokens move in any order: a node runs once it has a token and no other token can still come to it. A node that runs an
inner graph moves tokens there until none is left. This knows no wait tree, no superstep and nothing of what GraphARC
made of the graph; it reads the documents as FORMATS.md says them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random

from tests.law.acting import OUTERMOST, Acts, Choose, Place, fold
from tests.law.document import END, START, Edge, Graph, Loop, Node, Value
from tests.law.inner import run_inner


class Stuck(Exception):
    """Tokens are left that can never move: a join waits for what does not come."""


class Endless(Exception):
    """More nodes ran than any graph of the law needs."""


@dataclass
class Ended:
    """How a run ended.

    ``acts`` has the calls of functions and what each said, ``runs`` counts the runs of nodes by their whole names.
    """

    acts: Acts
    state: dict[str, Value]
    runs: Counter[str] = field(default_factory=Counter[str])
    arrived: dict[str, set[frozenset[str]]] = field(default_factory=lambda: defaultdict(set[frozenset[str]]))
    """By node, the nodes from which tokens came together for it to run."""
    left: Counter[tuple[str, int, str]] = field(default_factory=Counter[tuple[str, int, str]])
    """The loops that were left: header, rounds and why."""
    capped: bool = False
    """Whether a loop ended that nobody gave a way out."""
    length: int = 0
    """The supersteps that the run takes at least, those of hidden merges and of inner graphs left out."""
    entries: int = 0
    """How often inner graphs were entered."""
    inside: int = 0
    """The supersteps that all of them took."""
    failed: str | None = None
    """The first node whose failure nobody caught. What is not behind it goes on as if it were still to come."""
    fell_through: str | None = None
    """The branch of whose conditions none held."""
    cut_off: bool = False
    """Whether an inner graph failed beside nodes that are not ordered with the one that did: nobody says how far those
    came before they were abandoned."""


@dataclass
class Shape:
    """What the edges of a graph say, apart from any run."""

    graph: Graph

    @cached_property
    def leading(self) -> Mapping[str, list[tuple[str, bool]]]:
        """Where each node may lead, and whether by going back; a node that cannot succeed only by its error edge."""
        found: dict[str, list[tuple[str, bool]]] = {name: [] for name in (START, *self.graph.nodes, END)}
        failing = {name for name, node in self.graph.nodes.items() if node.kind == "control.fail"}
        for edge in self.graph.edges:
            if edge.source in failing and edge.form != "error":
                continue
            found[edge.source].append((edge.target, edge.loop is not None))
            if edge.loop is not None:
                found[edge.source].append((edge.loop.exhausted, False))
        return found

    @cached_property
    def bodies(self) -> Mapping[str, set[str]]:
        """The header of each loop and all that reaches an edge back without passing it."""
        before: dict[str, set[str]] = {name: set() for name in self.leading}
        reached = self._reached(START, lambda node: (target for target, _ in self.leading[node])) | {START}
        for source, ways in self.leading.items():
            for target, _ in ways if source in reached else ():
                before[target].add(source)
        found: dict[str, set[str]] = {}
        for header in self.graph.headers:
            sources = {edge.source for edge in self.graph.into(header) if edge.loop is not None}
            body = {header}
            for source in sources & reached - body:
                body |= {source} | self._reached(source, lambda node, h=header: before[node] if node != h else ())
            found[header] = body
        return found

    def ahead(self, start: str, seen_from: str) -> set[str]:
        """Say where a token can still come to, as another node sees it: not by going back in a loop around that one."""
        around = frozenset(header for header, body in self.bodies.items() if seen_from in body)
        if (start, around) not in self._ahead:
            self._ahead[start, around] = self._reached(
                start, lambda node: (t for t, back in self.leading[node] if not (back and t in around))
            )
        return self._ahead[start, around]

    def inner(self, name: str) -> Shape:
        """Return the shape of what a node runs."""
        if name not in self._inner:
            graph = self.graph.nodes[name].inner
            assert graph is not None
            self._inner[name] = Shape(graph)
        return self._inner[name]

    @cached_property
    def _inner(self) -> dict[str, Shape]:
        return {}

    @cached_property
    def _ahead(self) -> dict[tuple[str, frozenset[str]], set[str]]:
        return {}

    @staticmethod
    def _reached(start: str, after: Callable[[str], Iterable[str]]) -> set[str]:
        todo, seen = [*after(start)], set[str]()
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo.extend(after(node))
        return seen


@dataclass
class Arrived:
    """A token at a node: where it came from, more than one if several came, and whether by going back."""

    back: bool = False
    sources: set[str] = field(default_factory=set[str])
    time: int = 0


@dataclass
class Round:
    """Where a loop stands: how often its header ran, what it looked at before, and how often that did not change."""

    count: int = 0
    before: tuple[Value, ...] = ()
    still: int = 0


def move(shape: Shape, inputs: Mapping[str, Value], choose: Choose, order: Random, most: int = 3000) -> Ended:
    """Move tokens in any order until none is left, or the run fails. Raises Stuck, Endless and KeyError."""
    return _move(_Run(shape, Ended(Acts(choose), first_state(shape.graph, inputs)), order), most)


def _move(run: _Run, most: int) -> Ended:
    shape, order = run.shape, run.order
    tokens: dict[str, Arrived] = {START: Arrived()}
    while tokens:
        standing = {*tokens, *run.dead}
        ready = [node for node in tokens if not any(node in shape.ahead(o, node) for o in standing if o != node)]
        if not ready:
            if run.dead:
                break
            raise Stuck
        node = order.choice(sorted(ready))
        token = tokens.pop(node)
        run.ended.arrived[node].add(frozenset(token.sources))
        run.ended.length = max(run.ended.length, token.time)
        edges = run.fire(node, token.back) if node != END else []
        if run.ended.fell_through is not None:
            break
        if run.ended.runs.total() > most:
            raise Endless
        for target, is_back in edges:
            arrived = tokens.setdefault(target, Arrived())
            arrived.back |= is_back
            arrived.sources.add(node)
            arrived.time = max(arrived.time, token.time + (node != START))
        if not edges:
            run.ended.length = max(run.ended.length, token.time + (node != END))
    if run.lacking and run.ended.failed is None:
        raise KeyError(*run.lacking)
    return run.ended


def first_state(graph: Graph, inputs: Mapping[str, Value]) -> dict[str, Value]:
    """Return the state as a run begins."""
    state = {name: one.default for name, one in graph.fields.items() if one.default is not None}
    state |= {name: None for name, one in graph.fields.items() if one.type.endswith("null")}
    return {**state, **inputs}


@dataclass
class _Run:
    shape: Shape
    ended: Ended
    order: Random
    place: Place = OUTERMOST
    rounds: dict[str, Round] = field(default_factory=dict[str, Round])
    dead: set[str] = field(default_factory=set[str])
    """Nodes that failed for good: what waits for them waits for ever."""
    lacking: set[str] = field(default_factory=set[str])
    """Nodes that did not run for want of what they read, as is right only where the run fails."""

    @property
    def graph(self) -> Graph:
        return self.shape.graph

    def fire(self, name: str, back: bool) -> list[tuple[str, bool]]:
        """Run a node; return where its tokens go, and whether back."""
        self.enter(name, back)
        if name == START:
            return self.leave(START, self.graph.out_of(START), "target_met")
        if any(read not in self.ended.state for read in self.graph.nodes[name].reads):
            self.dead.add(name)  # it waits for what only comes where nothing fails
            self.lacking.add(name)
            return []
        self.ended.runs[self.place.way + name] += 1
        attempts, wrote = self.act(self.graph.nodes[name])
        caught = self.graph.out_of(name, "error")
        if attempts:
            if not caught:
                self.ended.failed = self.ended.failed or self.place.way + name
                self.dead.add(name)
                for header, body in self.shape.bodies.items():
                    if name in body:
                        self.ended.left[self.place.way + header, self.rounds[header].count, "failed"] += 1
                return []
            if caught[0].into is not None:
                self.ended.state[caught[0].into] = self.ended.acts.failed
            return self.leave(name, caught, "failed")
        for field_, value in wrote.items():
            self.ended.state[field_] = fold(self.graph.fields[field_].reducer, self.ended.state.get(field_), value)
        if caught and caught[0].into is not None:
            self.ended.state[caught[0].into] = None
        return self.leave(name, [edge for edge in self.graph.out_of(name) if edge.form != "error"], "target_met")

    def act(self, node: Node) -> tuple[int, dict[str, Value]]:
        """Run a node; return 0 and what it writes by field, or after how many attempts it still fails."""
        acts, state = self.ended.acts, self.ended.state
        if node.inner is None:
            return acts.run(node, state, self.place)
        return run_inner(acts, node, state, self.place, partial(self.go_in, node))

    def go_in(self, node: Node, inputs: Mapping[str, Value], place: Place) -> Mapping[str, Value] | None:
        """Move tokens in a node's inner graph, and return its state in the end; None if it fails."""
        shape = self.shape.inner(node.name)
        told = _move(_Run(shape, Ended(self.ended.acts, first_state(shape.graph, inputs)), self.order, place), 3000)
        ended = self.ended
        ended.runs.update(told.runs)
        ended.left.update(told.left)
        ended.capped |= told.capped and not told.failed  # what failed is abandoned, and how it got there with it
        ended.entries += 1 + told.entries
        ended.inside += told.length + told.inside
        ended.fell_through = ended.fell_through or told.fell_through
        ended.cut_off |= told.cut_off or (told.failed is not None and any(self.beside(shape, told, place)))
        return None if told.failed else told.state

    @staticmethod
    def beside(shape: Shape, told: Ended, place: Place) -> Iterator[str]:
        """Yield the nodes of a graph that ran, and may have run before the one that failed or not at all."""
        assert told.failed is not None
        failed = told.failed.removeprefix(place.way)
        for name in (run.removeprefix(place.way) for run in told.runs):
            known = name in shape.graph.nodes and name != failed
            if known and name not in shape.ahead(failed, name) and failed not in shape.ahead(name, failed):
                yield name

    def enter(self, name: str, back: bool) -> None:
        loop = self.graph.headers.get(name)
        if loop is None:
            return
        if back:
            self.rounds[name].count += 1
        else:
            self.rounds[name] = Round(1, self.watched(loop), 0)

    def watched(self, loop: Loop) -> tuple[Value, ...]:
        return tuple(self.ended.state.get(name, "no value") for name in loop.progress)

    def leave(self, node: str, edges: Sequence[Edge], why: str) -> list[tuple[str, bool]]:
        """Take the edges that a node takes: all, or of arms the first whose test holds."""
        taken = edges
        if edges and edges[0].form == "arm":
            tested = [edge for edge in edges if edge.test is not None and edge.test.holds(self.ended.state)]
            taken = [*tested, *(edge for edge in edges if edge.test is None)][:1]
            if not taken:
                self.ended.fell_through = edges[0].source
                return []
        reasons = {edge.target: used_up for edge in taken if edge.loop and (used_up := self.used_up(edge, edge.loop))}
        ways = [self.way(edge, edge.target in reasons) for edge in taken]
        for header, body in self.shape.bodies.items():
            if node in body and not any(target in body for target, _ in ways):
                left = self.place.way + header, self.rounds[header].count, reasons.get(header, why)
                self.ended.left[left] += 1
        return ways

    def used_up(self, edge: Edge, loop: Loop) -> str:
        """Say why a loop goes round no more, if it does not."""
        at, now = self.rounds[edge.target], self.watched(loop)
        if at.count >= loop.rounds:
            return "round_cap"
        at.still = 0 if now != at.before else at.still + 1
        at.before = now
        return "no_progress" if loop.progress and at.still >= loop.patience else ""

    def way(self, edge: Edge, used_up: bool) -> tuple[str, bool]:
        """Go along an edge; one that goes back leads out of the loop once it is used up."""
        if edge.loop is None:
            return edge.target, False
        if not used_up:
            return edge.target, True
        self.ended.capped |= edge.loop.exhausted == END and not edge.loop.named
        return edge.loop.exhausted, False
