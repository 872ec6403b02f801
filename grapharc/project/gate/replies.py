"""Two open states of a project and their registries go in; which files of replies say something else comes out.

What is read when a graph is run is told here alone. The text of a prompt, of a subgraph and of a manifest is part of
what is linked, and is compared there.
"""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import About
from grapharc.policy.diff.change import Change
from grapharc.project.gate.opened import Opened
from grapharc.spec.canonical import digest_of_bytes
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Registry


def replies_changes(base: Opened, head: Opened, old: Registry, new: Registry) -> Iterator[Change]:
    """Yield the roles that are answered from one file on both sides, which says something else or is not there.

    Whatever a model may answer is held to the same rules, so that other replies let nobody do more.
    """
    for name in sorted(old.roles.keys() & new.roles.keys()):
        file = new.roles[name].file
        if file is None or file != old.roles[name].file:
            continue
        before, after = _digest(base, file), _digest(head, file)
        if before != after:
            about = About("replies", "authority", name, {"file": file}, new.roles[name].place)
            yield about.change("neutral", before, after)


def _digest(side: Opened, path: str) -> Json:
    data = side.load(path)
    return None if data is None else digest_of_bytes(data)
