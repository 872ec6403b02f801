"""A linked graph in; its nodes by number with what they lead to, read and write, and what each branch decides, out.

Beside the loops, guards and joins of other files, which are exact and speak of graphs that are sound, this makes sense
of any graph: whoever judges where data or control may go must not depend on what another rule refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from grapharc.spec.flow.after import after
from grapharc.spec.flow.shared import Shared, everything, nothing, shared
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END, START, Edge, LinkedGraph, Node


class Taken(NamedTuple):
    """An edge as one outcome takes it; ``edge`` is None where a way just ends. ``again`` goes back in a loop."""

    target: int
    edge: Edge | None = None
    again: bool = False
    used_up: bool = False


@frozen(slots=False)
class Layout:
    """One graph, whose subgraphs are single nodes. Nodes are numbered by their names; then come the start and the end.

    ``success`` are the edges that are taken after a success of each node, ``failure`` after a failure.
    """

    graph: LinkedGraph
    names: tuple[str, ...]
    success: Sequence[Sequence[Taken]]
    failure: Sequence[Sequence[Taken]]

    @property
    def start(self) -> int:
        """The number of the start."""
        return len(self.names) - 2

    @property
    def end(self) -> int:
        """The number of the end."""
        return len(self.names) - 1

    @cached_property
    def nodes(self) -> Sequence[Node | None]:
        """The nodes; None for the start, the end and what could not be linked."""
        return [self.graph.nodes.get(name) for name in self.names]

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def after(self) -> Sequence[Shared]:
        """For each node itself and all that it leads to, in later rounds too."""
        both = zip(self.success, self.failure, strict=True)
        return after([[one.target for taken in ways for one in taken] for ways in both])

    @cached_property
    def nothing(self) -> Shared:
        """The empty set of nodes."""
        return nothing(len(self.names))

    def after_success(self, node: int) -> Shared:
        """Return what can come after a success."""
        return self._union(self.after[taken.target] for taken in self.success[node])

    def after_failure(self, node: int) -> Shared:
        """Return what can come after a failure that an error edge catches."""
        return self._union(self.after[taken.target] for taken in self.failure[node])

    def decided(self, node: int, failed: bool) -> Shared:
        """Return the nodes whose activation depends on what is decided after a node.

        Those are what it leads to but for what happens whatever is decided, and what comes after that alone. A branch
        decides between its arms, a loop whether a node of its body runs once more.
        """
        known = self._decided.get((node, failed))
        if known is None:
            known = self._decided[node, failed] = self._region(node, failed)
        return known

    def settled(self, node: int) -> Shared:
        """Return the nodes whose activation depends on whether a node fails."""
        known = self._settled.get(node)
        if known is None:
            success, failure = self.success[node], self.failure[node]
            sure = self._sure_after(failure, self._sure)
            if node not in self.failing:
                sure &= self._sure_after(success, self._sure)
            known = self._settled[node] = self._between((*success, *failure), sure)
        return known

    @cached_property
    def _settled(self) -> dict[int, Shared]:
        return {}

    @cached_property
    def _decided(self) -> dict[tuple[int, bool], Shared]:
        return {}

    def _region(self, node: int, failed: bool) -> Shared:
        taken = self.failure[node] if failed else self.success[node]
        return self._between(taken, self._sure_after(taken, self._sure))

    def _between(self, taken: Sequence[Taken], sure: Shared) -> Shared:
        found: set[int] = set()
        todo = [one.target for one in taken]
        while todo:
            near = todo.pop()
            if near not in found and near != self.end and near not in sure:
                found.add(near)
                todo.extend(one.target for one in (*self.success[near], *self.failure[near]))
        return shared(found, len(self.names))

    @cached_property
    def _sure(self) -> Sequence[Shared]:
        """For each node what surely happens after it, whatever is decided then and as long as nothing else fails.

        What happens in a round after the next one depends on that round: it is looked at again until nothing changes,
        as often as loops lie in each other.
        """
        sure = [self._everything] * len(self.names)
        sure[self.end] = self.nothing
        backward = [node for node in self._backward() if node != self.end]
        changed = True
        while changed:
            changed = False
            for node in backward:
                later = self._sure_after(self.success[node], sure)
                if self.failure[node]:
                    failed = self._sure_after(self.failure[node], sure)
                    later = failed if node in self.failing else later & failed
                elif node in self.failing:
                    later = self.nothing
                changed |= self._has_loops and later != sure[node]
                sure[node] = later
        return sure

    def _sure_after(self, taken: Sequence[Taken], sure: Sequence[Shared]) -> Shared:
        """Say what surely happens: of arms what all have in common, of other edges all; of a loop's both ways."""
        each: list[Shared] = []
        for one in taken:
            mine = sure[one.target].plus(one.target)
            if one.used_up and each:
                each[-1] &= mine
            else:
                each.append(mine)
        if not any(one.edge is not None and one.edge.form == "arm" for one in taken):
            return self._union(each)
        common = self._everything
        for mine in each:
            common &= mine
        return common

    def _union(self, sets: Iterable[Shared]) -> Shared:
        whole = self.nothing
        for one in sets:
            whole |= one
        return whole

    @cached_property
    def _everything(self) -> Shared:
        return everything(len(self.names))

    @cached_property
    def _has_loops(self) -> bool:
        return any(edge.loop is not None for edge in self.graph.edges)

    def _backward(self) -> Sequence[int]:
        """List the nodes, each after all that it leads to without going back."""
        ordered: list[int] = []
        seen = bytearray(len(self.names))
        for root in (self.start, *range(self.start)):
            trail = [root]
            while trail:
                node = trail.pop()
                if node < 0:
                    ordered.append(~node)
                elif not seen[node]:
                    seen[node] = 1
                    trail.append(~node)
                    both = (*self.success[node], *self.failure[node])
                    trail.extend(one.target for one in both if not one.again and not seen[one.target])
        return ordered

    @cached_property
    def failing(self) -> frozenset[int]:
        """The nodes that cannot succeed."""
        return frozenset(number for number, node in enumerate(self.nodes) if node is not None and _must_fail(node))


def layout(graph: LinkedGraph) -> Layout:
    """Number the nodes of a graph and sort its edges; one without an edge on leads to the end."""
    names = (*sorted({*graph.nodes, *graph.unlinked}), START, END)
    number = {name: index for index, name in enumerate(names)}
    success: list[list[Taken]] = [[] for _ in names]
    failure: list[list[Taken]] = [[] for _ in names]
    for edge in sorted(graph.edges, key=_ends):
        source, target = number.get(edge.source), number.get(edge.target)
        if source is None or target is None or edge.source == END or edge.target == START:
            continue
        taken = failure[source] if edge.form == "error" else success[source]
        taken.append(Taken(target, edge, again=edge.loop is not None))
        used_up = edge.used_up
        if used_up is not None and used_up.target in number and used_up.target != START:
            taken.append(Taken(number[used_up.target], edge, used_up=True))
    for index, name in enumerate(names[:-1]):
        node = graph.nodes.get(name)
        if not success[index] and not (node is not None and _must_fail(node)):
            success[index].append(Taken(len(names) - 1))
    return Layout(graph, names, success, failure)


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.source, edge.target


def _must_fail(node: Node) -> bool:
    return node.offer.kind.name == "control.fail" and node.map is None
