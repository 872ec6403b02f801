"""Both sides of a graph go in; why a session that began under one of them could not go on under the other comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import About, Both, listed
from grapharc.policy.diff.change import Change
from grapharc.policy.resume import Obstacle, can_resume, resume_needs


def resume(both: Both) -> Iterator[Change]:
    """Yield the change, if there is one: what keeps a session from going on is the same seen from either side."""
    found = obstacles(both)
    if not found:
        return
    before = [f"{one.part} {one.subject}" for one in found if one.how != "new"]
    after = [f"{one.part} {one.subject}" for one in found if one.how != "gone"]
    said = tuple(f"{one.part} {one.subject}: {one.how}" for one in found)
    about = About("sessions", "resume", "sessions", {"why": listed(said)}, None, said)
    yield about.change("incomparable", before, after)


def obstacles(both: Both) -> tuple[Obstacle, ...]:
    """Return why a session that began before could not go on; of a graph that runs on one side only, nothing."""
    old, new = both.old.admission, both.new.admission
    if old is None or new is None or "refused" in (old.verdict, new.verdict):
        return ()
    return can_resume(resume_needs(old), resume_needs(new))
