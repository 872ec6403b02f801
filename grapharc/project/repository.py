"""A project folder goes in; where it lies in its repository comes out, since forges name files from there."""

from __future__ import annotations

import os

from grapharc.project.disk import Disk


def way_from_repository(root: str, disk: Disk) -> str:
    """Return the way from the repository's folder to a project's, ``""`` or ``"apps/agents/"``.

    The repository is the nearest folder at or above the project with a ``.git`` in it; without one it is the project's.
    Nothing in it is read.
    """
    folder = root
    while not disk.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    inside = root[len(os.path.join(folder, "")) :].replace(os.sep, "/")
    return f"{inside}/" if inside else ""
