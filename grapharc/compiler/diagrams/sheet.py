"""Shapes, lines and groups go in, graph by graph; the picture that they make comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.compiler.diagrams.picture import Group, Line, Picture, Shape
from grapharc.compiler.diagrams.said import Said
from grapharc.policy.admission import Admission
from grapharc.spec.flow.facts import Flow
from grapharc.spec.linked import LinkedGraph, Node


class Sheet:
    """What is drawn of an admission, while it is being drawn; ``said`` has what is said of each part."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self.said = Said(admission)
        self.shapes: list[Shape] = []
        self.lines: list[Line] = []
        self.groups: list[Group] = []

    def picture(self) -> Picture:
        """Return what was drawn, with what is said of the whole."""
        parts = tuple(self.shapes), tuple(self.lines), tuple(self.groups)
        return Picture(_title(self._admission), _notes(self._admission), *parts, self.said.left_over())


def ordered(graph: LinkedGraph, flow: Flow) -> Iterator[Node]:
    """Yield nodes in an order in which most edges lead on, whatever the order of the document."""
    reached = [name for name in flow.order if name in graph.nodes]
    yield from (graph.nodes[name] for name in reached)
    yield from (graph.nodes[name] for name in sorted(graph.nodes.keys() - set(reached)))


def _title(admission: Admission) -> str:
    """Return what a diagram is called: the graph's name and version, else its path."""
    graph = admission.graph
    return f"{graph.name or graph.path}{f' {graph.version}' if graph.version else ''}"


def _notes(admission: Admission) -> tuple[str, ...]:
    """Return what is said of the whole: the verdict, and for whom it holds."""
    verdict = admission.verdict.replace("_", " ")
    return (verdict if admission.tenant == "default" else f"{verdict} for tenant {admission.tenant}",)
