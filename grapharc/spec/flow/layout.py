"""A linked graph in; its nodes by number with what they lead to, read and write, and what each branch decides, out.

Beside the loops, guards and joins of other files, which are exact and speak of graphs that are sound, this makes sense
of any graph: whoever judges where data or control may go must not depend on what another rule refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from grapharc.spec.flow.after import after
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
    def after(self) -> Sequence[int]:
        """For each node itself and all that it leads to, in later rounds too, as a bit set."""
        both = zip(self.success, self.failure, strict=True)
        return after([[one.target for taken in ways for one in taken] for ways in both])

    def after_success(self, node: int) -> int:
        """Return what can come after a success, as a bit set."""
        return _union(self.after[taken.target] for taken in self.success[node])

    def after_failure(self, node: int) -> int:
        """Return what can come after a failure that an error edge catches, as a bit set."""
        return _union(self.after[taken.target] for taken in self.failure[node])

    def decided(self, node: int, failed: bool) -> int:
        """Return the nodes whose activation depends on what is decided after a node, as a bit set.

        Those are what it leads to but for what happens whatever is decided, and what comes after that alone. A branch
        decides between its arms, a loop whether a node of its body runs once more.
        """
        known = self._decided.get((node, failed))
        if known is None:
            known = self._decided[node, failed] = self._region(node, failed)
        return known

    def settled(self, node: int) -> int:
        """Return the nodes whose activation depends on whether a node fails, as a bit set."""
        known = self._settled.get(node)
        if known is None:
            success, failure = self.success[node], self.failure[node]
            sure = _sure_after(failure, self._sure)
            if node not in self.failing:
                sure &= _sure_after(success, self._sure)
            known = self._settled[node] = self._between((*success, *failure), sure)
        return known

    @cached_property
    def _settled(self) -> dict[int, int]:
        return {}

    @cached_property
    def _decided(self) -> dict[tuple[int, bool], int]:
        return {}

    def _region(self, node: int, failed: bool) -> int:
        taken = self.failure[node] if failed else self.success[node]
        return self._between(taken, _sure_after(taken, self._sure))

    def _between(self, taken: Sequence[Taken], sure: int) -> int:
        outside = sure | 1 << self.end
        found = 0
        todo = [one.target for one in taken]
        while todo:
            near = todo.pop()
            if not (found | outside) >> near & 1:
                found |= 1 << near
                todo.extend(one.target for one in (*self.success[near], *self.failure[near]))
        return found

    @cached_property
    def _sure(self) -> Sequence[int]:
        """For each node what surely happens after it, whatever is decided then and as long as nothing else fails.

        What happens in a round after the next one depends on that round: it is looked at again until nothing changes,
        as often as loops lie in each other.
        """
        sure = [-1] * len(self.names)
        sure[self.end] = 0
        backward = [node for node in self._backward() if node != self.end]
        changed = True
        while changed:
            changed = False
            for node in backward:
                later = _sure_after(self.success[node], sure)
                if self.failure[node]:
                    failed = _sure_after(self.failure[node], sure)
                    later = failed if node in self.failing else later & failed
                elif node in self.failing:
                    later = 0
                changed |= self._has_loops and later != sure[node]
                sure[node] = later
        return sure

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


def _sure_after(taken: Sequence[Taken], sure: Sequence[int]) -> int:
    """Say what surely happens: of arms what all have in common, of unconditional edges all; of a loop's both ways."""
    masks: list[int] = []
    for one in taken:
        mask = 1 << one.target | sure[one.target]
        if one.used_up and masks:
            masks[-1] &= mask
        else:
            masks.append(mask)
    if not any(one.edge is not None and one.edge.form == "arm" for one in taken):
        return _union(masks)
    common = -1
    for mask in masks:
        common &= mask
    return common


def _union(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole
