"""The edges of a graph in; its flow graph out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.spec.flow.arcs import Arc, Arrow, FlowGraph, Outcome, Rounds, Turn
from grapharc.spec.linked import END, START, Form, LinkedGraph, Loop


def flow_graph(graph: LinkedGraph) -> FlowGraph:
    """Derive the flow graph of a linked graph."""
    arrows = [
        Arrow(edge.source, edge.target, edge.form, None if edge.loop is None else _rounds(edge.loop), number)
        for number, edge in enumerate(graph.edges)
    ]
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
    written: list[list[Arrow]] = [[] for _ in draft.names]
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
            written[source].append(arrow)
    never = frozenset(draft.number[name] for name in failing)
    for node, mine in enumerate(written[:end]):
        if len(mine) == 1 and mine[0].form == "always" and mine[0].rounds is None and node not in never:
            draft.add_plain(node, "always", -1, mine)  # as _bundles would say, and most nodes are
            continue
        for form, bundle in _bundles(mine, node in never):
            draft.add(node, form, bundle)
    return FlowGraph(
        names=draft.names,
        outcomes=tuple(draft.outcomes),
        arcs=tuple(draft.arcs),
        outcomes_of=draft.outcomes_of,
        arcs_of=draft.arcs_of,
        leaving=draft.leaving,
        entering=draft.entering,
        returning={header: tuple(arcs) for header, arcs in draft.returning.items()},
        rounds=draft.rounds,
        failing=never,
        circular=tuple(circular),
        loose=frozenset(loose),
        dangling=dangling,
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


_LOOPING: tuple[Turn, ...] = ("again", "exhausted")


class _Draft:
    """The lists of a flow graph while they grow."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.number: Mapping[str, int] = {name: index for index, name in enumerate(names)}
        self.outcomes: list[Outcome] = []
        self.arcs: list[Arc] = []
        self.outcomes_of: list[Sequence[int]] = [()] * len(names)
        self.arcs_of: list[Sequence[int]] = []
        self.leaving: list[Sequence[int]] = [()] * len(names)
        self.entering: list[list[int]] = [[] for _ in names]
        self.returning: dict[int, list[int]] = {}
        self.rounds: dict[int, Rounds] = {}

    def add(self, node: int, form: Form, arrows: Sequence[Arrow]) -> None:
        edge = arrows[0].edge if form != "always" else -1
        if not any(arrow.rounds is not None for arrow in arrows):
            self.add_plain(node, form, edge, arrows)
            return
        for turn in _LOOPING:
            outcome, first = len(self.outcomes), len(self.arcs)
            self.outcomes.append(Outcome(node, form, edge, turn))
            self.outcomes_of[node] = (*self.outcomes_of[node], outcome)
            for arrow in arrows:
                if arrow.rounds is not None and turn == "again":
                    self.go_back(node, outcome, arrow, arrow.rounds)
                elif arrow.rounds is not None:
                    self.take(node, outcome, arrow, arrow.rounds.exhausted, turn)
                else:
                    self.take(node, outcome, arrow, arrow.target, turn)
            mine = range(first, len(self.arcs))
            self.arcs_of.append(mine)
            if turn != "again":
                self.leaving[node] = (*self.leaving[node], *mine) if self.leaving[node] else mine

    def add_plain(self, node: int, form: Form, edge: int, arrows: Sequence[Arrow]) -> None:
        """Add the one outcome that there is without a loop."""
        outcome, arcs, first = len(self.outcomes), self.arcs, len(self.arcs)
        self.outcomes.append(Outcome(node, form, edge, ""))
        for arrow in arrows:
            target = self.number.get(arrow.target)
            if target:
                self.entering[target].append(len(arcs))
                arcs.append(Arc(node, target, outcome, False, False, arrow.edge))
        mine = range(first, len(arcs))
        self.arcs_of.append(mine)
        self.outcomes_of[node] = (*self.outcomes_of[node], outcome)
        self.leaving[node] = (*self.leaving[node], *mine) if self.leaving[node] else mine

    def take(self, node: int, outcome: int, arrow: Arrow, to: str, turn: Turn) -> None:
        target = self.number.get(to)
        if target:
            if turn != "again":
                self.entering[target].append(len(self.arcs))
            self.arcs.append(Arc(node, target, outcome, False, arrow.rounds is not None, arrow.edge))

    def go_back(self, node: int, outcome: int, arrow: Arrow, rounds: Rounds) -> None:
        header = self.number[arrow.target]
        self.rounds.setdefault(header, rounds)
        self.returning.setdefault(header, []).append(len(self.arcs))
        self.arcs.append(Arc(node, header, outcome, True, False, arrow.edge))
