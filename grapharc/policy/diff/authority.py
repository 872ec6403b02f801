"""Both sides of a graph go in; what it may do that it might not before, or no longer, comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import Both
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.data import data
from grapharc.policy.diff.decisions import Elsewhere, decisions
from grapharc.policy.diff.reach import reach
from grapharc.policy.diff.touch import touch


def authority(both: Both, elsewhere: Elsewhere) -> Iterator[Change]:
    """Yield what changed in what a graph may do, whoever decides it: its own documents or its owner's."""
    if not _is_same(both):
        yield from touch(both)
        yield from reach(both)
        yield from data(both)
    yield from decisions(both, elsewhere)


def _is_same(both: Both) -> bool:
    """Tell whether all that these look at is the same, as it is of most graphs of a project."""
    old, new = both.old.admission, both.new.admission
    if old is None or new is None:
        return False
    guards = [{rule.unless_via for policy in one.policies for rule in policy.rules} for one in (old, new)]
    same = guards[0] == guards[1] and old.registry_digest == new.registry_digest
    return same and old.graph_digest == new.graph_digest
