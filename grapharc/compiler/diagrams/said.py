"""An admission goes in; what its findings and approvals say of each node and edge comes out, and of the whole."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.compiler.diagrams.picture import Marks
from grapharc.compiler.diagrams.words import wrapped
from grapharc.policy.admission import Admission
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import Path
from grapharc.spec.linked import Edge, Node
from grapharc.spec.reasons import message, severity


class Said:
    """Looks up what is said at a place. What no shape and no line has asked for is left over, for the whole."""

    def __init__(self, admission: Admission) -> None:
        self._rows: dict[tuple[str, Path], list[Finding]] = {}
        """Findings by the row of the document that they stand in: a node, an edge, a field."""
        for finding in admission.findings:
            if severity(finding) == "error":
                self._rows.setdefault((finding.place.document, finding.place.path[:_ROW]), []).append(finding)
        self._told: set[int] = set()
        self._asks: dict[str, list[str]] = {}
        for approval in admission.approvals:
            rule = f" (rule {approval.decision.rule.id})" if approval.decision.rule else ""
            self._asks.setdefault(approval.before, []).append(f"asks {approval.role or 'a person'}{rule}")

    def of_node(self, node: Node, name: str) -> Marks:
        """Return the marks of a node; ``name`` is its whole name."""
        found = self._beneath(Place(node.place.document, node.place.path[:_ROW]))
        asks = dict.fromkeys(self._asks.get(name, ()))
        return Marks(refusals=_worded(found), asks=tuple(line for ask in asks for line in wrapped(ask)))

    def of_edge(self, edge: Edge) -> Marks:
        """Return the marks of an edge, without those of where its loop leads when it is used up."""
        place = edge.place if "chain" in edge.place.path else Place(edge.place.document, edge.place.path[:_ROW])
        return Marks(refusals=_worded(self._beneath(place, but="exhausted")))

    def of_exhausted(self, edge: Edge) -> Marks:
        """Return the marks of where a loop leads when it is used up."""
        used_up = edge.used_up
        return Marks() if used_up is None else Marks(refusals=_worded(self._beneath(used_up.place)))

    def at(self, place: Place) -> Marks:
        """Return what refuses what stands at a place and beneath it."""
        return Marks(refusals=_worded(self._beneath(place)))

    def left_over(self) -> tuple[str, ...]:
        """Return what nobody asked for, once each: the faults of the whole, and of what could not be drawn."""
        left = (each for found in self._rows.values() for each in found if id(each) not in self._told)
        return tuple(dict.fromkeys(f"{finding.code}: {message(finding)}" for finding in left))

    def _beneath(self, place: Place, but: str | None = None) -> Iterable[Finding]:
        """Return the findings at a place and beneath it."""
        depth = len(place.path)
        for finding in self._rows.get((place.document, place.path[:_ROW]), ()):
            path = finding.place.path
            if path[:depth] == place.path and (but is None or but not in path):
                self._told.add(id(finding))
                yield finding


_ROW = 2
"""How many steps lead to a row: ``nodes`` and a number."""


def _worded(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Name each finding and the rule that decided; its sentence is too long for a diagram, and ``check`` prints it."""
    texts = dict.fromkeys(f"{finding.code}{f': rule {finding.rule}' if finding.rule else ''}" for finding in findings)
    return tuple(line for text in texts for line in wrapped(text))
