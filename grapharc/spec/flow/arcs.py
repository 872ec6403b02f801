"""The edges of a graph in; numbered nodes, the outcomes of each, and the arcs that each outcome takes, out.

A node's run has one outcome: an arm, or all its unconditional edges together, or its error edge. An outcome with an
edge that goes back is two: *again* takes that edge, *exhausted* takes an arc to where the used up loop leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END, START, Form, LinkedGraph, Loop

Turn: TypeAlias = Literal["", "again", "exhausted"]


class Rounds(NamedTuple):
    """What an edge that goes back says of its loop."""

    max_rounds: int
    exhausted: str = END
    progress: tuple[str, ...] = ()


class Arrow(NamedTuple):
    """One edge as it is written; ``edge`` is its index in the document's order."""

    source: str
    target: str
    form: Form = "always"
    rounds: Rounds | None = None
    edge: int = -1


class Outcome(NamedTuple):
    """One way in which a node's run may end; ``edge`` is that of an arm or an error edge, else -1."""

    node: int
    form: Form
    edge: int
    turn: Turn


class Arc(NamedTuple):
    """One edge as one outcome takes it. ``back`` arcs go to a header, ``exhausted`` ones stand in no document."""

    source: int
    target: int
    outcome: int
    back: bool
    exhausted: bool
    edge: int


@frozen
class FlowGraph:
    """Nodes are numbers: 0 is the start, the last is the end, between them the names in their order.

    ``leaving`` and ``entering`` hold the arcs of each node without those of *again* outcomes; the edges that go back
    are in ``returning``, by their target.
    """

    names: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    arcs: tuple[Arc, ...]
    outcomes_of: Sequence[Sequence[int]]
    arcs_of: Sequence[Sequence[int]]
    leaving: Sequence[Sequence[int]]
    entering: Sequence[Sequence[int]]
    returning: Mapping[int, tuple[int, ...]]
    rounds: Mapping[int, Rounds]
    failing: frozenset[int]
    """Nodes that cannot succeed: an error edge is their only outcome, and without one they have none. A map is none of
    them: it succeeds without items, or when its failures are collected."""
    circular: tuple[Arrow, ...]
    """Edges from a node to itself that are no loops; they are no arcs."""
    loose: frozenset[int]
    """Nodes into which an edge leads whose source nobody knows."""
    dangling: bool
    """An edge leads to where nobody knows."""

    @property
    def end(self) -> int:
        """The number of the end."""
        return len(self.names) - 1


def flow_graph(graph: LinkedGraph) -> FlowGraph:
    """Derive the flow graph of a linked graph."""
    arrows = [
        Arrow(edge.source, edge.target, edge.form, _rounds(edge.loop), number)
        for number, edge in enumerate(graph.edges)
    ]
    failing = [
        name for name, node in graph.nodes.items() if node.offer.kind.name == "control.fail" and node.map is None
    ]
    return build((*graph.nodes, *graph.unlinked), arrows, failing, dangling=graph.missing_edges)


def _rounds(loop: Loop | None) -> Rounds | None:
    return None if loop is None else Rounds(loop.max_rounds, loop.exhausted, loop.progress)


def build(
    nodes: Iterable[str],
    arrows: Iterable[Arrow],
    failing: Iterable[str] = (),
    dangling: bool = False,
) -> FlowGraph:
    """Number the nodes, give each its outcomes, and each outcome its arcs."""
    names = (START, *sorted(set(nodes)), END)
    number = {name: index for index, name in enumerate(names)}
    end = len(names) - 1
    written: list[list[Arrow]] = [[] for _ in names]
    circular: list[Arrow] = []
    loose: set[int] = set()
    for arrow in arrows:
        source, target = number.get(arrow.source), number.get(arrow.target)
        if source is None or target is None:
            dangling = dangling or target is None
            if target is not None:
                loose.add(target)
        elif source == target and arrow.rounds is None:
            circular.append(arrow)
        elif source != end and target != 0:
            written[source].append(arrow)
    never = frozenset(number[name] for name in failing)
    draft = _Draft(number, len(names))
    for node in range(end):
        for bundle in _bundles(written[node], node in never):
            draft.add(node, bundle)
    return draft.freeze(names, never, tuple(circular), frozenset(loose), dangling)


