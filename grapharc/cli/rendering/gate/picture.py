"""A graph on both sides of a gate and its changes go in, the picture of what changed comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grapharc.compiler.diagrams.changes import changed
from grapharc.compiler.diagrams.picture import Picture
from grapharc.policy.admission import Admission
from grapharc.project.gate.report import GraphPair, Told

_OF_A_NODE = frozenset(
    {
        "attempts",
        "given",
        "items",
        "items_at_once",
        "node_argument",
        "node_kind",
        "node_map",
        "node_reads",
        "node_retry",
        "node_writes",
        "timeout",
    }
)
"""The changes that are about one node, whether or not a diagram has room for what they say."""


def picture_of(pair: GraphPair, changes: Iterable[Told], view: Callable[[Admission], Picture]) -> Picture:
    """Draw a graph with what changed in it marked. Raises ValueError for one that is on neither side."""
    told = (each.change for each in changes if each.change.what in _OF_A_NODE)
    otherwise = {str(change.values.get("node", change.subject)) for change in told}
    return changed((pair.old, pair.new), view, pair.renamed, otherwise)
