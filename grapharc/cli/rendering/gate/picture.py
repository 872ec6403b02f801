"""A graph on both sides of a gate and its changes go in, the picture of what changed comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grapharc.compiler.diagrams.changes import changed
from grapharc.compiler.diagrams.picture import Picture
from grapharc.policy.admission import Admission
from grapharc.policy.diff.change import Change
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
    otherwise: dict[str, dict[str, None]] = {}
    for change in (each.change for each in changes if each.change.what in _OF_A_NODE):
        node = str(change.values.get("node", change.subject))
        otherwise.setdefault(node, {})[_old_and_new(change)] = None
    return changed((pair.old, pair.new), view, pair.renamed, {node: tuple(texts) for node, texts in otherwise.items()})


def _old_and_new(change: Change) -> str:
    """Say what of a node changed, without its name: an argument is the same whichever row of the words tells of it."""
    argument = change.values.get("argument")
    given = str(change.values.get("what", "")).replace("argument ", "")
    what = f"'{argument}'" if argument else given or change.what.removeprefix("node_").replace("_", " ")
    was, now = (str(change.values.get(side) or "none") for side in ("before", "after"))
    return f"{what}: {was} \N{RIGHTWARDS ARROW} {now}"
