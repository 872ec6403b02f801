"""The edges of a graph in; its flow graph out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import Adjacency, Arcs, Arrow, FlowGraph, Outcomes, Rounds, Turn
from grapharc.spec.linked import END, START, Form, LinkedGraph, Loop


def flow_graph(graph: LinkedGraph) -> FlowGraph:
    """Derive the flow graph of a linked graph."""
    arrows = (
        Arrow(edge.source, edge.target, edge.form, None if edge.loop is None else _rounds(edge.loop), number)
        for number, edge in enumerate(graph.edges)
    )
    failing = [name for name, node in graph.nodes.items() if node.offer.kind.always_fails and node.map is None]
    return build((*graph.nodes, *graph.unlinked), arrows, failing, dangling=graph.missing_edges)


def _rounds(loop: Loop) -> Rounds:
    return Rounds(loop.max_rounds, loop.exhausted, loop.progress)


def build(
    nodes: Iterable[str], arrows: Iterable[Arrow], failing: Iterable[str] = (), dangling: bool = False
) -> FlowGraph:
    """Number the nodes, give each its outcomes, and each outcome its arcs."""
    draft = _Draft((START, *sorted(set(nodes)), END))
    end = len(draft.names) - 1
    written = _Written(draft.names)
    circular: list[Arrow] = []
    loose: set[int] = set()
    for arrow in arrows:
        source, target = draft.number.get(arrow.source), draft.number.get(arrow.target)
        if source is None or target is None:
            dangling = dangling or target is None
            loose.update(() if target is None else (target,))
        elif source == target and arrow.rounds is None:
            circular.append(arrow)
        elif source != end and target != 0:
            written.add(source, target, arrow)
    never = frozenset(draft.number[name] for name in failing)
    first = 0
    for node in (*written.unlike(never), end):
        draft.add_plain(first, written.target[first:node], written.edge[first:node])
        for form, bundle in _bundles(written.several.get(node, ()), node in never) if node < end else ():
            draft.add(node, form, bundle)
        first = node + 1
    return draft.finish(never, circular, loose, dangling)


class _Written:
    """The edges that leave each node. Most nodes have one, unconditional: of such a one only where it leads is kept."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.target = [-1] * (len(names) - 1)
        self.edge = [-1] * (len(names) - 1)
        self.several: dict[int, list[Arrow]] = {}

    def add(self, source: int, target: int, arrow: Arrow) -> None:
        before = self.target[source]
        if before < 0 and arrow.form == "always" and arrow.rounds is None and source not in self.several:
            self.target[source], self.edge[source] = target, arrow.edge
            return
        mine = self.several.setdefault(source, [])
        if before >= 0:
            mine.append(Arrow(self.names[source], self.names[before], edge=self.edge[source]))
            self.target[source] = -1
        mine.append(arrow)

    def unlike(self, never: frozenset[int]) -> Sequence[int]:
        """List the nodes that have another outcome than one edge, taken always."""
        return [node for node, target in enumerate(self.target) if target < 0 or node in never]


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


_LOOPING: tuple[Turn, ...] = ("again", "exhausted")


class _Draft:
    """The columns of a flow graph while they grow."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.number: Mapping[str, int] = {name: index for index, name in enumerate(names)}
        self.outcomes, self.arcs = Outcomes(), Arcs()
        self.outcomes_of = Adjacency([-1] * len(names))
        self.arcs_of = Adjacency([])
        self.leaving = Adjacency([-1] * len(names))
        self.returning: dict[int, list[int]] = {}
        self.rounds: dict[int, Rounds] = {}
        self._pool = list(self.number.values())
        self._again: set[int] = set()
        """The arcs of outcomes that go round again."""

    def add_plain(self, first: int, targets: Sequence[int], edges: Sequence[int]) -> None:
        """Add nodes in a row, the first of which is given, that have one outcome with one arc."""
        size, last = len(targets), first + len(targets)
        nodes = self._numbers(first, size)
        outcomes, arcs = self._numbers(len(self.outcomes), size), self._numbers(len(self.arcs), size)
        self.outcomes.node.extend(nodes)
        forms: list[Form] = ["always"]
        turns: list[Turn] = [""]
        self.outcomes.form.extend(forms * size)
        self.outcomes.edge.extend([-1] * size)
        self.outcomes.turn.extend(turns * size)
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

    def add(self, node: int, form: Form, arrows: Sequence[Arrow]) -> None:
        """Add what one outcome that is written down comes to: with an edge that goes back, two."""
        edge = arrows[0].edge if form != "always" else -1
        turns = _LOOPING if any(arrow.rounds is not None for arrow in arrows) else ("",)
        for turn in turns:
            outcome, first = len(self.outcomes), len(self.arcs)
            self._add_outcome(node, form, edge, turn)
            for arrow in arrows:
                if arrow.rounds is not None and turn == "again":
                    self._go_back(node, outcome, arrow, arrow.rounds)
                else:
                    self._take(node, outcome, arrow)
            mine = range(first, len(self.arcs))
            self.arcs_of.one.append(-1)
            self.arcs_of.put(outcome, mine)
            self._also(self.outcomes_of, node, (outcome,))
            if turn == "again":
                self._again.update(mine)
            else:
                self._also(self.leaving, node, mine)

    def _also(self, found: Adjacency, node: int, members: Sequence[int]) -> None:
        before = found[node]
        if before:
            found.one[node] = -1
        found.put(node, (*before, *members))

    def _add_outcome(self, node: int, form: Form, edge: int, turn: Turn) -> None:
        self.outcomes.node.append(node)
        self.outcomes.form.append(form)
        self.outcomes.edge.append(edge)
        self.outcomes.turn.append(turn)

    def _take(self, node: int, outcome: int, arrow: Arrow) -> None:
        target = self.number.get(arrow.target if arrow.rounds is None else arrow.rounds.exhausted)
        if target:
            if arrow.rounds is not None:
                self.arcs.exhausted.add(len(self.arcs))
            self._add_arc(node, target, outcome, arrow.edge)

    def _go_back(self, node: int, outcome: int, arrow: Arrow, rounds: Rounds) -> None:
        header = self.number[arrow.target]
        self.rounds.setdefault(header, rounds)
        self.returning.setdefault(header, []).append(len(self.arcs))
        self.arcs.back.add(len(self.arcs))
        self._add_arc(node, header, outcome, arrow.edge)

    def _add_arc(self, node: int, target: int, outcome: int, edge: int) -> None:
        self.arcs.source.append(node)
        self.arcs.target.append(target)
        self.arcs.outcome.append(outcome)
        self.arcs.edge.append(edge)

    def finish(
        self, never: frozenset[int], circular: Iterable[Arrow], loose: Iterable[int], dangling: bool
    ) -> FlowGraph:
        return FlowGraph(
            names=self.names,
            outcomes=self.outcomes,
            arcs=self.arcs,
            outcomes_of=self.outcomes_of,
            arcs_of=self.arcs_of,
            leaving=self.leaving,
            entering=self._entering(),
            returning={header: tuple(arcs) for header, arcs in self.returning.items()},
            rounds=self.rounds,
            failing=never,
            circular=tuple(circular),
            loose=frozenset(loose),
            dangling=dangling,
        )

    def _entering(self) -> Adjacency:
        """Collect, by where they lead, the arcs that do not belong to outcomes that go round again."""
        found = Adjacency([-1] * len(self.names))
        several: dict[int, list[int]] = {}
        for arc, target in zip(self._numbers(0, len(self.arcs)), self.arcs.target, strict=True):
            if arc in self._again:
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
