"""Two admissions of one graph go in; every change between them, what matters most first, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.admission import Admission
from grapharc.policy.diff.authority import authority
from grapharc.policy.diff.both import About, Both
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.cost import cost
from grapharc.policy.diff.decisions import Elsewhere
from grapharc.policy.diff.resume import obstacles, resume
from grapharc.policy.diff.side import Side
from grapharc.policy.diff.state import state
from grapharc.policy.diff.topology import topology
from grapharc.policy.diff.words import order
from grapharc.policy.resume import Obstacle
from grapharc.spec.frozen import frozen

NOWHERE = Elsewhere()


@frozen
class GraphDiff:
    """All that changed between two sides of a graph. ``renamed`` has the new name of nodes by the old one.

    ``obstacles`` say why a session that began under the old graph cannot go on under the new one.
    """

    changes: tuple[Change, ...]
    renamed: Mapping[str, str]
    obstacles: tuple[Obstacle, ...]


def diff(old: Admission | None, new: Admission | None, elsewhere: Elsewhere = NOWHERE) -> GraphDiff:
    """Compare a graph as it was with the graph as it is; None for one that is not there.

    ``elsewhere`` are both graphs as the other side's registry and policies judge them, where those are others: the
    stricter answer of all is the one that a request is measured by.
    """
    both = Both(Side(old), Side(new))
    found = {order(change): change for change in _changes(both, elsewhere)}
    changes = tuple(found[key] for key in sorted(found))
    return GraphDiff(changes, both.renamed, obstacles(both))


def _changes(both: Both, elsewhere: Elsewhere) -> Iterator[Change]:
    old, new = both.old.admission, both.new.admission
    if old is None or new is None:
        there = new or old
        if there is not None:
            about = About("graph", "topology", there.graph.name or there.graph.path)
            yield about.change("widens" if new else "narrows", None if new else "there", "there" if new else None)
    found = [
        *authority(both, elsewhere),
        *topology(both),
        *cost(both),
        *state(both),
        *resume(both),
    ]
    if not found and old is not None and new is not None and old.graph_digest != new.graph_digest:
        # What no row tells apart is told all the same: the digest covers all that changes what runs.
        yield About("meaning", "topology", new.graph.name).change("neutral", old.graph_digest, new.graph_digest)
    yield from found