def _bundles(written: Sequence[Arrow], never_succeeds: bool) -> list[tuple[Form, list[Arrow]]]:
    """Group the edges of one node into outcomes, before edges that go back make two of one."""
    always = [arrow for arrow in written if arrow.form == "always"]
    arms: list[tuple[Form, list[Arrow]]] = [("arm", [arrow]) for arrow in written if arrow.form == "arm"]
    errors: list[tuple[Form, list[Arrow]]] = [("error", [arrow]) for arrow in written if arrow.form == "error"]
    if never_succeeds:
        return errors
    if len(always) > 1:
        first = {(arrow.target, arrow.rounds): arrow for arrow in reversed(always)}
        always = sorted(first.values(), key=_target)
    if always or not arms:
        arms.insert(0, ("always", always))
    return arms + errors


def _target(arrow: Arrow) -> str:
    return arrow.target


_PLAIN: tuple[Turn, ...] = ("",)
_LOOPING: tuple[Turn, ...] = ("again", "exhausted")


class _Draft:
    """The lists of a flow graph while they grow."""

    def __init__(self, number: Mapping[str, int], size: int) -> None:
        self.number = number
        self.outcomes: list[Outcome] = []
        self.arcs: list[Arc] = []
        self.outcomes_of: list[list[int]] = [[] for _ in range(size)]
        self.arcs_of: list[list[int]] = []
        self.leaving: list[list[int]] = [[] for _ in range(size)]
        self.entering: list[list[int]] = [[] for _ in range(size)]
        self.returning: dict[int, list[int]] = {}
        self.rounds: dict[int, Rounds] = {}

    def add(self, node: int, bundle: tuple[Form, list[Arrow]]) -> None:
        form, arrows = bundle
        edge = arrows[0].edge if form != "always" else -1
        looping = [arrow for arrow in arrows if arrow.rounds is not None]
        for arrow in looping:
            if arrow.rounds:
                self.rounds.setdefault(self.number[arrow.target], arrow.rounds)
        for turn in _LOOPING if looping else _PLAIN:
            outcome = len(self.outcomes)
            self.outcomes.append(Outcome(node, form, edge, turn))
            self.outcomes_of[node].append(outcome)
            self.arcs_of.append([self.place(node, outcome, turn, arrow) for arrow in arrows if self.leads(arrow, turn)])

    def leads(self, arrow: Arrow, turn: Turn) -> bool:
        return turn != "exhausted" or arrow.rounds is None or self.number.get(arrow.rounds.exhausted, 0) > 0

    def place(self, node: int, outcome: int, turn: Turn, arrow: Arrow) -> int:
        back = exhausted = False
        target = self.number[arrow.target]
        if arrow.rounds is not None:
            back, exhausted = turn == "again", turn == "exhausted"
            target = self.number[arrow.rounds.exhausted] if exhausted else target
        arc = len(self.arcs)
        self.arcs.append(Arc(node, target, outcome, back, exhausted, arrow.edge))
        if back:
            self.returning.setdefault(target, []).append(arc)
        elif turn != "again":
            self.leaving[node].append(arc)
            self.entering[target].append(arc)
        return arc

    def freeze(
        self,
        names: tuple[str, ...],
        failing: frozenset[int],
        circular: tuple[Arrow, ...],
        loose: frozenset[int],
        dangling: bool,
    ) -> FlowGraph:
        return FlowGraph(
            names=names,
            outcomes=tuple(self.outcomes),
            arcs=tuple(self.arcs),
            outcomes_of=self.outcomes_of,
            arcs_of=self.arcs_of,
            leaving=self.leaving,
            entering=self.entering,
            returning={header: tuple(arcs) for header, arcs in self.returning.items()},
            rounds=self.rounds,
            failing=failing,
            circular=circular,
            loose=loose,
            dangling=dangling,
        )
