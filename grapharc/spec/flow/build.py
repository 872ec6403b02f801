"""The edges of a graph in; its flow graph out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import repeat

from grapharc.spec.flow.arcs import Adjacency, Arcs, Arrow, FlowGraph, Outcomes, Rounds, Turn
from grapharc.spec.linked import END, START, Form, LinkedGraph, Loop, Node


def flow_graph(graph: LinkedGraph) -> FlowGraph:
    """Derive the flow graph of a linked graph."""
    edges = _Edges((*graph.nodes, *graph.unlinked), dangling=graph.missing_edges)
    for number, edge in enumerate(graph.edges):
        edges.add(edge.source, edge.target, number, edge.form, None if edge.loop is None else _rounds(edge.loop))
    return _finish(edges, (name for name, node in graph.nodes.items() if _must_fail(node)))


def _rounds(loop: Loop) -> Rounds:
    return Rounds(loop.max_rounds, loop.exhausted, loop.progress)


def _must_fail(node: Node) -> bool:
    return node.offer.kind.always_fails and node.map is None


def build(
    nodes: Iterable[str], arrows: Iterable[Arrow], failing: Iterable[str] = (), dangling: bool = False
) -> FlowGraph:
    """Number the nodes, give each its outcomes, and each outcome its arcs."""
    edges = _Edges(nodes, dangling)
    for arrow in arrows:
        edges.add(arrow.source, arrow.target, arrow.edge, arrow.form, arrow.rounds)
    return _finish(edges, failing)


class _Edges:
    """The edges by the numbers of the nodes that they leave.

    Of a node whose edges are all unconditional is kept where the first one leads and which it is, and the same of
    others, if there are any.
    """

    def __init__(self, nodes: Iterable[str], dangling: bool) -> None:
        self.names = (START, *sorted(set(nodes)), END)
        self.number: Mapping[str, int] = {name: index for index, name in enumerate(self.names)}
        self.end = len(self.names) - 1
        self.target, self.edge = [-1] * self.end, [-1] * self.end
        self.others: dict[int, list[tuple[int, int]]] = {}
        self.arrows: dict[int, list[Arrow]] = {}
        """Of a node one of whose edges is anything else, all edges."""
        self.circular: list[Arrow] = []
        self.loose: set[int] = set()
        self.dangling = dangling

    def add(self, source: str, target: str, edge: int, form: Form, rounds: Rounds | None) -> None:
        """Add an edge; one that leads from or to where nobody knows is only noted."""
        one, other = self.number.get(source), self.number.get(target)
        if other is None:
            self.dangling = True
        elif one is None:
            self.loose.add(other)
        elif one == other and rounds is None:
            self.circular.append(Arrow(source, target, form, rounds, edge))
        elif one == self.end or other == 0:
            pass  # nothing leaves the end, and nothing leads to the start
        elif form != "always" or rounds is not None or one in self.arrows:
            self._all_of(one).append(Arrow(source, target, form, rounds, edge))
        elif self.target[one] < 0:
            self.target[one], self.edge[one] = other, edge
        else:
            self.others.setdefault(one, []).append((other, edge))

    def _all_of(self, node: int) -> list[Arrow]:
        """The edges of a node that has others than unconditional ones."""
        if node not in self.arrows:
            names = self.names
            self.arrows[node] = [Arrow(names[node], names[to], edge=edge) for to, edge in self.plain(node)]
            self.target[node] = -1
        return self.arrows[node]

    def plain(self, node: int) -> Sequence[tuple[int, int]]:
        """List the edges of a node that has unconditional ones only: where each leads, and which it is."""
        first = self.target[node], self.edge[node]
        return [first, *self.others.get(node, ())] if first[0] >= 0 else []

    def unlike(self, never: Container[int]) -> Iterator[int]:
        """Yield the nodes that have more to them than one edge, taken always."""
        for node, target in enumerate(self.target):
            if target < 0 or node in self.others or node in never:
                yield node


def _finish(edges: _Edges, failing: Iterable[str]) -> FlowGraph:
    """Go through the nodes by their numbers, and through those in one go that have one edge, taken always."""
    draft = _Draft(edges.names, edges.number)
    never = frozenset(edges.number[name] for name in failing)
    first = 0
    for node in edges.unlike(never):
        draft.add_plain(first, edges.target[first:node], edges.edge[first:node])
        if node in edges.arrows or node in never:
            draft.add(node, _bundles(edges.arrows.get(node, ()), node in never))
        else:
            draft.add_always(node, edges.plain(node))
        first = node + 1
    draft.add_plain(first, edges.target[first:], edges.edge[first:])
    return FlowGraph(
        names=edges.names,
        outcomes=draft.outcomes,
        arcs=draft.arcs,
        outcomes_of=draft.outcomes_of,
        arcs_of=draft.arcs_of,
        leaving=draft.leaving,
        entering=draft.entering(),
        returning={header: tuple(arcs) for header, arcs in draft.returning.items()},
        rounds=draft.rounds,
        failing=never,
        circular=tuple(edges.circular),
        loose=frozenset(edges.loose),
        dangling=edges.dangling,
    )


def _bundles(written: Sequence[Arrow], never_succeeds: bool) -> Sequence[tuple[Form, Sequence[Arrow]]]:
    """Group the edges of one node into outcomes, before edges that go back make two of one."""
    if not never_succeeds and all(arrow.form == "always" for arrow in written):
        return (("always", _once_each(written)),)
    always = [arrow for arrow in written if arrow.form == "always"]
    arms: list[tuple[Form, Sequence[Arrow]]] = [("arm", (arrow,)) for arrow in written if arrow.form == "arm"]
    errors: list[tuple[Form, Sequence[Arrow]]] = [("error", (arrow,)) for arrow in written if arrow.form == "error"]
    if never_succeeds:
        return errors
    if always or not arms:
        arms.insert(0, ("always", _once_each(always)))
    return arms + errors


def _once_each(always: Sequence[Arrow]) -> Sequence[Arrow]:
    """Put unconditional edges in the order of their targets; of two to one target the first counts."""
    if len(always) < 2:
        return always
    first = {(arrow.target, arrow.rounds): arrow for arrow in reversed(always)}
    return sorted(first.values(), key=_target)


def _target(arrow: Arrow) -> str:
    return arrow.target


_ONCE: tuple[Turn, ...] = ("",)
_LOOPING: tuple[Turn, ...] = ("again", "exhausted")


class _Draft:
    """The columns of a flow graph while they grow."""

    def __init__(self, names: Sequence[str], number: Mapping[str, int]) -> None:
        self.names, self.number = names, number
        self.outcomes, self.arcs = Outcomes(), Arcs()
        self.outcomes_of = Adjacency([-1] * len(names))
        self.arcs_of = Adjacency([])
        self.leaving = Adjacency([-1] * len(names))
        self.returning: dict[int, list[int]] = {}
        self.rounds: dict[int, Rounds] = {}
        self._pool = list(number.values())
        self._again: set[int] = set()
        """The arcs of outcomes that go round again."""

    def add_plain(self, first: int, targets: Sequence[int], edges: Sequence[int]) -> None:
        """Add nodes in a row, the first of which is given, that have one outcome with one arc."""
        size, last = len(targets), first + len(targets)
        if not size:
            return
        nodes = self._numbers(first, size)
        outcomes, arcs = self._numbers(len(self.outcomes.node), size), self._numbers(len(self.arcs.source), size)
        self.outcomes.node.extend(nodes)
        self.outcomes.form.extend(repeat("always", size))
        self.outcomes.edge.extend(repeat(-1, size))
        self.outcomes.turn.extend(repeat("", size))
        self.arcs.source.extend(nodes)
        self.arcs.target.extend(targets)
        self.arcs.outcome.extend(outcomes)
        self.arcs.edge.extend(edges)
        self.outcomes_of.one[first:last] = outcomes
        self.leaving.one[first:last] = arcs
        self.arcs_of.one.extend(arcs)

    def _numbers(self, first: int, size: int) -> Sequence[int]:
        """Return numbers in a row. Each is one object wherever it stands, since there may be very many."""
        missing = first + size - len(self._pool)
        if missing > 0:
            self._pool.extend(range(len(self._pool), len(self._pool) + missing))
        return self._pool[first : first + size]

    def add_always(self, node: int, plain: Iterable[tuple[int, int]]) -> None:
        """Add a node that always takes all its edges, by the names of their targets; of two to one the first counts."""
        edges = dict(reversed(list(plain)))
        targets = sorted(edges, key=self.names.__getitem__)
        outcome, first = len(self.outcomes.node), len(self.arcs.source)
        self._add_outcome(node, "always", -1, "")
        self.arcs.source.extend([node] * len(targets))
        self.arcs.target.extend(targets)
        self.arcs.outcome.extend([outcome] * len(targets))
        self.arcs.edge.extend([edges[target] for target in targets])
        mine = self._numbers(first, len(targets))
        self.outcomes_of.one[node] = outcome
        self.arcs_of.put(outcome, mine)
        self.leaving.put(node, mine)

    def _add_outcome(self, node: int, form: Form, edge: int, turn: Turn) -> None:
        self.outcomes.node.append(node)
        self.outcomes.form.append(form)
        self.outcomes.edge.append(edge)
        self.outcomes.turn.append(turn)
        self.arcs_of.one.append(-1)

    def add(self, node: int, bundles: Iterable[tuple[Form, Sequence[Arrow]]]) -> None:
        """Add a node whose edges are written down otherwise. An outcome with an edge that goes back comes to two."""
        outcomes: list[int] = []
        leaving: list[int] = []
        for form, arrows in bundles:
            edge = arrows[0].edge if form != "always" else -1
            for turn in _LOOPING if any(arrow.rounds is not None for arrow in arrows) else _ONCE:
                outcome, first = len(self.outcomes.node), len(self.arcs.source)
                self._add_outcome(node, form, edge, turn)
                for arrow in arrows:
                    self._add_arc(node, outcome, arrow, turn)
                mine = range(first, len(self.arcs.source))
                outcomes.append(outcome)
                self.arcs_of.put(outcome, mine)
                if turn == "again":
                    self._again.update(mine)
                else:
                    leaving.extend(mine)
        self.outcomes_of.put(node, outcomes)
        self.leaving.put(node, leaving)

    def _add_arc(self, node: int, outcome: int, arrow: Arrow, turn: Turn) -> None:
        """Add an edge as an outcome takes it: one with a loop goes back, or to where the used up loop leads."""
        arcs, rounds = self.arcs, arrow.rounds
        to = arrow.target if rounds is None or turn == "again" else rounds.exhausted
        target = self.number.get(to)
        if not target:
            return
        if rounds is not None and turn == "again":
            self.rounds.setdefault(target, rounds)
            self.returning.setdefault(target, []).append(len(arcs.source))
            arcs.back.add(len(arcs.source))
        elif rounds is not None:
            arcs.exhausted.add(len(arcs.source))
        arcs.source.append(node)
        arcs.target.append(target)
        arcs.outcome.append(outcome)
        arcs.edge.append(arrow.edge)

    def entering(self) -> Adjacency:
        """Collect, by where they lead, the arcs that do not belong to outcomes that go round again."""
        found = Adjacency([-1] * len(self.names))
        several: dict[int, list[int]] = {}
        again = self._again
        for arc, target in zip(self._numbers(0, len(self.arcs.source)), self.arcs.target, strict=True):
            if again and arc in again:
                continue
            before = found.one[target]
            if before >= 0:
                several[target] = [before, arc]
                found.one[target] = -1
            elif target in several:
                several[target].append(arc)
            else:
                found.one[target] = arc
        found.more.update(several)
        return found
