"""The flow of a graph and its wiring go in; how the run goes on after each node comes out, where that is not always
the same, and the loops around each node with where they keep their rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from grapharc.compiler.conditions import condition
from grapharc.compiler.joins import Wiring
from grapharc.compiler.names import CAPPED, channel, loop_channel
from grapharc.runtime.outcomes import Arm, Control, FieldRead, Loop, Outcome, Scope, Turn, Way
from grapharc.runtime.reducers import reduce_by
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.loops import Loops
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.linked import END, Edge, LinkedGraph

Rename: TypeAlias = "Callable[[str], str]"


@frozen
class Deciding:
    """What decides in a graph: the controls by node, the start perhaps among them, and the loops around each node.

    ``around`` has the outermost loop first. ``capped`` tells whether a run may end where a loop is used up and its
    author said nothing.
    """

    controls: Mapping[str, Control]
    around: Mapping[str, Sequence[Loop]]
    loops: Sequence[Loop]
    capped: bool


def deciding(graph: LinkedGraph, flow: Flow, wiring: Wiring, name: Rename) -> Deciding:
    """Prepare all that is decided while a graph runs; ``name`` gives what nodes are called in traces and errors."""
    return _Deciding(graph, flow, wiring, name).all()


class _Deciding:
    def __init__(self, graph: LinkedGraph, flow: Flow, wiring: Wiring, name: Rename) -> None:
        self.graph = graph
        self.name = name
        self.wiring = wiring
        self.flow: FlowGraph = flow.control.graph
        self.circles: Loops = flow.control.loops
        self.order = flow.control.order
        self.loops = {header: self._loop(header) for header in self.circles.by_header}
        self.capped = False

    def all(self) -> Deciding:
        names, controls, around = self.flow.names, dict[str, Control](), dict[str, Sequence[Loop]]()
        for number in self.order.nodes:
            if (control := self._control(number)) is not None:
                controls[names[number]] = control
            if inside := [self.loops[loop.header] for loop in self.circles.around(number)]:
                around[names[number]] = inside[::-1]
        return Deciding(controls, around, list(self.loops.values()), self.capped)

    def _loop(self, header: int) -> Loop:
        name = self.flow.names[header]
        progress = self.circles.by_header[header].rounds.progress
        return Loop(self.name(name), loop_channel(name), tuple((field, channel(field)) for field in progress))

    def _control(self, number: int) -> Control | None:
        outcomes = self.flow.outcomes_of[number]
        own = self.loops.get(number)
        enters = own if own is not None and own.progress else None
        fails = any(self.flow.outcomes.form[outcome] == "error" for outcome in outcomes)
        if len(outcomes) < 2 and enters is None and not fails:
            return None
        arms: list[Arm] = []
        error: Outcome | None = None
        into: str | None = None
        read: set[str] = set()
        for group in self._bundles(outcomes):
            outcome, edge = self._outcome(group), self._edge(group[0])
            if isinstance(outcome, Turn):
                read.update(field for field, _ in outcome.loop.progress)
            if self.flow.outcomes.form[group[0]] == "error":
                error, into = outcome, edge.into if edge is not None else None
            else:
                arms.append(Arm(self._holds(edge, read), outcome))
        return Control(self.name(self.flow.names[number]), tuple(arms), error, into, enters, self._reads(read))

    def _bundles(self, outcomes: Sequence[int]) -> Iterable[tuple[int, ...]]:
        """Put the two turns of an outcome that goes back together, *again* first."""
        for outcome in outcomes:
            match self.flow.outcomes.turn[outcome]:
                case "again":
                    yield outcome, outcome + 1
                case "exhausted":
                    pass
                case _:
                    yield (outcome,)

    def _edge(self, outcome: int) -> Edge | None:
        edge = self.flow.outcomes.edge[outcome]
        return self.graph.edges[edge] if edge >= 0 else None

    def _outcome(self, group: tuple[int, ...]) -> Outcome:
        ways = [self._way(outcome) for outcome in group]
        if len(ways) == 1:
            return ways[0]
        back = next(arc for arc in self.flow.arcs_of[group[0]] if arc in self.flow.arcs.back)
        header, edge = self.flow.arcs.target[back], self.graph.edges[self.flow.arcs.edge[back]]
        if (bound := edge.loop) is None:
            raise AssertionError("only an edge with a loop goes back")
        capped = bound.exhausted == END and not bound.named
        self.capped |= capped
        return Turn(self.loops[header], bound.max_rounds, bound.patience, ways[0], ways[1], CAPPED if capped else None)

    def _way(self, outcome: int) -> Way:
        arcs = self.flow.arcs_of[outcome]
        names, targets = self.flow.names, [self.flow.arcs.target[arc] for arc in arcs]
        goto = [node for arc in arcs for node in self.wiring.goto.get(arc, ())]
        inside = {loop.header for target in targets for loop in self.circles.around(target)}
        left = [loop.header for loop in self.circles.around(self.flow.outcomes.node[outcome])]
        leaves = tuple(self.loops[header] for header in left if header not in inside)
        return Way(tuple(goto), tuple(sorted({self.name(names[target]) for target in targets})), leaves)

    def _holds(self, edge: Edge | None, read: set[str]) -> Callable[[Scope], bool] | None:
        if edge is None or edge.condition is None:
            return None
        read.update(edge.condition.reads)
        called = replace(edge, source=self.name(edge.source), target=self.name(edge.target))
        return condition(called, edge.condition, self.graph.texts)

    def _reads(self, names: Iterable[str]) -> tuple[FieldRead, ...]:
        fields = [self.graph.fields[name] for name in sorted(names)]
        return tuple(FieldRead(f.name, channel(f.name), f.reducer, reduce_by(f.reducer)) for f in fields)
