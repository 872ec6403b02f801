"""An admission goes in; a picture of how control moves comes out: nodes, branches, loops, maps, failures, subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grapharc.compiler.diagrams.picture import Group, Line, Picture, Shape, family_of
from grapharc.compiler.diagrams.sheet import Sheet, ordered
from grapharc.compiler.diagrams.unlinked import loose_edges, unlinked_nodes
from grapharc.compiler.diagrams.words import edge_text, exhausted_text, node_lines, waiting
from grapharc.policy.admission import Admission
from grapharc.spec.flow.facts import Flow
from grapharc.spec.linked import END, START, Edge, LinkedGraph, Node
from grapharc.spec.nesting import within

Lines = Callable[[Node, str], tuple[str, ...]]
"""What stands beneath a node's name, by the node and its whole name."""


def control(admission: Admission) -> Picture:
    """Draw how control moves."""
    return draw_control(admission, lambda node, _: node_lines(node))


def draw_control(admission: Admission, lines: Lines) -> Picture:
    """Draw how control moves, with other words beneath the names of nodes."""
    sheet = _Sheet(admission, lines)
    sheet.draw(admission.graph, admission.flow, "")
    return sheet.picture()


class _Sheet(Sheet):
    def __init__(self, admission: Admission, words: Lines) -> None:
        super().__init__(admission)
        self._words = words

    def draw(self, graph: LinkedGraph, flow: Flow, group: str) -> None:
        self.shapes.append(Shape(within(group, START), "start", "start", group=group))
        for node in ordered(graph, flow):
            self._node(node, flow, group)
        unlinked = tuple(unlinked_nodes(graph, group, self.said))
        known = {START, END, *graph.nodes, *(shape.title for shape in unlinked)}
        loose = tuple(loose_edges(graph, known, group, self.said))
        self.shapes += (*unlinked, *(one for one in loose if isinstance(one, Shape)))
        lines = [one for one in loose if isinstance(one, Line)]
        ends = {end for line in lines for end in (line.source, line.target)}
        if group or within(group, END) in ends or END in {edge.target for edge in graph.every_edge}:
            self.shapes.append(Shape(within(group, END), "end", "end", group=group))
        self.lines += lines
        for edge in _in_order(graph, flow):
            if edge.source in known and edge.target in known:
                self._edge(graph, edge, group)
        leading = {edge.source for edge in graph.edges if edge.form != "error"}
        for name in sorted(graph.nodes.keys() - leading - flow.failing) if group else ():
            self.lines.append(Line(self._leaving(graph, name, group), within(group, END)))

    def _node(self, node: Node, flow: Flow, group: str) -> None:
        name = within(group, node.name)
        marks = self.said.of_node(node, name)
        lines = (*self._words(node, name), *self._joins(node, flow))
        if node.subgraph is None:
            family = family_of(node.capabilities)
            many = node.map is not None
            self.shapes.append(Shape(name, "node", node.name, lines, family, many, group, marks))
            return
        self.groups.append(Group(name, node.name, lines, group, marks))
        self.draw(node.subgraph, flow.inside[node.name], name)

    def _joins(self, node: Node, flow: Flow) -> tuple[str, ...]:
        wait = flow.waits.get(node.name)
        return () if wait is None else waiting(flow, wait)

    def _edge(self, graph: LinkedGraph, edge: Edge, group: str) -> None:
        source, target = self._leaving(graph, edge.source, group), self._entering(graph, edge.target, group)
        form = "error" if edge.form == "error" else "again" if edge.loop else "arm" if edge.form == "arm" else "always"
        around = within(group, edge.source) if form == "error" and _is_graph(graph.nodes, edge.source) else ""
        self.lines.append(Line(source, target, form, edge_text(edge), around, self.said.of_edge(edge)))
        if edge.loop is not None:
            target = self._entering(graph, edge.loop.exhausted, group)
            marks = self.said.of_exhausted(edge)
            self.lines.append(Line(source, target, "exhausted", exhausted_text(edge), "", marks))

    def _leaving(self, graph: LinkedGraph, name: str, group: str) -> str:
        return within(within(group, name), END) if _is_graph(graph.nodes, name) else within(group, name)

    def _entering(self, graph: LinkedGraph, name: str, group: str) -> str:
        return within(within(group, name), START) if _is_graph(graph.nodes, name) else within(group, name)


def _is_graph(nodes: Mapping[str, Node], name: str) -> bool:
    return name in nodes and nodes[name].subgraph is not None


def _in_order(graph: LinkedGraph, flow: Flow) -> list[Edge]:
    """Return the edges by their sources; the arms of a branch as they stand, since the first true one is taken."""
    place = {node.name: number for number, node in enumerate(ordered(graph, flow), start=1)}
    return sorted(
        graph.edges, key=lambda edge: (place.get(edge.source, 0), edge.target if edge.form == "always" else "")
    )
